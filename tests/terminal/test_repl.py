"""The shell as a person sees it: a real aish in a terminal."""

from __future__ import annotations

import os
import re
import signal

import pytest

from support.home import AISH, Home
from support.scripted import STREAM_HEADERS, Step, end_events, scripted_server, stream, text_event
from support.terminal import TerminalProgram

PROMPT = re.compile(r"❯ *$", re.MULTILINE)
SIZES = [(24, 80), (50, 200), (10, 20)]


@pytest.mark.parametrize(("rows", "columns"), SIZES)
def test_a_question_streams_and_a_proposed_command_runs(
    home: Home, rows: int, columns: int
) -> None:
    answer = stream("To see it, **run**:\n", "\nCMD: echo made$((40+2))it\n")
    with scripted_server(answer) as server:
        home.use_server(server.url)
        with home.shell(rows=rows, columns=columns) as terminal:
            terminal.wait_for("❯")
            terminal.enter("?how do I")
            terminal.wait_for("[r]un")
            assert "**" not in terminal.scrollback
            terminal.type("r")
            terminal.wait_for("made42it")
            terminal.wait_for(PROMPT)
            terminal.enter(":quit")
            assert terminal.wait_exit() == 0


def test_a_skipped_command_does_not_run(home: Home) -> None:
    with scripted_server(stream("CMD: touch made-it\n")) as server:
        home.use_server(server.url)
        with home.shell() as terminal:
            terminal.wait_for("❯")
            terminal.enter("?do it")
            terminal.wait_for("[r]un")
            terminal.type("s")
            terminal.wait_for(PROMPT)
    assert not (home.path / "made-it").exists()


def test_edit_puts_the_command_into_the_input_line(home: Home) -> None:
    with scripted_server(stream("CMD: echo one\n")) as server:
        home.use_server(server.url)
        with home.shell() as terminal:
            terminal.wait_for("❯")
            terminal.enter("?do it")
            terminal.wait_for("[r]un")
            terminal.type("e")
            terminal.wait_for(re.compile(r"❯ echo one"))
            terminal.type("-and-two")
            terminal.wait_for(re.compile(r"❯ echo one-and-two"))
            terminal.settle(0.6)  # a moment to read it
            terminal.type("\r")
            terminal.wait_for("\none-and-two")


def test_ctrl_c_stops_an_answer_and_keeps_what_arrived(home: Home) -> None:
    slow: list[Step] = [STREAM_HEADERS, text_event("First part. "), 60.0, end_events()]
    with scripted_server(slow, stream("Second.\n")) as server:
        home.use_server(server.url)
        with home.shell() as terminal:
            terminal.wait_for("❯")
            terminal.enter("?tell me")
            terminal.wait_for("First part.")
            terminal.press("ctrl-c")
            terminal.wait_for("what had arrived is kept")
            terminal.wait_for(PROMPT)
            terminal.enter("?go on")
            terminal.wait_for("Second.")
        roles = [message["role"] for message in server.chats[1].json["messages"]]
        assert roles == ["system", "user", "assistant", "user"]
        assert server.chats[1].json["messages"][2]["content"] == "First part. "


def test_ctrl_c_before_the_first_word_takes_the_question_back(home: Home) -> None:
    with scripted_server([60.0], stream("Fine.\n")) as server:
        home.use_server(server.url)
        with home.shell() as terminal:
            terminal.wait_for("❯")
            terminal.enter("?never answered")
            terminal.wait_for("thinking")
            terminal.wait_for(lambda _: bool(server.chats))
            terminal.press("ctrl-c")
            terminal.wait_for("taken back")
            terminal.enter("?again")
            terminal.wait_for("Fine.")
        contents = [message["content"] for message in server.chats[1].json["messages"]]
        assert "never answered" not in contents


def test_ctrl_c_is_heard_where_whoever_started_aish_was_deaf_to_it(home: Home) -> None:
    deaf = ["sh", "-c", 'trap "" INT QUIT; exec "$@"', "sh", *AISH]
    with scripted_server([60.0]) as server:
        home.use_server(server.url)
        with TerminalProgram(deaf, env=home.env, cwd=home.path) as terminal:
            terminal.wait_for("❯")
            terminal.enter("?never answered")
            terminal.wait_for(lambda _: bool(server.chats))
            terminal.press("ctrl-c")
            terminal.wait_for("taken back")
            terminal.enter("sleep 100")
            terminal.wait_for("❯ sleep 100")
            terminal.press("ctrl-c")
            terminal.enter("echo st\\ill")
            terminal.wait_for("\nstill")


