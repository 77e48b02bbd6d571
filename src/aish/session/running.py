"""Autonomous runs of a session: what is ordered, who takes part, and how far the last one came."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from aish.core.autonomy import MOST_TASKS, Run, RunLimits, RunUsage
from aish.core.errors import UsageError
from aish.core.events import (
    Emptied,
    Event,
    Resumed,
    RunBegan,
    RunEnded,
    Said,
    StepBegan,
    TasksChanged,
)
from aish.core.values import dataclass

if TYPE_CHECKING:
    from aish.core.user import User
    from aish.engine.ports import Governor, Model, NamedModels, Pilot, Purse
    from aish.session.hands import Workbench


@dataclass(frozen=True, slots=True)
class Order:
    """How a run is wanted."""

    plan: bool = False  # only listed
    tried: bool = False  # in one trial from start to finish
    max_steps: int | None = None  # instead of the configured limit
    yes_harmless: bool = False  # harmless commands run, whatever the configuration asks

    def limited(self, limits: RunLimits) -> RunLimits:
        """The configured limits, but for what this order says."""
        return limits if self.max_steps is None else replace(limits, steps=self.max_steps)


@dataclass(frozen=True, slots=True)
class Team:
    """The parts of one run."""

    model: Model
    governor: Governor
    hands: Workbench
    pilot: Pilot
    purse: Purse
    clock: Callable[[], float]
    planner: Model | None = None
    limits: RunLimits = RunLimits()
    tasks_max: int = MOST_TASKS


class Origin(Protocol):
    """The shell that a run is begun from."""

    @property
    def cwd(self) -> str: ...

    def exported(self) -> dict[str, str]:
        """The variables that its commands get."""
        ...


class Teams(Protocol):
    """Who takes part in which run."""

    def team(self, order: Order) -> Team:
        """Raises: UsageError, ConfigError, SandboxError."""
        ...


def planner_of(models: NamedModels, name: str, user: User) -> Model | None:
    """The model that writes the tasks; without it the one that works does that too."""
    if not name:
        return None
    try:
        return models.named(name)
    except UsageError as error:
        user.tell(f"norris.preplanner: {error.message}; one model does both")
        return None


class LastRun:
    """The newest run, as a consumer of events; a resumed session brings its own."""

    def __init__(self) -> None:
        self.run: Run | None = None
        self.most = 0  # steps
        self._unseen: tuple[str, ...] = ()

    def __call__(self, event: Event) -> None:
        match event:
            case Said():
                pass  # first, because an answer has thousands
            case Resumed(transcript=found):
                self.run, self._unseen = found.run, found.interrupted
            case Emptied():
                self.run = None
            case RunBegan(goal, tasks, _, spent):
                self.run = Run(goal, tasks, spent)
            case TasksChanged(tasks) if self.run is not None:
                self.run = replace(self.run, tasks=tasks)
            case StepBegan(most=most, spent=spent) if self.run is not None:
                self.run, self.most = replace(self.run, spent=spent), most
            case RunEnded(outcome, reason, spent) if self.run is not None:
                self.run = replace(self.run, spent=spent, outcome=outcome, reason=reason)
            case _:
                pass

    def unseen(self) -> tuple[str, ...]:
        """Commands whose end nobody saw, once."""
        unseen, self._unseen = self._unseen, ()
        return unseen


def further(limits: RunLimits, spent: RunUsage) -> RunLimits:
    """The limits of a run that goes on: as much again as it had at first."""
    return RunLimits(
        limits.steps and limits.steps + spent.steps,
        limits.seconds and limits.seconds + spent.seconds,
        limits.tokens and limits.tokens + spent.tokens,
        limits.micro_dollars and limits.micro_dollars + spent.micro_dollars,
    )
