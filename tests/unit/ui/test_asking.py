"""Every question at the terminal follows the same rules."""

from __future__ import annotations

import io
import os
import pty
import sys
import threading
from collections.abc import Callable, Iterator

import pytest

from aish.core.actions import ProposedCommand
from aish.core.safety.verdict import Verdict
from aish.core.tools import Tool
from aish.tools.toolbox import ToolRequest
from aish.ui.answers import KeyAnswers
from aish.ui.confirm import KeyApprover
from aish.ui.halting import HaltApprover
from aish.ui.person import Person
from aish.ui.screen import Screen
from aish.ui.tool_question import ToolQuestion

Asker = Callable[[Screen, int], str]
SAID = {"yes": "yes", "run": "yes", "y": "yes", "no": "no", "n": "no", "skip": "no", "": "no"}


def command(screen: Screen, stdin: int) -> str:
    return KeyApprover(screen, stdin).approve(ProposedCommand("make")).choice


def halt(screen: Screen, stdin: int) -> str:
    approver = HaltApprover(screen, stdin, KeyAnswers(screen, stdin))
    return approver.approve(ProposedCommand("make")).choice


def tool(screen: Screen, stdin: int) -> str:
    request = ToolRequest(Tool("s", "add", "adds"), {"a": 1}, "same")
    return "yes" if ToolQuestion(screen, stdin).allows(request) else "no"


def choice(screen: Screen, stdin: int) -> str:
    return KeyAnswers(screen, stdin).choose("forget all? [y/N]", "yn")


def confirmation(screen: Screen, stdin: int) -> str:
    del stdin  # a person is asked at standard input
    return "yes" if Person(screen).confirm("Spend it?") else "no"


ASKERS = {one.__name__: one for one in (command, halt, tool, choice, confirmation)}
LAST = {
    "command": "[s]kip ",
    "halt": "[a]bort ",
    "tool": "[n]o ",
    "choice": "[y/N] ",
    "confirmation": "[y/N] ",
}


class Paper(io.StringIO):
    """A terminal to write on; keys are pressed once the last of a question stands there."""

    def __init__(self, master: int, *presses: tuple[str, bytes]) -> None:
        super().__init__()
        self._master = master
        self._presses = list(presses)

    def isatty(self) -> bool:
        return True

    def flush(self) -> None:
        if self._presses and self.getvalue().endswith(self._presses[0][0]):
            _, keys = self._presses.pop(0)
            threading.Timer(0.1, os.write, (self._master, keys)).start()


class Seat:
    """A keyboard, and whoever sits at it."""

    def __init__(self, master: int, slave: int) -> None:
        self.master = master
        self.slave = slave
        self.typed = ""  # what the next line begins with
        self.said = ""  # what stands behind the question

    def asked(self, name: str, keys: bytes, early: bytes = b"") -> str:
        """The answer as yes, no or stop, whatever the asker calls them."""
        if early:
            os.write(self.master, early)
        paper = Paper(self.master, (LAST[name], keys))
        screen = Screen(paper, paper)
        try:
            answer = ASKERS[name](screen, self.slave)
        except KeyboardInterrupt:
            answer = "stop"
        self.typed, self.said = screen.take_typed(), paper.getvalue().split(LAST[name])[-1].strip()
        return SAID.get(answer, answer)


@pytest.fixture
def seat(monkeypatch: pytest.MonkeyPatch) -> Iterator[Seat]:
    master, slave = pty.openpty()
    with os.fdopen(slave) as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        yield Seat(master, slave)
    os.close(master)


each = pytest.mark.parametrize("name", ASKERS)


@each
def test_the_key_for_yes_is_one(seat: Seat, name: str) -> None:
    assert seat.asked(name, b"y") == "yes"


@each
@pytest.mark.parametrize("keys", [b"yes", b"yy", b"y\r", b"\x1b[A", b"yarn"])
def test_several_bytes_at_once_are_a_no_and_begin_the_next_line(
    seat: Seat, name: str, keys: bytes
) -> None:
    assert seat.asked(name, keys) == "no"
    assert seat.typed == keys.decode().replace("\r", "\n")


@each
def test_an_unknown_key_is_a_no_and_begins_the_next_line(seat: Seat, name: str) -> None:
    assert seat.asked(name, b"z") == "no"
    assert seat.typed == "z"


@each
@pytest.mark.parametrize("key", [b"n", b"\r"])
def test_a_plain_no_leaves_nothing_in_the_next_line(seat: Seat, name: str, key: bytes) -> None:
    assert seat.asked(name, key) == "no"
    assert seat.typed == ""


@each
def test_what_was_typed_ahead_answers_nothing_and_begins_the_next_line(
    seat: Seat, name: str
) -> None:
    assert seat.asked(name, b"n", early=b"yes please\n") == "no"
    assert seat.typed == "yes please\n"


@each
def test_a_yes_pressed_too_early_is_neither_an_answer_nor_text(seat: Seat, name: str) -> None:
    assert seat.asked(name, b"n", early=b"y\n") == "no"
    assert seat.typed == ""


@each
@pytest.mark.parametrize("key", [b"\x03", b"\x04", b"\x1b"])
def test_ctrl_c_and_the_end_of_input_are_a_no_that_is_said_as_stop(
    seat: Seat, name: str, key: bytes
) -> None:
    # A choice has no more to say than no; what else asks ends what it belongs to.
    assert seat.asked(name, key) == ("no" if name == "choice" else "stop")
    assert seat.said == "stop"
    assert seat.typed == ""


DESTROYS = ToolRequest(
    Tool("s", "drop", "drops"), {}, "same", verdict=Verdict("destructive", "drops a table", "drop")
)


@pytest.mark.parametrize(
    ("word", "allowed", "rest"),
    [(b"call\rls\r", True, "ls\n"), (b"yes\r", False, ""), (b"\x03", None, "")],
)
def test_a_word_is_read_to_its_enter_and_what_follows_begins_the_next_line(
    seat: Seat, word: bytes, allowed: bool | None, rest: str
) -> None:
    paper = Paper(seat.master, ("[n]o ", b"y"), ("to call it: ", word))
    screen = Screen(paper, paper)
    if allowed is None:
        with pytest.raises(KeyboardInterrupt):
            ToolQuestion(screen, seat.slave).allows(DESTROYS)
    else:
        assert ToolQuestion(screen, seat.slave).allows(DESTROYS) is allowed
    assert screen.take_typed() == rest
