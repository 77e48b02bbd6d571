"""The context as a person sees it: how full it is, making room, taking back, asking again."""

from __future__ import annotations

import re

import pytest

from support.embedded import server, wait_for
from support.home import Home
from support.scripted import (
    STREAM_HEADERS,
    Step,
    event,
    finish_event,
    plain,
    scripted_server,
    stream,
    text_event,
)
from support.terminal import TerminalProgram

PROMPT = re.compile(r"❯ *$", re.MULTILINE)
SLOW = 180  # seconds; a real model reads a thousand tokens on a busy machine
PARTS = ("system", "memory", "project", "summary", "conversation", "tools", "reserve", "free")


def unmeasured(text: str) -> list[Step]:
    """An answer of a server that does not say how much it read."""
    return [STREAM_HEADERS, text_event(text), finish_event(), event("[DONE]")]


def long_answers(count: int) -> list[list[Step]]:
    """Each takes about a third of the scripted server's window, and ends in its own number."""
    return [unmeasured("An answer. " * 400 + f"end {number}.\n") for number in range(count)]


def ask(terminal: TerminalProgram, question: str, answer: str) -> None:
    terminal.enter(question)
    terminal.wait_for(answer)
    terminal.wait_for(PROMPT)


def errors(terminal: TerminalProgram) -> list[str]:
    """What aish complained about since its greeting."""
    lines = terminal.scrollback.splitlines()
    return [line for line in lines if line.startswith("aish: ") and ":help" not in line]


def do(terminal: TerminalProgram, line: str, *shown: str) -> None:
    """Enter a line, wait for what it shows and for the next prompt."""
    terminal.enter(line)
    for text in shown:
        terminal.wait_for(text)
    terminal.wait_for(PROMPT)


@pytest.mark.parametrize("columns", [20, 80, 200])
@pytest.mark.parametrize("colours", [True, False])
def test_the_window_is_drawn_within_the_screen(home: Home, columns: int, colours: bool) -> None:
    if not colours:
        home.env["NO_COLOR"] = "1"
    with scripted_server(stream("Hello.\n")) as server:
        home.use_server(server.url)
        with home.shell(rows=30, columns=columns) as terminal:
            terminal.wait_for("❯")
            ask(terminal, "?hi", "Hello.")
            do(terminal, ":context", "free", "estimated")
            shown = terminal.scrollback[terminal.scrollback.index("fast: ") :]
            assert all(part in shown for part in PARTS)
            assert "4,096" in shown
            if colours:
                assert "▒" in shown
            else:
                assert re.search(r"^S+P+C+r+\.+$", shown, re.MULTILINE)
                assert not re.search(rb"\x1b\[[0-9;]*3[0-7]m", bytes(terminal.raw))
            bar = next(line for line in shown.splitlines() if re.match(r"[█S]{1,}.*[░.]$", line))
            assert len(bar) <= min(columns - 1, 100)


def test_undo_drops_the_last_exchange(home: Home) -> None:
    with scripted_server(stream("One.\n"), stream("Two.\n"), stream("Three.\n")) as server:
        home.use_server(server.url)
        with home.shell() as terminal:
            terminal.wait_for("❯")
            do(terminal, ":undo", "the conversation is empty")
            ask(terminal, "?first", "One.")
            ask(terminal, "?second", "Two.")
            do(terminal, ":undo", "the last exchange is dropped")
            ask(terminal, "?third", "Three.")
        contents = [message["content"] for message in server.chats[-1].json["messages"][1:]]
    assert contents == ["first", "One.\n", "third"]


def test_retry_takes_the_exchange_back_and_asks_again(home: Home) -> None:
    with scripted_server(stream("One.\n"), stream("Two.\n")) as server:
        home.use_server(server.url)
        with home.shell() as terminal:
            terminal.wait_for("❯")
            do(terminal, ":retry", "there is no question to ask again")
            do(terminal, "echo some output", "\nsome output")
            ask(terminal, "?what is it", "One.")
            ask(terminal, ":retry", "Two.")
        first, second = (chat.json["messages"] for chat in server.chats)
    assert first == second
    assert "some output" in first[-1]["content"]


def test_retry_after_an_undo_shows_the_output_again_and_a_mention_once(home: Home) -> None:
    (home.path / "notes.txt").write_text("buy tea\n")
    with scripted_server(*(stream(f"{word}.\n") for word in ("One", "Two", "Three"))) as server:
        home.use_server(server.url)
        with home.shell() as terminal:
            terminal.wait_for("❯")
            do(terminal, "echo some output", "\nsome output")
            ask(terminal, "?what is @notes.txt", "One.")
            ask(terminal, "?and then", "Two.")
            do(terminal, ":undo", "the last exchange is dropped")
            ask(terminal, ":retry", "Three.")
        first, _, third = (chat.json["messages"] for chat in server.chats)
    assert first == third
    assert "some output" in first[-1]["content"]
    assert first[-1]["content"].count("buy tea") == 1


