"""Memory from the prompt: what is stored, shown to the model, forgotten and proposed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from aish.core.errors import Locked, UsageError
from aish.store.jsonl import Writer
from support.masks import WordMask
from support.sitting import Sitting

HEADER = "[background] (memory loaded at startup; managed via :memory)"


def test_what_is_remembered_is_in_the_next_request_and_the_next_session(tmp_path: Path) -> None:
    first = Sitting(tmp_path)
    first.type("?before")
    assert first.system() == ""
    assert "as #1 (fact)" in first.type(":remember prefers terse answers")
    first.type("?after")
    assert f"{HEADER}\n- (fact) prefers terse answers" in first.system()
    second = Sitting(tmp_path)
    second.type("?hello")
    assert "- (fact) prefers terse answers" in second.system()


def test_the_block_stays_the_same_while_the_user_does_nothing(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path, max_chars=150)
    for number in range(20):
        sitting.memory.add("fact", f"thing {number} about deployment")
    sitting.type("?what about deployment")
    before = sitting.system()
    Sitting(tmp_path).type(":remember another aish adds this")
    sitting.type("?what about thing 3")
    assert sitting.system() == before
    sitting.type(":memory inject")
    sitting.type("?another aish")
    assert "another aish adds this" in sitting.system()


def test_kinds_are_named_and_a_duplicate_is_said(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path)
    assert "#1 (pref)" in sitting.type(":memory add pref tabs, not spaces")
    assert "#2 (fact)" in sitting.type(":memory add the printer is upstairs")
    assert "already remembered as #1" in sitting.type(":remember Tabs,  not spaces.")
    lines = (tmp_path / "memory.jsonl").read_text().splitlines()
    assert [json.loads(line).get("kind") for line in lines] == [None, "pref", "fact"]
    with pytest.raises(UsageError, match="nothing to remember"):
        sitting.type(":remember")


def test_the_list_shows_ids_and_marks_what_is_in_the_prompt(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path)
    assert "nothing is remembered" in sitting.type(":memory")
    sitting.type(":remember one")
    assert "  #1 " in sitting.type(":memory list")
    sitting.type("?hello")
    assert "* #1 " in sitting.type(":memory list")
    assert "#1" in sitting.type(":memory search ON")
    assert "nothing has that" in sitting.type(":memory search zebra")
    assert "everything fits" in sitting.type(":memory why 1")
    assert "no such item" in sitting.type(":memory why 7")


def test_what_is_forgotten_leaves_the_prompt_at_once(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path)
    sitting.type(":remember one")
    sitting.type(":remember two")
    sitting.type("?hello")
    assert "forgot #1: one" in sitting.type(":memory forget 1")
    sitting.type("?hello")
    assert "(fact) one" not in sitting.system()
    assert "there is no item #1" in sitting.type(":memory forget #1")
    with pytest.raises(UsageError):
        sitting.type(":memory forget one")


def test_an_edit_puts_a_new_item_in_place_of_the_old(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path)
    sitting.type(":memory add pref spaces")
    sitting.type("?hello")
    sitting.type(":memory edit 1")
    assert sitting.session.draft == ":memory edit 1 spaces"
    sitting.type(":memory edit 1 tabs")
    sitting.type("?hello")
    assert "(pref) tabs" in sitting.system()
    assert "spaces" not in sitting.system()
    with pytest.raises(UsageError):
        sitting.type(":memory edit 99")


def test_clearing_needs_a_yes(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path, keys=["", "n", "y"])
    sitting.type(":remember one")
    for _ in range(2):
        assert "nothing is forgotten" in sitting.type(":memory clear")
    sitting.type("?hello")
    assert "forgot 1 items" in sitting.type(":memory clear")
    sitting.type("?hello")
    assert sitting.system() == ""


def test_an_item_for_a_project_is_only_seen_there(tmp_path: Path) -> None:
    project = tmp_path / "shop"
    (project / ".git").mkdir(parents=True)
    (project / "src").mkdir()
    sitting = Sitting(tmp_path)
    sitting.shell.cwd = str(project / "src")
    assert f"for {project}" in sitting.type(":remember --here deploys with make ship")
    elsewhere = Sitting(tmp_path)
    elsewhere.type("?hello")
    assert elsewhere.system() == ""
    assert "it belongs to" in elsewhere.type(":memory why 1")
    inside = Sitting(tmp_path)
    inside.shell.cwd = str(project)
    inside.type("?hello")
    assert "make ship" in inside.system()


def test_a_second_aish_that_cannot_write_is_told_why_and_still_reads(tmp_path: Path) -> None:
    Sitting(tmp_path).type(":remember one")
    holder = Writer(tmp_path / "memory.jsonl", wait=0)
    sitting = Sitting(tmp_path)
    with pytest.raises(Locked) as caught:
        sitting.type(":remember two")
    assert "memory.jsonl" in caught.value.message
    assert "one" in sitting.type(":memory list")
    sitting.type("?hello")
    assert "(fact) one" in sitting.system()
    holder.close()
    assert "as #2" in sitting.type(":remember two")


def test_a_memory_that_cannot_be_read_does_not_stop_a_question(tmp_path: Path) -> None:
    (tmp_path / "memory.jsonl").mkdir()
    sitting = Sitting(tmp_path)
    said = sitting.type("?hello")
    assert "Fine." in said
    assert "nothing is remembered now" in said


def test_secrets_are_taken_out_before_anything_is_stored(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path, mask=WordMask())
    assert "a secret was left out" in sitting.type(":remember the password is hunter2")
    sitting.type(":memory edit 1 it is still hunter2")
    assert "hunter2" not in (tmp_path / "memory.jsonl").read_text()


PROPOSED = "- fact: likes tea\n* pref: **terse** answers\ncontext: works on hunter2\nnonsense\n"


def test_nothing_proposed_is_stored_without_a_yes(tmp_path: Path) -> None:
    sitting = Sitting(
        tmp_path,
        "Fine.\n",
        PROPOSED,
        keys=["", "e", "y"],
        mask=WordMask(),
    )
    sitting.user.edits = "very terse answers"
    sitting.type("?hello")
    said = sitting.type(":memory summarize")
    questions = sitting.user.questions
    assert questions[0] == "[memory] candidate (fact): likes tea\nkeep? [y/N/edit]"
    assert len(questions) == 3
    assert "hunter2" not in str(questions)
    assert "memory: added 2 candidates" in said
    items = [(item.kind, item.content, item.source) for item in sitting.memory.items()]
    assert sorted(items) == [
        ("context", "works on [secret]", sitting.journal.id),
        ("pref", "very terse answers", sitting.journal.id),
    ]


def test_a_summary_never_feeds_on_an_earlier_one(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path, "Fine.\n", "fact: likes tea\n")
    sitting.type("?hello")
    sitting.type(":memory summarize")
    sitting.type(":memory summarize")
    request = sitting.models.requests[-1]
    assert "likes tea" not in str(request.messages)
    assert request.purpose == "memory"
    assert sitting.log().count('"meta":"summarize"') == 2
    assert len(sitting.session.context.turns) == 2


def test_what_is_remembered_already_is_not_proposed_again(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path, "Fine.\n", "fact: likes tea\n")
    sitting.type(":remember Likes tea.")
    sitting.type("?hello")
    assert "proposed nothing new" in sitting.type(":memory summarize")
    assert sitting.user.questions == []


def test_a_summary_needs_a_conversation_and_a_user(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path)
    with pytest.raises(UsageError, match="no conversation yet"):
        sitting.type(":memory summarize")
    sitting.type("?hello")
    sitting.session.answers = None
    for line in (":memory summarize", ":memory clear"):
        if "clear" in line:
            sitting.type(":remember one")
        with pytest.raises(UsageError, match="nobody is here"):
            sitting.type(line)


def test_an_unknown_subject_names_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        Sitting(tmp_path).type(":memory frobnicate")
    assert "summarize" in caught.value.hint
