"""Autonomous runs without a terminal: a scripted model and user, real verdicts, fake commands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from aish.core.actions import ProposedCommand
from aish.core.autonomy import RunLimits
from aish.core.events import Event
from aish.core.located import At
from aish.core.messages import Delta, ExecResult
from aish.core.safety.verdict import Verdict
from aish.core.user import Nobody
from aish.engine import ports as engine
from aish.engine.ports import Decision, RunPlace, Tools
from aish.journal.recording import Recorder
from aish.session.approval import Asker, NeverRun
from aish.session.governing import RunGovernor
from aish.session.running import Order, Team
from aish.session.session import Session
from aish.shell.command_reader import CommandReader
from aish.ui.playing import play
from support.sitting import ScriptedModels, ScriptedShell
from support.supplies import Anywhere, PlainSupplies


class FakeHands:
    """Notes what would run, and where."""

    def __init__(self, cwd: str, *, tried: bool = False, confines: bool = True) -> None:
        self.cwd = cwd
        self.tried = tried
        self.ran: list[tuple[str, str]] = []
        self.statuses: dict[str, int] = {}
        self.before: Callable[[str], None] = lambda command: None
        self.prints: Callable[[int], str] = "output {}\n".format  # what the nth command prints
        self.gone = False
        self._confines = confines

    def confines(self) -> bool:
        return self._confines

    def keeps(self, command: str) -> bool:
        del command
        return True

    def run(self, command: str, place: RunPlace) -> ExecResult:
        self.before(command)
        self.ran.append((command, place))
        status, output = self.statuses.get(command, 0), self.prints(len(self.ran))
        return ExecResult(command, status, output, cwd=self.cwd)

    def finish(self, goal: str) -> str:
        return f"kept of {goal}" if self.tried else ""

    def discard(self) -> None:
        self.gone = True

    @property
    def commands(self) -> list[str]:
        return [command for command, _ in self.ran]


class ScriptedAsker:
    """Answers one halt after the other; nothing more to say is a skip."""

    def __init__(self, *decisions: str) -> None:
        self._decisions = list(decisions)
        self.asked: list[str] = []
        self.after: list[tuple[str, ...]] = []

    def approve(self, proposal: ProposedCommand, verdict: object = None) -> Decision:
        self.asked.append(proposal.command)
        self.after.append(proposal.after)
        word = self._decisions.pop(0) if self._decisions else "skip"
        if word.startswith("edit "):
            return Decision("edit", word.removeprefix("edit "))
        if word == "proceed":
            return Decision("run", proposal.command)
        return Decision("stop") if word == "abort" else Decision("skip")


class ScriptedPilot:
    """Goes on so often, then stops."""

    def __init__(self, times: int = 0) -> None:
        self.times = times
        self.asked = 0

    def goes_on(self) -> bool:
        self.asked += 1
        return self.asked <= self.times


class FreePurse:
    """Costs what it is told to."""

    def __init__(self) -> None:
        self.micro = 0
        self.runs: list[str] = []

    def begin_run(self) -> None:
        self.runs.append("begin")

    def end_run(self) -> None:
        self.runs.append("end")


class Seconds:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Running:
    """A session whose runs a test can look into."""

    def __init__(
        self,
        folder: Path,
        *answers: str | Delta | BaseException,
        asker: Asker | None = None,
        limits: RunLimits | None = None,
        window: int = 8192,
        tried: bool = False,
        confines: bool = True,
        tools: Tools | None = None,
        planner: ScriptedModels | None = None,
        second: Callable[[str, Verdict], Verdict] | None = None,
        log: bool = True,
        small: bool = False,
        governor: engine.Governor | None = None,
        **rules: Any,
    ) -> None:
        self.folder = folder
        self.models = ScriptedModels(*answers, window=window)
        self.models.proposing = {"grammar": "of one line"} if small else None
        self.hands = FakeHands(str(folder), tried=tried, confines=confines)
        self.asker = asker or ScriptedAsker()
        self.pilot = ScriptedPilot()
        self.purse = FreePurse()
        self.clock = Seconds()
        self.limits = limits or RunLimits(steps=10)
        self.events: list[Event] = []
        self._planner = planner
        self._second = second
        self._governor = governor
        self._rules = rules
        self.journal = Recorder(
            folder / "sessions", model=lambda: "fast", place=At(str(folder)), user=Nobody()
        )
        self.session = Session(
            supplies=PlainSupplies(window, tools, Anywhere()),
            models=self.models,
            shell=ScriptedShell(folder),
            approver=NeverRun(),
            journal=self.journal if log else None,
            teams=self,
        )

    def team(self, order: Order) -> Team:
        governor = RunGovernor(reader(), self.hands, self.asker, second=self._second, **self._rules)
        return Team(
            model=self.models.named(),
            governor=self._governor or governor,
            hands=self.hands,
            pilot=self.pilot,
            purse=self.purse,
            clock=self.clock,
            planner=self._planner.named() if self._planner else None,
            limits=order.limited(self.limits),
        )

    def pursue(self, goal: str = "reach it", order: Order | None = None) -> Running:
        play(self.session.pursue(goal, order or Order()), self.events.append)
        return self

    def go_on(self) -> Running:
        play(self.session.go_on(Order()), self.events.append)
        return self

    def of(self, kind: type) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]

    def said(self, number: int) -> list[dict[str, Any]]:
        """The messages of the nth request, from 0."""
        return list(self.models.requests[number].messages)


_READERS: list[CommandReader] = []


def reader() -> CommandReader:
    if not _READERS:
        _READERS.append(CommandReader("/home/user", "user"))
    return _READERS[0]


def commands(*lines: str, more: Sequence[str] = ()) -> str:
    """An answer that proposes these commands."""
    return "\n".join([*(f"CMD: {line}" for line in lines), *more]) + "\n"