def test_retry_in_a_resumed_session_shows_the_output_again(home: Home) -> None:
    with scripted_server(stream("One.\n"), stream("Two.\n")) as server:
        home.use_server(server.url)
        with home.shell() as terminal:
            terminal.wait_for("❯")
            do(terminal, "echo some output", "\nsome output")
            ask(terminal, "?what is it", "One.")
            do(terminal, ":save it")
            terminal.enter(":quit")
            terminal.wait_exit()
        with home.shell("sessions", "resume", "it") as terminal:
            terminal.wait_for("❯")
            ask(terminal, ":retry", "Two.")
        again = server.chats[-1].json["messages"][1:]
    assert [message["role"] for message in again] == ["user"]
    assert again[0]["content"].startswith("[exec output]\n$ echo some output\nsome output\n\n")
    assert again[0]["content"].endswith("\n\nwhat is it")


def test_retry_after_a_failure_asks_what_failed(home: Home) -> None:
    failure = plain(400, {"error": {"message": "not today"}})
    with scripted_server(stream("One.\n"), failure, stream("Two.\n")) as server:
        home.use_server(server.url)
        with home.shell() as terminal:
            terminal.wait_for("❯")
            ask(terminal, "?first", "One.")
            ask(terminal, "?second", "not today")
            ask(terminal, ":retry", "Two.")
        contents = [message["content"] for message in server.chats[-1].json["messages"][1:]]
    assert contents == ["first", "One.\n", "second"]


def test_compacting_says_what_it_left_out(home: Home) -> None:
    answers = [unmeasured("An answer. " * 30 + f"end {number}.\n") for number in range(7)]
    with scripted_server(*answers) as server:
        home.use_server(server.url)
        with home.shell(rows=50) as terminal:
            terminal.wait_for("❯")
            do(terminal, ":compact", "there is nothing to leave out")
            for number in range(6):
                ask(terminal, f"?question number {number}", f"end {number}.")
            do(terminal, ":compact", "old turns left the context")
            ask(terminal, "?and now", "end 6.")
            system, *rest = server.chats[-1].json["messages"]
    assert len(rest) < 13
    assert "question number 0" in system["content"]


def test_rolling_context_is_switched_and_told(home: Home) -> None:
    with scripted_server(*long_answers(3), unmeasured("Room again.\n")) as server:
        home.use_server(server.url)
        with home.shell(rows=50) as terminal:
            terminal.wait_for("❯")
            do(terminal, ":rolling-context", "rolling context: on")
            do(terminal, ":rolling-context off", "rolling context: off")
            for number in range(3):
                ask(terminal, f"?question {number}", f"end {number}.")
            ask(terminal, "?too much", "this request needs about")
            do(terminal, ":rolling-context sideways", "is not on, off or status")
            do(terminal, ":rolling-context on", "last 3 requests: 0 trimmed")
            ask(terminal, ":retry", "Room again.")
            assert "left the context" in terminal.scrollback
            do(terminal, ":rolling-context status", "last 4 requests: 1 trimmed")
        assert len(server.chats) == 4


def test_tokens_of_a_text_and_of_the_conversation(home: Home) -> None:
    with scripted_server(stream("Hello.\n")) as server:
        server.answer("/tokenize", plain(200, {"tokens": [1, 2]}))
        home.use_server(server.url)
        with home.shell() as terminal:
            terminal.wait_for("❯")
            do(terminal, ":tokens some words", "2 tokens (server: tokenize)")
            ask(terminal, "?hi", "Hello.")
            do(terminal, ":tokens", "of 4,096 tokens (")


def test_the_prompt_shows_how_full_the_window_is(home: Home) -> None:
    with scripted_server(stream("Hello.\n")) as server:
        home.use_server(server.url, more='ui = {prompt = "{ctx_used}/{ctx_max} {ctx_percent} ❯ "}')
        with home.shell() as terminal:
            terminal.wait_for(re.compile(r"\d+/\? \? ❯"))
            ask(terminal, "?hi", "Hello.")
            terminal.wait_for(re.compile(r"\d+/4096 \d% ❯"))


def test_a_cut_output_is_kept_whole_in_a_file_the_model_is_told_of(home: Home) -> None:
    with scripted_server(stream("Long.\n")) as server:
        home.use_server(server.url)
        with home.shell() as terminal:
            terminal.wait_for("❯")
            do(terminal, " seq 8001 9999", "9999")
            assert not (home.cache / "output").exists()
            do(terminal, "seq 1001 2999", "2999")
            ask(terminal, "?what is it", "Long.")
        content = server.chats[-1].json["messages"][-1]["content"]
    place = re.search(r"the whole output is in ~/(\S+)]", content)
    assert place is not None
    kept = home.path / place[1]
    assert kept.stat().st_mode & 0o077 == 0
    assert "\n2000\n" in kept.read_text()
    assert "\n2000\n" not in content
    assert "9999" not in content


