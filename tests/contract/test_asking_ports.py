"""What everybody who is asked or told promises: at a terminal, in a test, and where nobody is."""

from __future__ import annotations

import io
import os
import pty
import threading
from collections.abc import Callable, Iterator

import pytest

from aish.config.schema import SafetyConfig
from aish.core.actions import ProposedCommand
from aish.core.located import At
from aish.core.tools import Tool
from aish.core.user import Nobody, User
from aish.engine.ports import Approver
from aish.session.approval import Asker, Gate, NeverRun, PlanOnly
from aish.session.governing import NobodyToAsk
from aish.tools.toolbox import CallApprover, ToolRequest
from aish.tools.toolset import ToldLater
from aish.ui.answers import Answers, KeyAnswers
from aish.ui.confirm import KeyApprover
from aish.ui.halting import HaltApprover
from aish.ui.person import Person
from aish.ui.screen import Screen
from aish.ui.tool_question import NoCalls, ToolQuestion
from support.runs import ScriptedAsker, reader
from support.sitting import AlwaysRun, ScriptedAnswers
from support.users import ScriptedUser

EXACT = ProposedCommand("printf '%s\\n'  'a!b'\t\"$HOME\"; rm -r build")
CALL = ToolRequest(Tool("files", "read", "Reads a file."), {"path": "a"}, "same")


class Pressing(io.StringIO):
    """A screen; once a question ends on it, the next key is pressed."""

    def __init__(self, master: int, keys: str) -> None:
        super().__init__()
        self._master = master
        self._keys = list(keys)

    def flush(self) -> None:
        ends = self.getvalue().endswith(("[s]kip ", "[a]bort ", "[n]o ", "[y/N] ", "it: ", ": "))
        if self._keys and ends:
            threading.Timer(0.1, os.write, (self._master, self._keys.pop(0).encode())).start()


@pytest.fixture
def terminal() -> Iterator[tuple[int, int]]:
    master, slave = pty.openpty()
    yield master, slave
    os.close(master)
    os.close(slave)


Terminal = tuple[int, int]


def screen_for(terminal: Terminal, keys: str) -> Screen:
    return Screen(out=Pressing(terminal[0], keys))


ASKERS: dict[str, Callable[[Terminal, str], Asker]] = {
    "at the prompt": lambda seat, key: KeyApprover(screen_for(seat, key), seat[1]),
    "in a run": lambda seat, key: HaltApprover(
        screen_for(seat, key), seat[1], KeyAnswers(Screen(), seat[1])
    ),
    "scripted": lambda _, key: ScriptedAsker({"r": "proceed", "q": "abort"}.get(key, "skip")),
}


@pytest.mark.parametrize("name", ASKERS)
def test_a_yes_is_for_exactly_the_bytes_that_were_asked_about(
    name: str, terminal: Terminal
) -> None:
    decision = ASKERS[name](terminal, "r").approve(EXACT)
    assert (decision.choice, decision.command, decision.always) == ("run", EXACT.command, False)


@pytest.mark.parametrize("name", ASKERS)
@pytest.mark.parametrize(("key", "choice"), [("s", "skip"), ("z", "skip"), ("q", "stop")])
def test_a_no_names_no_command_that_could_be_run(
    name: str, key: str, choice: str, terminal: Terminal
) -> None:
    decision = ASKERS[name](terminal, key).approve(EXACT)
    assert (decision.choice, decision.command) == (choice, "")


def test_where_nobody_can_be_asked_a_command_is_skipped_and_it_is_said_why() -> None:
    decision = NobodyToAsk().approve(EXACT)
    assert (decision.choice, decision.command) == ("skip", "")
    assert decision.reason


APPROVERS: dict[str, tuple[Callable[[], Approver], str]] = {
    "never": (NeverRun, "skip"),
    "plan": (lambda: PlanOnly(reader(), At("/work")), "plan"),
    "gate, yes": (
        lambda: Gate(ScriptedAsker("proceed"), reader(), At("/work"), SafetyConfig),
        "run",
    ),
    "gate, no": (lambda: Gate(ScriptedAsker(), reader(), At("/work"), SafetyConfig), "skip"),
    "gate, nobody": (lambda: Gate(NobodyToAsk(), reader(), At("/work"), SafetyConfig), "skip"),
    "always": (AlwaysRun, "run"),
}


