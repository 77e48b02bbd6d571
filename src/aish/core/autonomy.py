"""What an autonomous run reads in its model's answers, and when it must stop."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal

from aish.core.context.clamp import line_head
from aish.core.messages import ExecResult
from aish.core.spoken import without_thinking
from aish.core.values import dataclass, field

MOST_TASKS = 16
SIMILAR_SKIPS = 3  # so many alike, and the run halts for good advice
MOST_IDLE = 3  # answers in a row without an action
MOST_AGAIN = 4  # repeated actions in a row
LOOKED_BACK = 4  # actions among which a repeated one is looked for
LONGEST_TASK = 200
LONGEST_REASON = 300
_FENCE = re.compile(r"^[ \t]*(`{3,}|~{3,})")
_GOAL = re.compile(r"GOAL: (complete|blocked)[ \t]*$")
_TASK = re.compile(r"TASK: (\S.*)$")
_WORD = re.compile(r"[A-Za-z0-9_./-]+")


@dataclass(frozen=True, slots=True)
class GoalLine:
    """The model's word that it is done, or that it cannot go on."""

    outcome: Literal["complete", "blocked"]
    reason: str = ""


def goal_line(text: str) -> GoalLine | None:
    """The first goal line on a line of its own, outside code; the next line is its reason."""
    lines = list(_prose(text))
    for at, line in enumerate(lines):
        if match := _GOAL.match(line):
            after = next((later.strip() for later in lines[at + 1 :] if later.strip()), "")
            outcome: Literal["complete", "blocked"] = (
                "complete" if match[1] == "complete" else "blocked"
            )
            return GoalLine(outcome, line_head(after, LONGEST_REASON))
    return None


def planned_tasks(text: str, most: int = MOST_TASKS) -> tuple[str, ...]:
    """The `TASK:` lines of a plan, in order, each once."""
    found = dict.fromkeys(
        line_head(match[1].strip(), LONGEST_TASK)
        for line in _prose(text)
        if (match := _TASK.match(line))
    )
    return tuple(found)[:most]


def alike(first: str, second: str) -> bool:
    """Whether two actions are nearly the same thing: the same program with much in common."""
    one, other = _words(first), _words(second)
    if not one or not other or one[0] != other[0]:
        return first.strip() == second.strip()
    shared, every = set(one) & set(other), set(one) | set(other)
    return len(shared) >= 0.5 * len(every)


def _words(action: str) -> list[str]:
    """What an action is about; how options and the way to a file are spelled does not matter."""
    found = [word for word in _WORD.findall(action) if not word.startswith("-")]
    return [word.rstrip("/").rpartition("/")[2] or word for word in found]


def skips_enough(skipped: Sequence[str]) -> bool:
    """Whether the newest skipped action is one of too many alike."""
    if not skipped:
        return False
    return sum(alike(skipped[-1], other) for other in skipped) >= SIMILAR_SKIPS


class RunProgress:
    """Whether a run gets anywhere: what it did, what was skipped, what it only did again."""

    def __init__(self) -> None:
        self._skipped: list[str] = []
        self._done: list[tuple[str, int, str]] = []  # the newest actions and what came of them
        self._idle = 0  # answers in a row without an action
        self._again = 0  # actions in a row that were done before, with the same result
        self.did_something = False  # in the newest answer
        self.all_well = True  # in the newest answer

    def next_answer(self) -> None:
        self._idle += 1
        self.did_something, self.all_well = False, True

    def ran(self, result: ExecResult) -> None:
        """A command, or a call of a tool, and what came of it."""
        self._idle, self.did_something = 0, True
        self.all_well = self.all_well and result.status == 0
        now = (result.command.strip(), result.status, result.output)
        self._again = self._again + 1 if now in self._done else 0
        self._done = [*self._done[-(LOOKED_BACK - 1) :], now]

    def skipped(self, action: str) -> None:
        self._idle, self.did_something, self.all_well = 0, True, False
        self._skipped.append(action)

    @property
    def repeats(self) -> bool:
        return self._again > 0

    def stuck(self) -> str:
        """Why there is no use in going on; "" while there is."""
        if self._idle >= MOST_IDLE:
            return f"the model proposed nothing {MOST_IDLE} times in a row"
        if self._again >= MOST_AGAIN:
            return "the model only repeats itself"
        return ""

    def skipped_too_often(self) -> str:
        if skips_enough(self._skipped):
            return f"{SIMILAR_SKIPS} similar actions were skipped: {self._skipped[-1]}"
        return ""


@dataclass(frozen=True, slots=True)
class RunLimits:
    """Where a run ends by itself; 0 is no limit."""

    steps: int = 30
    seconds: float = 0.0
    tokens: int = 0
    micro_dollars: int = 0


@dataclass(frozen=True, slots=True)
class RunUsage:
    """What a run has used so far."""

    steps: int = 0
    seconds: float = 0.0
    tokens: int = 0
    micro_dollars: int = 0


RunOutcome = Literal["complete", "blocked", "limit", "stopped", "failed", "planned"]


@dataclass(frozen=True, slots=True)
class Run:
    """An autonomous run as it stands: what it is after, and how far it has come."""

    goal: str
    tasks: tuple[str, ...] = ()
    spent: RunUsage = field(default_factory=RunUsage)
    outcome: RunOutcome | None = None  # None while it is under way
    reason: str = ""

    @property
    def open(self) -> bool:
        """Whether it may go on: it neither reached its goal nor was it only a plan."""
        return self.outcome not in ("complete", "planned")


def limit_reached(limits: RunLimits, spent: RunUsage) -> str:
    """Which limit the run has come to, in words; "" while it may go on."""
    if limits.steps and spent.steps >= limits.steps:
        return f"the limit of {limits.steps} steps"
    if limits.seconds and spent.seconds >= limits.seconds:
        return f"the limit of {limits.seconds:g} seconds"
    if limits.tokens and spent.tokens >= limits.tokens:
        return f"the limit of {limits.tokens:,} tokens"
    if limits.micro_dollars and spent.micro_dollars >= limits.micro_dollars:
        return f"the limit of ${limits.micro_dollars / 1e6:g}"
    return ""


def _prose(text: str) -> Iterator[str]:
    """The lines outside code blocks, with nothing before them taken away."""
    fence = ""
    for line in without_thinking(text).splitlines():
        match = _FENCE.match(line)
        if match and not fence:
            fence = match[1]
        elif match and match[1][0] == fence[0] and len(match[1]) >= len(fence):
            fence = ""
        elif not fence:
            yield line