def test_a_long_conversation_in_a_small_window_of_a_real_model(home: Home) -> None:
    prompt = 'ui = {prompt = "{ctx_percent} ❯ "}'
    with server(n_ctx=1024) as endpoint:
        home.env["MODEL_KEY"] = endpoint.api_key
        home.configure(
            f'model = "small"\n{prompt}\n[models.small]\nendpoint = "{endpoint.base_url}"\n'
            f'model = "{endpoint.model}"\nreserve = 24\napi_key_env = "MODEL_KEY"\n'
        )
        with home.shell(rows=50) as terminal:
            terminal.wait_for("❯")
            for number in range(4):
                do(terminal, f"seq -s ' ' {number}00 {number}99", f"{number}99")
                terminal.enter(f"?what is {number}")
                terminal.wait_for(re.compile(rf"(?m)❯ \?what is {number}\n(.|\n)*% ❯ *$"), SLOW)
            terminal.wait_for("old turns left the context")
            do(terminal, ":context", "of 1,024 tokens", "reported by the server")
            do(terminal, ":tokens", "counted by the server")
            assert errors(terminal) == []


def test_another_model_writes_the_notes_on_what_leaves(home: Home) -> None:
    notes = unmeasured("After question 0 and question 1 the user wants to count sheep.")
    with scripted_server(*long_answers(6)) as server, scripted_server(notes) as writer:
        home.configure(
            f'model = "fast"\n[models.fast]\nendpoint = "{server.url}"\n'
            f'[models.writer]\nendpoint = "{writer.url}"\n'
            '[context]\nsummarize_on_evict = true\nsummarizer_model = "writer"\n'
        )
        with home.shell(rows=50) as terminal:
            terminal.wait_for("❯")
            for number in range(4):
                ask(terminal, f"?question {number}", f"end {number}.")
            assert "old turns left the context" in terminal.scrollback
            wait_for(lambda: bool(writer.chats))
            for number in range(4, 6):  # they were written meanwhile, for the next prompt
                ask(terminal, f"?question {number}", f"end {number}.")
        assert "count sheep" in server.chats[-1].json["messages"][0]["content"]
        assert "question 0" in writer.chats[0].json["messages"][-1]["content"]


def test_notes_that_fail_leave_the_question_alone(home: Home) -> None:
    with scripted_server(*long_answers(4)) as server:
        home.configure(
            f'model = "fast"\n[models.fast]\nendpoint = "{server.url}"\n'
            '[models.writer]\nendpoint = "http://127.0.0.1:9"\nwindow = 4096\n'
            '[context]\nsummarize_on_evict = true\nsummarizer_model = "writer"\n'
        )
        with home.shell(rows=50) as terminal:
            terminal.wait_for("❯")
            for number in range(4):
                ask(terminal, f"?question {number}", f"end {number}.")
            assert "old turns left the context" in terminal.scrollback
            assert errors(terminal) == []
        assert "question 0" in server.chats[-1].json["messages"][0]["content"]


def test_what_was_compacted_and_undone_is_in_the_session_log(home: Home) -> None:
    answers = [unmeasured("An answer. " * 30 + f"end {number}.\n") for number in range(7)]
    with scripted_server(*answers) as server:
        home.use_server(server.url)
        with home.shell(rows=50) as terminal:
            terminal.wait_for("❯")
            for number in range(6):
                ask(terminal, f"?question number {number}", f"end {number}.")
            do(terminal, ":compact", "old turns left the context")
            do(terminal, ":undo", "the last exchange is dropped")
    logs = [path.read_text() for path in home.data.rglob("*.jsonl")]
    assert any('"cut"' in log and '"undo"' in log for log in logs)


def test_a_window_of_1024_takes_a_question_though_nobody_set_a_reserve(home: Home) -> None:
    with scripted_server(stream("Hello.\n")) as server:
        home.configure(f'model = "fast"\n[models.fast]\nendpoint = "{server.url}"\nwindow = 1024\n')
        with home.shell() as terminal:
            terminal.wait_for("❯")
            ask(terminal, "?hi", "Hello.")
        sent = server.chats[-1].json
    assert sent["max_tokens"] <= 256


def test_a_window_learned_from_a_refusal_is_used_and_shown_at_the_next_start(home: Home) -> None:
    sentence = "maximum context length is 2048 tokens. Your messages resulted in 3000 tokens."
    refusal = plain(400, {"error": {"code": "context_length_exceeded", "message": sentence}})
    with scripted_server(refusal, stream("One.\n"), stream("Two.\n")) as server:
        home.use_server(server.url)
        read = home.run("ask", "what is it", stdin="some words of a log\n" * 400)
        assert read.stdout == "One.\n", read.stderr
        with home.shell(columns=120) as terminal:
            terminal.wait_for("❯")
            do(terminal, ":models", "2,048 tokens (as it said when it refused more)")
            do(terminal, ":context", "of 2,048 tokens", "refused a request")
            ask(terminal, "?hi", "Two.")
    first, *_, last = (chat.json["max_tokens"] for chat in server.chats)
    assert (first, last) == (1024, 512), "a quarter of the window each"