def test_ctrl_c_at_the_prompt_drops_the_line_and_ctrl_d_leaves(home: Home) -> None:
    with home.shell() as terminal:
        terminal.wait_for("❯")
        terminal.type("echo never")
        terminal.wait_for("echo never")
        terminal.press("ctrl-c")
        terminal.enter("echo al\\ways")
        terminal.wait_for("\nalways")
        terminal.wait_for(PROMPT)
        terminal.press("ctrl-d")
        assert terminal.wait_exit() == 0
        assert "\nnever" not in terminal.scrollback


def test_the_mark_shows_what_the_line_is_while_it_is_typed(home: Home) -> None:
    with home.shell() as terminal:
        terminal.wait_for("❯")
        terminal.type("why is the sky blue")
        terminal.wait_for("? why is the sky blue")
        terminal.press("ctrl-u")
        terminal.type("ls -l")
        terminal.wait_for("❯ ls -l")
        terminal.press("ctrl-u")
        terminal.type(":help")
        terminal.wait_for(": :help")


def test_ctrl_u_takes_all_rows_of_a_line_and_ctrl_y_brings_them_back(home: Home) -> None:
    with home.shell() as terminal:
        terminal.wait_for("❯")
        terminal.enter("for i in 1 2; do")
        terminal.wait_for("…")
        terminal.type("echo $i")
        terminal.wait_for("… echo $i")
        terminal.press("ctrl-u")
        terminal.wait_for(lambda t: "for i" not in t.text)
        terminal.press("ctrl-y")
        terminal.wait_for("… echo $i")


def test_one_key_flips_what_the_line_is(home: Home) -> None:
    with scripted_server(stream("You said it.\n")) as server:
        home.use_server(server.url)
        with home.shell() as terminal:
            terminal.wait_for("❯")
            terminal.type("ls -l")
            terminal.wait_for("❯ ls -l")
            terminal.press("ctrl-t")
            terminal.wait_for("? ls -l")
            terminal.press("enter")
            terminal.wait_for("You said it.")


def test_tab_completes_meta_commands_and_models(home: Home) -> None:
    with scripted_server() as server:
        home.use_server(server.url, name="frobnicate")
        with home.shell() as terminal:
            terminal.wait_for("❯")
            terminal.type(":hist\t")
            terminal.wait_for(":history")
            terminal.press("ctrl-u")
            terminal.type(":model fro\t")
            terminal.wait_for(":model frobnicate")


def test_history_outlives_the_session_and_private_lines_do_not(home: Home) -> None:
    with home.shell() as terminal:
        terminal.wait_for("❯")
        terminal.enter("echo remembered")
        terminal.wait_for("\nremembered")
        terminal.wait_for(PROMPT)
        terminal.enter(" echo hidden")
        terminal.wait_for(" echo hidden\nhidden")
        terminal.wait_for(PROMPT)
        terminal.press("ctrl-d")
        terminal.wait_exit()
    with home.shell() as terminal:
        terminal.wait_for("❯")
        terminal.press("up")
        terminal.wait_for("❯ echo remembered")
    stored = (home.data / "history.jsonl").read_text()
    assert "hidden" not in stored
    assert (home.data / "history.jsonl").stat().st_mode & 0o077 == 0


def test_a_wrong_meta_command_is_one_line_with_a_hint(home: Home) -> None:
    with home.shell() as terminal:
        terminal.wait_for("❯")
        terminal.enter(":hepl")
        terminal.wait_for("did you mean :help?")
        terminal.wait_for(PROMPT)


@pytest.mark.parametrize("columns", [80, 20])
def test_help_lists_every_command(home: Home, columns: int) -> None:
    with home.shell(rows=60, columns=columns) as terminal:
        terminal.wait_for("❯")
        terminal.enter(":help")
        terminal.wait_for("Ctrl-D leaves" if columns > 20 else "leaves")
        for name in (":quit", ":clear", ":reset", ":model", ":models", ":history", ":exec", ":ask"):
            assert name in terminal.scrollback


