from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from aish.core.context.log import ABORTED
from aish.core.errors import Locked, UsageError
from aish.core.messages import ExecResult, ToolCall, Turn, Usage
from aish.core.user import Nobody
from aish.store.export import export
from aish.store.session_log import About, SessionLog
from aish.store.session_search import search
from aish.store.sessions import Sessions

ABOUT = About("0.1", "fast", "/src")


class SteppingClock:
    def __init__(self, now: float = 1.7e9) -> None:
        self.now = now

    def __call__(self) -> float:
        self.now += 1
        return self.now


class Silent(Nobody):
    """Somebody who must not be told anything."""

    def tell(self, text: str) -> None:
        raise AssertionError(text)


@pytest.fixture
def sessions(tmp_path: Path) -> Sessions:
    return Sessions(tmp_path / "sessions", clock=SteppingClock())


def talk(
    sessions: Sessions, question: str, answer: str = "well", *, output: str = ""
) -> SessionLog:
    log = sessions.start(ABOUT, Silent())
    log.turn(Turn("user", output + question, output=len(output)))
    log.turn(Turn("assistant", answer), usage=Usage(10, 5), model="m", finish="stop")
    log.close()
    return log


def test_no_directory_is_no_sessions(sessions: Sessions) -> None:
    assert sessions.summaries() == []
    assert search(sessions, "anything") == []


def test_sessions_are_listed_newest_first_with_what_they_were_about(sessions: Sessions) -> None:
    talk(sessions, "first question")
    log = talk(sessions, "second\n\nquestion", output="[exec output]\n$ ls\nfiles\n\n")
    newest, older = sessions.summaries()
    assert (newest.id, newest.first_question) == (log.id, "second\n\nquestion")
    assert (older.first_question, older.questions) == ("first question", 1)
    assert (older.model, older.directory) == ("fast", "/src")
    assert older.started.startswith("2023-")
    assert len(sessions.summaries(limit=1)) == 1


def test_a_resumed_session_is_as_it_was_and_goes_on(sessions: Sessions) -> None:
    first = talk(sessions, "why?")
    log, session = sessions.resume(first.id, Silent())
    assert session.transcript.turns == (Turn("user", "why?"), Turn("assistant", "well"))
    log.turn(Turn("user", "and now?"))
    log.turn(Turn("assistant", "then"))
    log.close()
    assert len(sessions.read(first.id).transcript.turns) == 4
    assert len(list(sessions.directory.iterdir())) == 1


def test_interrupted_calls_are_closed_in_the_log_once(sessions: Sessions) -> None:
    log = sessions.start(ABOUT, Silent())
    log.turn(Turn("user", "look"))
    log.turn(Turn("assistant", "", (ToolCall("7", "ls", "{}"),)))
    log.close()
    for _ in range(2):
        resumed, session = sessions.resume(log.id, Silent())
        resumed.close()
    turns = session.transcript.turns
    assert [turn.role for turn in turns] == ["user", "assistant", "tool"]
    assert (turns[2].content, turns[2].tool_call_id) == (ABORTED, "7")
    assert session.transcript.aborted == ()


def test_a_session_open_elsewhere_is_refused_by_name_of_its_holder(sessions: Sessions) -> None:
    log = sessions.start(ABOUT, Silent())
    log.turn(Turn("user", "mine"))
    with pytest.raises(Locked, match=f"process {os.getpid()}") as caught:
        sessions.resume(log.id, Silent())
    assert f"the session {log.id} is open elsewhere" in caught.value.message
    assert f"`aish sessions show {log.id}` reads it" in caught.value.hint
    assert len(sessions.read(log.id).records) == 1
    log.close()
    sessions.resume(log.id, Silent())[0].close()


def test_a_session_is_found_by_name_id_or_the_beginning_of_its_id(sessions: Sessions) -> None:
    log = talk(sessions, "why?")
    talk(sessions, "other")
    sessions.name(log, "my work")
    log.close()
    for reference in ("my work", log.id, log.id[:-2]):
        assert sessions.find(reference) == log.path
    with pytest.raises(UsageError, match="no session"):
        sessions.find("nothing")
    with pytest.raises(UsageError, match="2 sessions begin"):
        sessions.find("20")
    assert sessions.summaries()[1].name == "my work"


@pytest.mark.parametrize("name", ["", "../up", "a/b", ".hidden", "-x", "a\nb", "x" * 81, "names\0"])
def test_a_name_that_could_be_a_path_or_an_option_is_refused(sessions: Sessions, name: str) -> None:
    log = talk(sessions, "why?")
    with pytest.raises(UsageError, match="cannot be a session's name"):
        sessions.name(log, name)