@pytest.mark.parametrize("name", APPROVERS)
def test_an_approver_lets_run_only_what_was_proposed_and_only_after_a_yes(name: str) -> None:
    make, choice = APPROVERS[name]
    decision = make().approve(EXACT)
    assert decision.choice == choice
    assert decision.command in ("", EXACT.command)
    assert (decision.command == EXACT.command) is (choice in ("run", "plan"))


USERS: dict[str, tuple[Callable[[], User], bool]] = {
    "nobody": (Nobody, False),
    "person without a terminal": (lambda: Person(Screen(io.StringIO(), io.StringIO())), False),
    "told later": (lambda: ToldLater(Nobody()), False),
    "scripted, yes": (lambda: ScriptedUser(True), True),
    "scripted, no": (lambda: ScriptedUser(False), False),
    "told later, yes": (lambda: ToldLater(ScriptedUser(True)), True),
}


@pytest.mark.parametrize("name", USERS)
def test_a_user_says_yes_only_where_somebody_is_there_and_hears_anything(name: str) -> None:
    make, answer = USERS[name]
    user = make()
    user.tell("a word with \x1b[2J and\nlines")
    assert user.confirm("Sure?") is answer
    assert user.present or not user.confirm("Really?")


def test_what_is_told_later_comes_in_order_and_once() -> None:
    heard = ScriptedUser()
    later = ToldLater(heard)
    later.tell("one")
    later.tell("two")
    assert heard.told == []
    later.now()
    later.now()
    assert heard.told == ["one", "two"]


ANSWERS: dict[str, Callable[[Terminal, str], Answers]] = {
    "keys": lambda seat, keys: KeyAnswers(screen_for(seat, keys), seat[1]),
    "scripted": lambda _, keys: ScriptedAnswers(*keys, edits=keys.strip()),
}


@pytest.mark.parametrize("name", ANSWERS)
@pytest.mark.parametrize(("key", "answer"), [("y", "y"), ("n", "n"), ("z", "")])
def test_a_choice_is_one_of_its_keys_or_nothing(
    name: str, key: str, answer: str, terminal: Terminal
) -> None:
    assert ANSWERS[name](terminal, key).choose("forget? [y/N]", "yn") == answer


@pytest.mark.parametrize("name", ANSWERS)
def test_a_line_comes_without_blanks_around_it(name: str, terminal: Terminal) -> None:
    answers = ANSWERS[name](terminal, "")
    if isinstance(answers, ScriptedAnswers):
        answers.edits = "1 3-5"
    else:
        threading.Timer(0.3, os.write, (terminal[0], b" 1 3-5 \n")).start()
    assert answers.typed_line("numbers: ") == "1 3-5"


CALLERS: dict[str, Callable[[Terminal, str], CallApprover]] = {
    "nobody": lambda _, key: NoCalls(),
    "keys": lambda seat, key: ToolQuestion(screen_for(seat, key), seat[1]),
}


@pytest.mark.parametrize("name", CALLERS)
@pytest.mark.parametrize("key", ["n", "z", "\r"])
def test_a_call_without_a_clear_yes_is_not_made(name: str, key: str, terminal: Terminal) -> None:
    assert CALLERS[name](terminal, key).allows(CALL) is False


def test_a_yes_is_for_one_call_and_always_is_for_one_definition(terminal: Terminal) -> None:
    approver = ToolQuestion(screen_for(terminal, "yan"), terminal[1])
    assert approver.allows(CALL)
    assert approver.allows(CALL)  # asked again, and answered with always
    assert approver.allows(CALL)  # not asked any more
    changed = ToolRequest(Tool("files", "read", "Sends a file away."), {"path": "a"}, "same")
    assert not approver.allows(changed)
