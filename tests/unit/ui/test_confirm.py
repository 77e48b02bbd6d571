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

    def __init__(self, master: int, *keys: bytes) -> None:
        super().__init__()
        self._master = master
        self._keys = list(keys)
        self._questions = 0
        self._later: tuple[str, bytes] | None = None

    def flush(self) -> None:
        if self._keys and self.getvalue().count("[s]kip") > self._questions:
            self._questions += 1
            # the approver first takes away what was typed before it asked
            threading.Timer(0.1, os.write, (self._master, self._keys.pop(0))).start()
        elif self._later and self._later[0] in self.getvalue():
            (_, keys), self._later = self._later, None
            threading.Timer(0.1, os.write, (self._master, keys)).start()

    def after(self, text: str, keys: bytes) -> None:
        """Press keys also when this text has come."""
        self._later = (text, keys)


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


@pytest.mark.parametrize("noise", [b"z", "é".encode(), b"7", b"Y", b"R", b" "])
def test_any_other_key_is_a_no(terminal: tuple[int, int], noise: bytes) -> None:
    assert decide(terminal, noise) == ("skip", "")


@pytest.mark.parametrize(
    "text", [b"run", b"r\r", b"rr", b"yes\r", b"\x1b[A", b"\x1bOr", b"try again"]
)
def test_several_bytes_at_once_are_no_answer(terminal: tuple[int, int], text: bytes) -> None:
    master, slave = terminal
    screen = Screen(out=KeysAfterTheQuestion(master, text))
    approver = KeyApprover(screen, slave)
    assert approver.approve(PROPOSAL).choice == "skip"
    assert screen.take_typed() == text.decode().replace("\r", "\n")


def test_text_typed_before_the_question_never_answers_it(terminal: tuple[int, int]) -> None:
    master, slave = terminal
    os.write(master, b"yes please\n")
    screen = Screen(out=KeysAfterTheQuestion(master, b"n"))
    approver = KeyApprover(screen, slave)
    assert approver.approve(PROPOSAL).choice == "skip"
    assert screen.take_typed() == "yes please\n"
    assert screen.take_typed() == ""


@pytest.mark.parametrize("early", [b"r", b"rr", b"r\n", b"s"])
def test_a_key_pressed_before_the_command_stood_there_neither_runs_nor_skips_it(
    terminal: tuple[int, int], early: bytes
) -> None:
    master, slave = terminal
    os.write(master, early)
    out = KeysAfterTheQuestion(master, b"r")
    screen = Screen(out=out)
    approver = KeyApprover(screen, slave)
    assert approver.approve(PROPOSAL).choice == "run"
    assert f"{early.decode()[0]} came before the command: press it now" in out.getvalue()
    assert screen.take_typed() == ""


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
    out = KeysAfterTheQuestion(master, b"c", b"n")
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
    assert "rm x⟨ESC⟩[2K⟨U+000D⟩ls" in out.getvalue()
    assert "\x1b[2K" not in out.getvalue()


class Verdict:
    kind = "destructive"
    reason = "deletes files for good"
    effects = tuple(f"deletes file{number}" for number in range(9))
    again = False


@pytest.mark.parametrize(
    ("keys", "choice"),
    [((b"r", b"run\r"), "run"), ((b"r", b"r\r"), "skip"), ((b"r", b"\x03"), "stop")],
)
def test_what_destroys_needs_its_word(
    terminal: tuple[int, int], keys: tuple[bytes, ...], choice: str
) -> None:
    master, slave = terminal
    out = KeysAfterTheQuestion(master, *keys[:1])
    out.after("type run", keys[1])
    assert KeyApprover(Screen(out=out), slave).approve(PROPOSAL, Verdict()).choice == choice
    assert "destructive: deletes files for good" in out.getvalue()
    assert "and 4 more" in out.getvalue()


class Unknown:
    """A verdict on a program that nobody knows."""

    kind = "unknown"
    reason = "runs ./x, which aish has not read"
    effects = ()
    again = True


@pytest.mark.parametrize(
    ("word", "choice"), [(b"always\r", ("run", True)), (b"re you sure?\r", ("skip", False))]
)
def test_always_needs_its_word_too_because_sentences_begin_with_any_letter(
    terminal: tuple[int, int], word: bytes, choice: tuple[str, bool]
) -> None:
    master, slave = terminal
    out = KeysAfterTheQuestion(master, b"a")
    out.after("type always", word)
    decision = KeyApprover(Screen(out=out), slave).approve(PROPOSAL, Unknown())
    assert (decision.choice, decision.always) == choice


def test_what_destroys_is_never_asked_about_just_once(terminal: tuple[int, int]) -> None:
    master, slave = terminal
    out = KeysAfterTheQuestion(master, b"a")
    decision = KeyApprover(Screen(out=out), slave).approve(PROPOSAL, Verdict())
    assert (decision.choice, decision.always) == ("skip", False)
    assert "[a]lways" not in out.getvalue()


def test_a_command_too_long_for_the_window_is_looked_at_before_it_runs(
    terminal: tuple[int, int],
) -> None:
    master, slave = terminal
    long = ProposedCommand("echo " + "x" * 9000 + "; rm -rf ~")
    out = KeysAfterTheQuestion(master, b"r")
    assert KeyApprover(Screen(out=out), slave).approve(long).choice == "skip"
    assert "[r]un" not in out.getvalue()
    assert "; rm -rf ~" in out.getvalue().replace("\n│ ", "")
    out = KeysAfterTheQuestion(master, b"v", b"r")
    assert KeyApprover(Screen(out=out), slave).approve(long).choice == "run"


def test_editing_a_background_command_keeps_it_there(terminal: tuple[int, int]) -> None:
    master, slave = terminal
    approver = KeyApprover(Screen(out=KeysAfterTheQuestion(master, b"e")), slave)
    approver.approve(ProposedCommand("make", background=True))
    assert approver.take_edited() == "make &"
