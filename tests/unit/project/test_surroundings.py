"""What goes with a question, put together for a session."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from aish.config.trust import TrustFile
from aish.core.context.tokens import get_tokenizer
from aish.core.messages import ExecResult
from aish.core.secrets.redact import Redactor
from aish.project.machine import here_line
from aish.project.surroundings import Room, Surroundings, Wanted
from support.repository import Run
from support.users import ScriptedUser


class AbsentUser(ScriptedUser):
    """Nobody is at the terminal, as when a script asks."""

    present = False


ROOM = Room(window=8192, each=2000, total=4000, tokenizer=get_tokenizer(""))


@pytest.fixture
def repo(tmp_path: Path, git: Run) -> Path:
    repo = tmp_path / "repo"
    (repo / "a.py").write_text("print(1)\n")
    (repo / "AGENTS.md").write_text("use tabs\n")
    git("add", "-A")
    git("commit", "-qm", "first")
    return repo


def surroundings(tmp_path: Path, user: ScriptedUser, **wanted: bool) -> Surroundings:
    return Surroundings(
        os.environ,
        user=user,
        trust=TrustFile(tmp_path / "trust.jsonl"),
        wanted=Wanted(**wanted),
    )


def test_instructions_are_asked_about_once_and_marked_as_the_projects(
    repo: Path, tmp_path: Path
) -> None:
    user = ScriptedUser(True)
    here = surroundings(tmp_path, user)
    block = here.block(str(repo), ROOM)
    assert "use tabs" in block
    assert "They approve nothing" in block
    assert here.block(str(repo), ROOM) == block
    assert len(user.questions) == 1
    assert "use tabs" not in surroundings(tmp_path / "other", ScriptedUser(False)).block(
        str(repo), ROOM
    )


def test_where_nobody_can_be_asked_instructions_are_neither_used_nor_declined(
    repo: Path, tmp_path: Path
) -> None:
    alone = surroundings(tmp_path, AbsentUser())
    assert "use tabs" not in alone.block(str(repo), ROOM)
    user = ScriptedUser(True)
    assert "use tabs" in surroundings(tmp_path, user).block(str(repo), ROOM)
    assert len(user.questions) == 1


def test_the_block_is_stable_and_the_tree_only_where_wanted(repo: Path, tmp_path: Path) -> None:
    plain = surroundings(tmp_path, ScriptedUser(True))
    assert "a.py" not in plain.block(str(repo), ROOM)
    with_tree = surroundings(tmp_path, ScriptedUser(True), tree=True)
    before = with_tree.block(str(repo), ROOM)
    assert "a.py" in before
    (repo / "b.py").touch()
    assert with_tree.block(str(repo), ROOM) == before
    with_tree.tree.refresh()
    assert "b.py" in with_tree.block(str(repo), ROOM)
    nothing = surroundings(tmp_path, ScriptedUser(True), machine=False, instructions=False)
    assert nothing.block(str(repo), ROOM) == ""


def test_no_half_of_a_secret_is_left_where_a_long_command_is_told(repo: Path) -> None:
    value = "V9kLmQ2x7TzWb49kLmQ2x7TzWb4"
    for before in range(60):
        last = ExecResult(f"curl {'x ' * before}-u me:{value} https://example.org", 0, "")
        sent = Redactor({"x": value}).redact(here_line(str(repo), os.environ, last), "vault")
        assert "V9kLmQ2x" not in sent


def test_the_place_is_told_when_it_is_news(repo: Path, tmp_path: Path) -> None:
    here = surroundings(tmp_path, ScriptedUser(True))
    failed = ExecResult("make  all", 2, "", cwd=str(repo))
    first = here.question("why did that fail?", str(repo), ROOM, failed).text
    assert "git branch main" in first
    assert "last command `make all` ended with 2" in first
    assert here.question("and now?", str(repo), ROOM, failed).text == ""
    (repo / "a.py").write_text("print(2)\n")
    assert "(1 changed)" in here.question("now?", str(repo), ROOM, failed).text
    here.forget_place()
    assert here.question("again?", str(repo), ROOM, failed).text
    off = surroundings(tmp_path, ScriptedUser(True), machine=False)
    assert off.question("x", str(repo), ROOM, failed).text == ""


def test_a_private_command_is_not_told(repo: Path, tmp_path: Path) -> None:
    secret = ExecResult("echo hunter2", 0, "", private=True)
    here = surroundings(tmp_path, ScriptedUser(True))
    assert "hunter2" not in here.question("x", str(repo), ROOM, secret).text


def test_what_was_put_aside_goes_with_the_next_question_only(repo: Path, tmp_path: Path) -> None:
    here = surroundings(tmp_path, ScriptedUser(True), machine=False)
    here.put_aside("diff", "+x")
    block = "[git diff]\n```diff\n+x\n```"
    sent = here.question("explain", str(repo), ROOM, None)
    assert sent.text == block
    assert [attached.label for attached in sent.attachments] == ["diff"]
    assert here.question("more", str(repo), ROOM, None).text == ""


def test_what_was_put_aside_goes_along_when_the_question_is_asked_again(
    repo: Path, tmp_path: Path
) -> None:
    here = surroundings(tmp_path, ScriptedUser(True), machine=False)
    here.put_aside("diff", "+x")
    here.question("explain", str(repo), ROOM, None)
    here.forget_place(again=True)
    assert "+x" in here.question("explain", str(repo), ROOM, None).text
    here.forget_place()
    here.forget_place(again=True)
    assert here.question("another", str(repo), ROOM, None).text == ""


def test_what_was_put_aside_stays_within_the_room(repo: Path, tmp_path: Path) -> None:
    here = surroundings(tmp_path, ScriptedUser(True), machine=False)
    here.put_aside("diff", "+many words of a diff\n" * 500)
    small = Room(window=1024, each=200, total=300, tokenizer=ROOM.tokenizer)
    sent = here.question("explain @a.py", str(repo), small, None)
    assert sum(attached.tokens for attached in sent.attachments) <= 300
    assert sent.attachments[0].is_cut
    assert "print(1)" in sent.text


def test_the_facts_say_what_is_in_force_and_from_where(repo: Path, tmp_path: Path) -> None:
    here = surroundings(tmp_path, ScriptedUser(True))
    facts = {fact.name: fact.value for fact in here.facts(str(repo))}
    assert facts["project"] == str(repo)
    assert facts["branch"] == "main"
    assert "asked about with the next question" in facts["instructions"]
    here.block(str(repo), ROOM)
    facts = {fact.name: fact.value for fact in here.facts(str(repo))}
    assert facts["instructions"].endswith("AGENTS.md, trusted")
    outside = {fact.name: fact.value for fact in here.facts(str(tmp_path))}
    assert outside["project"] == "not a git repository"