def test_a_name_belongs_to_one_session(sessions: Sessions) -> None:
    one, two = talk(sessions, "1"), talk(sessions, "2")
    sessions.name(one, "work")
    one.close()
    with pytest.raises(UsageError, match="belongs to"):
        sessions.name(two, "work")
    sessions.delete(one.id)
    sessions.name(two, "work")
    assert sessions.find("work") == two.path


def test_a_fork_begins_with_the_same_and_goes_its_own_way(sessions: Sessions) -> None:
    first = talk(sessions, "why?")
    fork = sessions.fork(first.id, ABOUT, Silent())
    fork.turn(Turn("user", "else?"))
    fork.turn(Turn("assistant", "hm"))
    fork.close()
    assert len(sessions.read(first.id).transcript.turns) == 2
    forked = sessions.read(fork.id)
    assert forked.meta["forked_from"] == first.id
    assert len(forked.transcript.turns) == 4


def test_search_finds_words_in_one_record_whatever_their_case(sessions: Sessions) -> None:
    old = talk(sessions, "How do I rotate the NGINX logs?", "use logrotate, see /etc")
    log = sessions.start(ABOUT, Silent())
    log.ran(ExecResult("grep -c ERROR app.log", 0, 'line "one"\nline two\n'))
    log.turn(Turn("user", "Größe prüfen, ПРИВЕТ"))
    log.close()
    assert [hit.session for hit in search(sessions, "nginx ROTATE")] == [old.id]
    assert search(sessions, "nginx logrotate") == []  # in two different turns
    assert search(sessions, "role") == []  # the format is not the text
    assert search(sessions, '"one"')[0].what == "ran"
    assert search(sessions, "GRÖSSE") == []
    assert [hit.session for hit in search(sessions, "größe привет")] == [log.id]
    assert "How do I rotate the NGINX logs?" in search(sessions, "rotate")[0].excerpt
    assert search(sessions, "  ") == []


def test_old_sessions_go_but_not_named_open_or_the_newest(sessions: Sessions) -> None:
    logs = [talk(sessions, f"question {number}") for number in range(30)]
    for log in logs:
        os.utime(log.path, (1e9, 1e9))
    sessions.name(logs[0], "keep")
    logs[0].close()
    os.utime(logs[0].path, (1e9, 1e9))
    held, _ = sessions.resume(logs[1].id, Silent())
    assert sessions.prune(30) == 8
    held.close()
    assert len(sessions.summaries()) == 22


def test_a_damaged_session_still_loads_and_says_so(sessions: Sessions) -> None:
    log = talk(sessions, "why?")
    with log.path.open("ab") as file:
        file.write(b'{"role":"user","cont')
    session = sessions.read(log.id)
    assert len(session.transcript.turns) == 2
    assert "1 damaged line" in session.damage


def test_a_session_of_plain_turns_from_elsewhere_can_be_resumed(sessions: Sessions) -> None:
    sessions.directory.mkdir()
    path = sessions.directory / "mine.jsonl"
    path.write_text('{"meta":{"model":"x"}}\n{"role":"user","content":"a"}\n'
                    '{"role":"assistant","content":"b"}\n')  # fmt: skip
    assert len(sessions.read("mine").transcript.turns) == 2


def test_two_sessions_of_one_second_are_two(tmp_path: Path) -> None:
    sessions = Sessions(tmp_path, clock=lambda: 1.7e9)
    assert len({sessions.start(ABOUT, Silent()).id for _ in range(100)}) == 100


EVIL = '<script>alert("x")</script>\x1b[31mred\x1b[0m\n```\nfence'


def test_an_html_export_is_inert(sessions: Sessions) -> None:
    log = talk(sessions, EVIL, EVIL)
    text = export(sessions.read(log.id), "html")
    assert "<script" not in text
    assert "&lt;script&gt;" in text
    assert "\x1b" not in text
    assert text.startswith("<!doctype html>")


def test_a_markdown_export_keeps_output_within_its_fence(sessions: Sessions) -> None:
    log = sessions.start(ABOUT, Silent())
    log.ran(ExecResult("cat x.md", 1, "````\n# not a heading\n````\x07"))
    log.close()
    text = export(sessions.read(log.id), "md")
    assert "`````\n$ cat x.md\n````\n# not a heading\n````\n`````" in text
    assert "exit status 1" in text
    assert "\x07" not in text


def test_a_json_export_holds_everything(sessions: Sessions) -> None:
    log = talk(sessions, "caf\udce9")
    document = json.loads(export(sessions.read(log.id), "json"))
    assert document["meta"]["model"] == "fast"
    assert [record["role"] for record in document["records"]] == ["user", "assistant"]
    with pytest.raises(UsageError, match="no export format"):
        export(sessions.read(log.id), "pdf")


def test_a_pipe_among_the_sessions_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "20260101-000000-aaaaaa.jsonl")
    assert search(Sessions(tmp_path), "words") == []
