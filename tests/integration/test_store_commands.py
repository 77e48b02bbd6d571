"""`aish memory` and `aish sessions`, run as a script runs them."""

from __future__ import annotations

import json
import os
from typing import Any

import pytest

from aish.core.messages import ExecResult, Turn
from aish.core.user import Nobody
from aish.store.jsonl import Writer
from aish.store.session_log import About
from aish.store.sessions import Sessions
from support.home import Home
from support.scripted import scripted_server, stream


def memory(home: Home, *words: str) -> Any:
    done = home.run("memory", *words, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def earlier(home: Home, question: str = "why is the sky blue", name: str = "") -> str:
    """A session of the day before."""
    sessions = Sessions(home.data / "sessions", clock=lambda: 1_700_000_000.0)
    log = sessions.start(About("0", "fast", "/src"), Nobody())
    log.ran(ExecResult("make", 2, "no rule\n"))
    log.turn(Turn("user", question))
    log.turn(Turn("assistant", "Rayleigh <b>scattering</b>."))
    if name:
        sessions.name(log, name)
    log.close()
    return log.id


def test_memory_is_added_listed_edited_searched_forgotten_and_cleared(home: Home) -> None:
    first = memory(home, "add", "pref", "terse answers")
    assert (first["id"], first["kind"], first["duplicate"]) == (1, "pref", False)
    assert memory(home, "add", "Terse  answers.")["duplicate"] is True
    assert memory(home, "add", "--kind", "context", "--tag", "web", "fact sheets")["id"] == 2
    assert [item["content"] for item in memory(home, "list")] == ["fact sheets", "terse answers"]
    assert [item["id"] for item in memory(home, "search", "WEB")] == [2]
    assert memory(home, "edit", "1", "very terse")["replaces"] == 1
    gone = home.run("memory", "forget", "2", "99", "--json")
    assert gone.returncode == 1
    assert json.loads(gone.stdout) == {"forgotten": [2], "unknown": [99]}
    refused = home.run("memory", "clear")
    assert refused.returncode == 2
    assert "--yes" in refused.stderr
    assert memory(home, "clear", "--yes") == {"forgotten": 1}
    assert memory(home, "list") == []


def test_a_credential_is_never_stored(home: Home) -> None:
    key = "ghp_" + "aB3dE6gH9jK2mN5pQ8sT1vW4xY7zA0bC3dE6"
    done = home.run("memory", "add", f"the deploy key is {key} and lives on the server")
    assert "a secret was left out" in done.stderr
    stored = (home.data / "memory.jsonl").read_text()
    assert key not in stored
    assert "the deploy key is [secret] and lives on the server" in stored


def test_memory_for_people_is_one_line_an_item(home: Home) -> None:
    assert home.run("memory", "add", "one thing").stdout == "remembered as #1\n"
    listed = home.run("memory", "list").stdout
    assert listed.startswith("#1 ")
    assert listed.endswith("(fact) one thing\n")
    assert home.run("memory", "forget", "1").stdout == "forgot #1\n"


@pytest.mark.parametrize(
    "words", [["add", "--kind", "rumour", "x"], ["edit", "9", "x"], ["forget", "x"], ["add", " "]]
)
def test_wrong_use_of_memory_is_exit_code_2(home: Home, words: list[str]) -> None:
    done = home.run("memory", *words)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_a_locked_memory_says_who_has_it_and_can_be_read(home: Home) -> None:
    memory(home, "add", "one")
    holder = Writer(home.data / "memory.jsonl", wait=0)
    try:
        done = home.run("memory", "add", "two")
        assert done.returncode == 8
        assert str(os.getpid()) in done.stderr
        assert [item["content"] for item in memory(home, "list")] == ["one"]
    finally:
        holder.close()


def test_a_path_in_the_config_is_where_memory_lies(home: Home) -> None:
    home.configure('[memory]\npath = "~/kept/notes.jsonl"\n')
    memory(home, "add", "one")
    assert (home.path / "kept/notes.jsonl").exists()
    home.configure('[memory]\npath = "notes.jsonl"\n')
    assert home.run("memory", "list").returncode == 3


def test_a_question_on_the_command_line_gets_the_memory_too(home: Home) -> None:
    memory(home, "add", "prefers tea")
    with scripted_server(stream("Fine.\n")) as server:
        home.use_server(server.url)
        home.run("hello")
        system = server.chats[-1].json["messages"][0]["content"]
        home.use_server(server.url, more="[memory]\ninject_max_chars = 0\n")
        home.run("hello")
        without = server.chats[-1].json["messages"][0]["content"]
    assert "[background]" in system
    assert "- (fact) prefers tea" in system
    assert "prefers tea" not in without


def test_a_question_in_a_script_leaves_no_session(home: Home) -> None:
    with scripted_server(stream("Fine.\n")) as server:
        home.use_server(server.url)
        home.run("hello")
    assert not (home.data / "sessions").exists()


def test_sessions_are_listed_shown_and_searched(home: Home) -> None:
    reference = earlier(home, name="sky")
    rows = json.loads(home.run("sessions", "list", "--json").stdout)
    assert [(row["id"], row["name"], row["questions"]) for row in rows] == [(reference, "sky", 1)]
    assert "why is the sky blue" in home.run("sessions", "list").stdout
    shown = home.run("sessions", "show", "sky").stdout
    assert "Rayleigh" in shown
    assert "$ make" in shown
    assert json.loads(home.run("sessions", "show", reference, "--json").stdout)["meta"]
    hits = json.loads(home.run("sessions", "search", "rayleigh", "--json").stdout)
    assert [hit["session"] for hit in hits] == [reference]
    missing = home.run("sessions", "search", "zebra")
    assert (missing.returncode, missing.stdout) == (1, "")


def test_the_list_of_sessions_has_no_secret_that_an_older_log_holds(home: Home) -> None:
    earlier(home, "tell me about blue-elephant-77 now", name="sky")
    home.configure("")
    vault = home.config.parent / "vault"
    vault.write_text("team = blue-elephant-77\n")
    vault.chmod(0o600)
    listed = [
        home.run("sessions", "list"),
        home.run("sessions", "list", "--json"),
        home.run(stdin=":sessions\n"),
    ]
    for done in listed:
        assert "tell me about [secret] now" in done.stdout
        assert "elephant" not in done.stdout


def test_a_command_is_logged_without_the_secret_that_its_own_output_names(home: Home) -> None:
    (home.path / "settings").write_text("DB_PASSWORD=moon-fish-tango9\n")
    home.run(stdin="grep moon-fish-tango9 settings\n")
    (log,) = (home.data / "sessions").glob("2*.jsonl")
    ran = json.loads(log.read_text().splitlines()[1])
    assert ran["command"] == "grep [secret] settings"
    assert ran["output"] == "DB_PASSWORD=[secret]\n"


def test_sessions_without_a_question_are_listed_when_asked_for(home: Home) -> None:
    log = Sessions(home.data / "sessions").start(About(), Nobody())
    log.ran(ExecResult("make", 0, ""))
    log.close()
    assert json.loads(home.run("sessions", "list", "--json").stdout) == []
    assert len(json.loads(home.run("sessions", "list", "--all", "--json").stdout)) == 1


def test_an_export_is_right_and_never_replaces_a_file_unasked(home: Home) -> None:
    reference = earlier(home)
    page = home.path / "out.html"
    assert home.run("sessions", "export", reference, "html", str(page)).returncode == 0
    assert "&lt;b&gt;scattering" in page.read_text()
    page.write_text("mine")
    assert home.run("sessions", "export", reference, "html", str(page)).returncode == 2
    assert page.read_text() == "mine"
    assert home.run("sessions", "export", reference, "md", str(page), "--force").returncode == 0
    assert page.read_text().startswith(f"# aish session {reference}")
    document = json.loads(home.run("sessions", "export", reference, "json").stdout)
    assert [record.get("role") for record in document["records"]] == [None, "user", "assistant"]


def test_a_session_that_is_not_there_is_exit_code_2(home: Home) -> None:
    for words in (["show", "x"], ["export", "x"], ["resume", "x"]):
        done = home.run("sessions", *words)
        assert done.returncode == 2
        assert "there is no session 'x'" in done.stderr


def test_a_piped_shell_resumes_a_session(home: Home) -> None:
    reference = earlier(home)
    with scripted_server(stream("Indeed.\n")) as server:
        home.use_server(server.url)
        done = home.run("sessions", "resume", reference, stdin="?go on\n")
        contents = [message["content"] for message in server.chats[-1].json["messages"]]
    assert "Indeed." in done.stdout
    assert contents[1:3] == ["why is the sky blue", "Rayleigh <b>scattering</b>."]


def test_old_logs_are_deleted_when_the_configuration_says_so(home: Home) -> None:
    names = [earlier(home, f"question {number}") for number in range(25)]
    for name in names:
        os.utime(home.data / "sessions" / f"{name}.jsonl", (1, 1))
    home.configure("[sessions]\nkeep_days = 30\n")
    home.run(stdin="echo hello\n")
    left = list((home.data / "sessions").glob("2*.jsonl"))
    assert len(left) == 20


def test_what_is_meant_for_a_project_whose_path_is_secret_is_not_kept(home: Home) -> None:
    vault = home.config.parent / "vault"
    vault.parent.mkdir(parents=True)
    vault.write_text("pw = red-elephant-78\n")
    vault.chmod(0o600)
    folder = home.path / "red-elephant-78"
    folder.mkdir()
    done = home.run("memory", "add", "--here", "deploys on Mondays", cwd=folder)
    assert done.returncode == 2
    assert "the path of this project holds a secret" in done.stderr
    assert not (home.data / "memory.jsonl").exists()
    assert home.run("memory", "add", "deploys on Mondays", cwd=folder).returncode == 0
