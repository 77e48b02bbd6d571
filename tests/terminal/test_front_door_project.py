"""The front door: what a question carries of the place it is asked in."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from support.embedded import server as embedded_server
from support.home import AISH, Home
from support.person import Person
from support.scripted import ScriptedServer, scripted_server, stream

FENCE = "```"


@pytest.fixture
def repo(home: Home) -> Path:
    """A small repository in the user's home, with a change that is not committed."""
    repo = home.path / "work"
    (repo / "src").mkdir(parents=True)
    (repo / "src" / "net.py").write_text("".join(f"line {n}\n" for n in range(1, 61)))
    (repo / "README.md").write_text("read me\n")
    for words in (
        ["init", "-q", "-b", "main"],
        ["config", "user.email", "a@b"],
        ["config", "user.name", "a"],
        ["add", "-A"],
        ["commit", "-qm", "first"],
    ):
        subprocess.run(["git", *words], cwd=repo, env=home.env, check=True)
    (repo / "README.md").write_text("read me again\n")
    return repo


@contextmanager
def person_in(home: Home, repo: Path, *, more: str = "") -> Iterator[tuple[Person, ScriptedServer]]:
    with scripted_server(stream("Fine.")) as server:
        home.use_server(server.url, more=more)
        with Person(home, idle=1.0) as person:
            person.do(f"cd {repo}")
            yield person, server


def asked(server: ScriptedServer) -> str:
    """What the model was asked last, the user's turn alone."""
    content = server.chats[-1].json["messages"][-1]["content"]
    assert isinstance(content, str)
    return content


def system(server: ScriptedServer) -> str:
    return str(server.chats[-1].json["messages"][0]["content"])


def test_files_lines_folders_and_the_diff_go_with_the_question(home: Home, repo: Path) -> None:
    with person_in(home, repo) as (person, server):
        told = person.do("?why does @src/net.py:10-12 time out, with @diff and @src/ given?")
        sent = asked(server)
        assert f"[file src/net.py:10-12]\n{FENCE}python\nline 10\nline 11\nline 12\n{FENCE}" in sent
        assert "+read me again" in sent
        assert "[folder src/, 1 file]" in sent
        assert sent.endswith("why does @src/net.py:10-12 time out, with @diff and @src/ given?")
        assert "@src/net.py:10-12:" in told
        assert "tokens" in told


def test_the_model_is_told_where_the_user_is_once(home: Home, repo: Path) -> None:
    with person_in(home, repo) as (person, server):
        person.do("false")
        person.do("?hello there")
        assert "git branch main (1 changed)" in asked(server)
        assert "last command `false` ended with 1" in asked(server)
        assert "The user works on" in system(server)
        person.do("?and again")
        assert "git branch" not in asked(server)


def test_a_missing_file_is_said_and_text_that_is_no_mention_stays_text(
    home: Home, repo: Path
) -> None:
    with person_in(home, repo) as (person, server):
        told = person.do("?why does @src/nett.py fail, asks ann@example.org")
        assert "@src/nett.py: there is no such file here" in told
        assert asked(server).endswith("why does @src/nett.py fail, asks ann@example.org")


def test_a_file_for_credentials_is_inserted_only_after_a_yes(home: Home, repo: Path) -> None:
    (repo / ".env").write_text("COLOUR=chartreuse\n")
    with person_in(home, repo) as (person, server):
        prompts = person.prompts
        person.say("?what is in @.env")
        person.wait_for("[y/N]")
        person.pause(0.3)
        person.keys("n")
        person.at_prompt(prompts + 1)
        assert "chartreuse" not in asked(server)
        person.say("?what is in @.env")
        person.wait_for(lambda t: t.text.count("[y/N]") == 2)
        person.pause(0.3)
        person.keys("y")
        person.at_prompt(prompts + 2)
        assert "chartreuse" in asked(server)


def test_tab_completes_a_mention(home: Home, repo: Path) -> None:
    (repo / "my notes.txt").write_text("x\n")
    with person_in(home, repo) as (person, server):
        prompts = person.prompts
        person.keys("?explain @net.p")
        person.type("\t")
        person.wait_for("explain @src/net.py")
        person.keys(" and @notes")
        person.type("\t")
        person.wait_for("@my\\ notes.txt")
        person.type("\r")
        person.at_prompt(prompts + 1)
        assert "[file my notes.txt]" in asked(server)
        assert "line 60" in asked(server)


def test_the_tree_is_shown_stays_and_is_switched_off(home: Home, repo: Path) -> None:
    with person_in(home, repo) as (person, server):
        shown = person.do(":tree")
        assert "net.py" in shown
        assert "2 files; the model sees this tree" in shown
        person.do("?one")
        first = system(server)
        assert "src/\n  net.py\nREADME.md" in first
        (repo / "new.py").touch()
        person.do("?two")
        assert system(server) == first
        assert "new.py" in person.do(":tree refresh")
        assert "src/ (1 file)" in person.do(":tree 1")
        person.do(":tree off")
        person.do("?three")
        assert "README.md" not in system(server)
        assert "means nothing" in person.do(":tree sideways")


def test_a_diff_is_shown_and_goes_with_the_next_question_only(home: Home, repo: Path) -> None:
    with person_in(home, repo) as (person, server):
        shown = person.do(":diff")
        assert "+read me again" in shown
        assert "go with the next question" in shown
        person.do("?explain")
        assert "+read me again" in asked(server)
        person.do("?more")
        assert "+read me again" not in asked(server)
        assert "1 file changed" in person.do(":diff --stat")
        assert "is not for here" in person.do(":diff --output=x")
        assert not (repo / "x").exists()


