"""One key decides, and whatever is not a clear yes is a no."""

from __future__ import annotations

import base64
import io
import os
import pty
import threading
from collections.abc import Iterator

import pytest

from aish.core.actions import ProposedCommand
from aish.session.approval import NeverRun
from aish.ui.confirm import KeyApprover
from aish.ui.screen import Screen

PROPOSAL = ProposedCommand("rm -r build")


@pytest.fixture
def terminal() -> Iterator[tuple[int, int]]:
    master, slave = pty.openpty()
    yield master, slave
    os.close(master)
    os.close(slave)


class KeysAfterTheQuestion(io.StringIO):
    """A screen that presses keys only once the question stands on it."""

    def __init__(self, master: int, keys: bytes) -> None:
        super().__init__()
        self._master = master
        self._keys = keys

    def flush(self) -> None:
        if self._keys and "[r]un" in self.getvalue():
            keys, self._keys = self._keys, b""
            # the approver first takes away what was typed before it asked
            threading.Timer(0.1, os.write, (self._master, keys)).start()


def decide(terminal: tuple[int, int], keys: bytes) -> tuple[str, str]:
    master, slave = terminal
    approver = KeyApprover(Screen(out=KeysAfterTheQuestion(master, keys)), slave)
    decision = approver.approve(PROPOSAL)
    return decision.choice, decision.command


@pytest.mark.parametrize("key", [b"r", b"y"])
def test_yes_runs_exactly_what_was_shown(terminal: tuple[int, int], key: bytes) -> None:
    assert decide(terminal, key) == ("run", "rm -r build")


@pytest.mark.parametrize("key", [b"n", b"s", b"\r"])
def test_no_and_enter_skip(terminal: tuple[int, int], key: bytes) -> None:
    assert decide(terminal, key) == ("skip", "")


@pytest.mark.parametrize("key", [b"\x03", b"\x04", b"\x1b", b"q"])
def test_control_keys_and_escape_stop(terminal: tuple[int, int], key: bytes) -> None:
    assert decide(terminal, key) == ("stop", "")


@pytest.mark.parametrize("noise", [b"z", b"\x1b[A", "é".encode(), b"7", b"Y"])
def test_keys_that_mean_nothing_are_passed_over(terminal: tuple[int, int], noise: bytes) -> None:
    assert decide(terminal, noise + b"n") == ("skip", "")


def test_text_typed_before_the_question_never_answers_it(terminal: tuple[int, int]) -> None:
    master, slave = terminal
    os.write(master, b"yes please\n")
    approver = KeyApprover(Screen(out=KeysAfterTheQuestion(master, b"n")), slave)
    assert approver.approve(PROPOSAL).choice == "skip"
    assert approver.take_typed() == "yes please\n"
    assert approver.take_typed() == ""


def test_edit_puts_the_command_into_the_next_line(terminal: tuple[int, int]) -> None:
    master, slave = terminal
    approver = KeyApprover(Screen(out=KeysAfterTheQuestion(master, b"e")), slave)
    assert approver.approve(PROPOSAL).choice == "edit"
    assert approver.take_edited() == "rm -r build"


def test_explain_is_a_choice_of_its_own(terminal: tuple[int, int]) -> None:
    assert decide(terminal, b"x") == ("explain", "")


def test_copy_goes_to_the_terminals_clipboard_and_the_question_stays(
    terminal: tuple[int, int],
) -> None:
    master, slave = terminal
    out = KeysAfterTheQuestion(master, b"cn")
    assert KeyApprover(Screen(out=out), slave).approve(PROPOSAL).choice == "skip"
    assert f"\x1b]52;c;{base64.b64encode(b'rm -r build').decode()}\x07" in out.getvalue()


def test_nothing_is_copied_unasked(terminal: tuple[int, int]) -> None:
    master, slave = terminal
    out = KeysAfterTheQuestion(master, b"n")
    KeyApprover(Screen(out=out), slave).approve(PROPOSAL)
    assert "\x1b]52" not in out.getvalue()


def test_where_nobody_can_be_asked_nothing_runs() -> None:
    assert NeverRun().approve(PROPOSAL).choice == "skip"


def test_control_characters_in_a_command_are_shown_not_obeyed(terminal: tuple[int, int]) -> None:
    master, slave = terminal
    out = KeysAfterTheQuestion(master, b"n")
    KeyApprover(Screen(out=out), slave).approve(ProposedCommand("rm x\x1b[2K\rls"))
    assert "rm x\\x1b[2K\\rls" in out.getvalue()
