"""What an autonomous run reads in its model's answers, and when it must stop."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

MOST_TASKS = 16
SIMILAR_SKIPS = 3  # so many alike, and the run halts for good advice
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
            return GoalLine(outcome, after[:LONGEST_REASON])
    return None


def planned_tasks(text: str, most: int = MOST_TASKS) -> tuple[str, ...]:
    """The `TASK:` lines of a plan, in order, each once."""
    found = dict.fromkeys(
        match[1].strip()[:LONGEST_TASK] for line in _prose(text) if (match := _TASK.match(line))
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
    """What an action is about; how its options are spelled does not matter."""
    return [word for word in _WORD.findall(action) if not word.startswith("-")]


def skips_enough(skipped: Sequence[str]) -> bool:
    """Whether the newest skipped action is one of too many alike."""
    if not skipped:
        return False
    return sum(alike(skipped[-1], other) for other in skipped) >= SIMILAR_SKIPS


@dataclass(frozen=True, slots=True)
class Limits:
    """Where a run ends by itself; 0 is no limit."""

    steps: int = 30
    seconds: float = 0.0
    tokens: int = 0
    micro_dollars: int = 0


@dataclass(frozen=True, slots=True)
class Spent:
    """What a run has used so far."""

    steps: int = 0
    seconds: float = 0.0
    tokens: int = 0
    micro_dollars: int = 0


def limit_reached(limits: Limits, spent: Spent) -> str:
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
    for line in text.splitlines():
        match = _FENCE.match(line)
        if match and not fence:
            fence = match[1]
        elif match and match[1][0] == fence[0] and len(match[1]) >= len(fence):
            fence = ""
        elif not fence:
            yield line