def test_no_model_at_all_is_still_a_shell(home: Home) -> None:
    with home.shell() as terminal:
        terminal.wait_for("❯")
        terminal.enter("?anybody there")
        terminal.wait_for("aish local install")
        terminal.enter("echo still a sh\\ell")
        terminal.wait_for("\nstill a shell")


def test_a_dead_server_is_said_and_the_shell_goes_on(home: Home) -> None:
    home.use_server("http://127.0.0.1:9")
    with home.shell() as terminal:
        terminal.wait_for("❯")
        terminal.enter("?anybody there")
        terminal.wait_for("connection refused")
        terminal.enter("echo still a sh\\ell")
        terminal.wait_for("\nstill a shell")


def test_a_broken_config_is_said_and_the_shell_goes_on(home: Home) -> None:
    home.configure("[ui]\nprmpt = 'x'\n")
    with home.shell() as terminal:
        terminal.wait_for("did you mean prompt?")
        terminal.wait_for(PROMPT)
        terminal.enter("echo still a sh\\ell")
        terminal.wait_for("\nstill a shell")


def test_a_read_only_home_is_still_a_shell(home: Home) -> None:
    home.env["HOME"] = "/proc/nowhere"
    with home.shell() as terminal:
        terminal.wait_for("❯")
        terminal.enter("echo still a sh\\ell")
        terminal.wait_for("\nstill a shell")


def test_a_dumb_terminal_works_without_a_single_escape(home: Home) -> None:
    home.env["TERM"] = "dumb"
    with scripted_server(stream("**plain**\n")) as server:
        home.use_server(server.url)
        with home.shell() as terminal:
            terminal.wait_for("❯")
            terminal.enter("?hello")
            terminal.wait_for("**plain**")
            assert b"\x1b[3" not in terminal.raw


def test_no_color_is_respected(home: Home) -> None:
    home.env["NO_COLOR"] = "1"
    with scripted_server(stream("**plain** text\n")) as server:
        home.use_server(server.url)
        with home.shell() as terminal:
            terminal.wait_for("❯")
            terminal.enter("?hello")
            terminal.wait_for("**plain** text")
            assert not re.search(rb"\x1b\[[0-9;]*3[0-7]m", bytes(terminal.raw))


def test_keys_typed_while_aish_starts_are_not_lost(home: Home) -> None:
    with home.shell() as terminal:  # the first start has no instant prompt yet
        terminal.type("echo typed-ea\\rly\r")
        terminal.wait_for("\ntyped-early")
        terminal.wait_for(PROMPT)
        terminal.press("ctrl-d")
        terminal.wait_exit()
    with home.shell() as terminal:
        terminal.wait_for("❯")
        terminal.type("echo typed-at-fi\\rst-paint\r")
        terminal.wait_for("\ntyped-at-first-paint")


def test_text_typed_before_the_question_cannot_approve_a_command(home: Home) -> None:
    slow: list[Step] = [STREAM_HEADERS, text_event("CMD: touch made-it\n"), 1.0, end_events()]
    with scripted_server(slow) as server:
        home.use_server(server.url)
        with home.shell() as terminal:
            terminal.wait_for("❯")
            terminal.enter("?do it")
            terminal.wait_for("touch made-it")
            terminal.type("rar")
            terminal.wait_for("[r]un")
            terminal.type("s")
            terminal.wait_for(re.compile(r"❯ .*rar|\? .*rar"))
    assert not (home.path / "made-it").exists()


def test_the_terminal_is_as_before_after_aish_ends_or_dies(home: Home) -> None:
    with home.shell() as terminal:
        before = terminal.settings()
        terminal.wait_for("❯")
        terminal.press("ctrl-d")
        terminal.wait_exit()
        assert terminal.settings() == before
    with home.shell() as terminal:
        terminal.wait_for("❯")
        terminal.settle()
        os.kill(terminal.process.pid, signal.SIGTERM)
        terminal.wait_exit()
        assert terminal.settings() == before