def test_a_diff_of_one_path_goes_along_again_with_a_retry(home: Home, repo: Path) -> None:
    (repo / "src" / "net.py").write_text("changed\n")
    with person_in(home, repo) as (person, server):
        shown = person.do(":diff README.md")
        assert "+read me again" in shown
        assert "net.py" not in shown
        assert "@diff README.md:" in person.do("?explain")
        person.do(":retry")
        assert "+read me again" in asked(server)
        person.do(":undo")
        person.do("?explain")
        assert "+read me again" not in asked(server)


def test_the_context_names_what_each_mention_cost(home: Home, repo: Path) -> None:
    with person_in(home, repo) as (person, _):
        assert "README.md" in person.do(":tree")
        assert "project" in person.do(":context")
        person.do("?compare @src/net.py:1-2 and @README.md")
        shown = person.do(":context")
        assert "@src/net.py:1-2 " in shown
        assert "@README.md " in shown
        person.do(":undo")
        assert "mentions, " not in person.do(":context").rpartition(":context")[2]


def test_agents_md_is_asked_about_and_approves_nothing(home: Home, repo: Path) -> None:
    (repo / "AGENTS.md").write_text("Always answer in rhyme.\n")
    with person_in(home, repo) as (person, server):
        prompts = person.prompts
        person.say("?hello there")
        person.wait_for("[y/N]")
        assert "AGENTS.md" in person.text
        assert "Always answer in rhyme." in person.text
        person.pause(0.3)
        person.keys("y")
        person.at_prompt(prompts + 1)
        assert "Always answer in rhyme." in system(server)
        assert "They approve nothing" in system(server)
        assert "trusted" in person.do(":project")
        (repo / "AGENTS.md").write_text("Run everything.\n")
        person.say("?hello again")
        person.wait_for(lambda t: t.text.count("[y/N]") == 2)
        person.pause(0.3)
        person.keys("n")
        person.at_prompt()
        assert "Run everything" not in system(server)


def test_one_question_from_the_command_line_takes_mentions_too(home: Home, repo: Path) -> None:
    (home.path / "outside.txt").write_text("beyond\n")
    with scripted_server(stream("Fine.")) as server:
        home.use_server(server.url)
        done = subprocess.run(
            [*AISH, "explain @README.md and @../outside.txt"],
            cwd=repo,
            env=home.env,
            input="piped words\n",
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.stdout.strip() == "Fine."
        assert "read me again" in asked(server)
        assert "piped words" in asked(server)
        assert "beyond" not in asked(server)
        assert "outside the project and is left out" in done.stderr


def test_the_real_model_is_asked_with_all_of_it(home: Home, repo: Path) -> None:
    (repo / "AGENTS.md").write_text("Be brief.\n")
    with embedded_server(n_ctx=4096) as real:
        key = f'api_key_env = "REAL_KEY"\nwindow = {real.window}\nreserve = 64\n'
        home.configure(f'model = "real"\n[models.real]\nendpoint = "{real.base_url}"\n{key}')
        with Person(home, env={"REAL_KEY": real.api_key}, idle=1.0) as person:
            person.do(f"cd {repo}")
            person.do(":tree")
            prompts = person.prompts
            person.say("?what is in @src/net.py:1-3 and @diff")
            person.wait_for("[y/N]")
            person.pause(0.3)
            person.keys("y")
            person.at_prompt(prompts + 1, timeout=240)
            shown = person.do(":context")
    assert "project" in shown
    log = next((home.data / "sessions").glob("*.jsonl")).read_text()
    assert "[file src/net.py:1-3]" in log
    assert "+read me again" in log


@contextmanager
def in_a_project(home: Home, rules: str) -> Iterator[Person]:
    """Somebody who went into a project and trusts its overlay; the model proposes a look."""
    folder = home.path / "careful"
    folder.mkdir()
    (folder / "kept").write_text("kept\n")
    (folder / ".aish.toml").write_text(f"[safety]\n{rules}\n")
    with scripted_server(stream("Here:\n\nCMD: ls -d kept\n")) as server:
        home.use_server(server.url, more="[safety]\nconfirm_cmd = false")
        with Person(home, idle=1.0, columns=200) as person:
            person.say("cd careful")
            person.wait_for("Trust this content of the file? [y/N]")
            person.type("y")
            person.wait_for(".aish.toml is in force here")
            person.at_prompt(2)
            yield person


def test_a_project_that_wants_questions_has_them_from_its_cd_on(home: Home) -> None:
    with in_a_project(home, "confirm_cmd = true") as person:
        person.say("?what is here")
        person.wait_for("[s]kip")


def test_a_project_where_nothing_runs_offers_nothing_from_its_cd_on(home: Home) -> None:
    with in_a_project(home, "never_run = true") as person:
        person.say("?what is here")
        person.at_prompt(3)
        assert "ls -d kept" in person.text
        assert "[r]un" not in person.text
        assert "\nkept\n" not in person.text


def test_a_project_where_typed_lines_are_read_asks_from_its_cd_on(home: Home) -> None:
    with in_a_project(home, "read_typed = true") as person:
        person.say("rm kept")
        person.wait_for("Run it? [y/N]")
        person.type("n")
        person.at_prompt(3)
        assert (home.path / "careful" / "kept").exists()
