"""The terminal driver of the tests itself: what it draws is what a terminal would."""

from __future__ import annotations

import re

from support.terminal import TerminalProgram


def test_what_is_typed_is_drawn_and_the_exit_status_is_known() -> None:
    with TerminalProgram(["/bin/sh", "-c", "read a; echo got $a; exit 7"]) as terminal:
        terminal.enter("hello")
        terminal.wait_for("got hello")
        assert terminal.wait_exit() == 7


def test_the_program_learns_a_new_window_size() -> None:
    script = "trap 'stty size' WINCH; echo up; while :; do read -r x; done"
    with TerminalProgram(["bash", "-c", script], rows=24, columns=80) as terminal:
        terminal.wait_for("up")
        terminal.resize(30, 100)
        terminal.press("enter")
        terminal.wait_for("30 100")


def test_the_alternate_screen_leaves_the_first_one_as_it_was() -> None:
    script = r"printf 'before\n'; tput smcup; printf inside; read x; tput rmcup; printf after"
    with TerminalProgram(["bash", "-c", script]) as terminal:
        terminal.wait_for(lambda t: t.screen.alternate and "inside" in t.text)
        assert "before" not in terminal.text
        terminal.press("enter")
        terminal.wait_for(re.compile("before\n.*after", re.DOTALL))
        assert not terminal.screen.alternate


def test_a_question_for_the_cursor_position_is_answered() -> None:
    script = r"stty -echo; printf 'abc\033[6n'; IFS= read -r -d R answer; echo; echo ${answer#?}"
    with TerminalProgram(["bash", "-c", script]) as terminal:
        terminal.wait_for("[1;4")


def test_sequences_that_the_screen_does_not_know_are_not_drawn() -> None:
    script = r"printf 'a\033[>4;2mb\033P+q436f\033\\c\033[>c\033[?12$p'; echo end"
    with TerminalProgram(["bash", "-c", script]) as terminal:
        terminal.wait_for("abcend")


def test_the_settings_read_as_stty_says_them() -> None:
    with TerminalProgram(["bash", "-c", "stty -g; read x; stty -echo; echo off; read x"]) as t:
        t.wait_for(":")
        assert t.lines[0] + t.lines[1] + t.lines[2] == t.settings()
        t.press("enter")
        t.wait_for("off")
        assert t.lines[0] + t.lines[1] + t.lines[2] != t.settings()
