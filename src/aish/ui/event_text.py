"""Events that are told in a line of aish's own, in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from aish.core.autonomy import RunUsage
from aish.core.events import (
    Attached,
    Called,
    Delegated,
    Delegating,
    Emptied,
    Evicted,
    FellBack,
    Halted,
    Noticed,
    Paused,
    Pinned,
    Planned,
    Resumed,
    RunBegan,
    RunEnded,
    Skipped,
    StepBegan,
    Stopped,
    TasksChanged,
    Undone,
    Unpinned,
    Warned,
)
from aish.core.money.cost import dollar_text

ToldOfRun = RunBegan | TasksChanged | StepBegan | Halted | Skipped | Planned | Paused | RunEnded
Told = (
    Attached
    | Called
    | Delegated
    | Delegating
    | Emptied
    | Evicted
    | FellBack
    | Noticed
    | Pinned
    | Resumed
    | Stopped
    | Undone
    | Unpinned
    | Warned
    | ToldOfRun
)
LONGEST = 200  # characters of a question that is told


def told(event: Told) -> Iterator[str]:  # noqa: PLR0912  (one case an event)
    """What the user is told of an event."""
    match event:
        case Evicted(eviction):
            yield eviction.message
        case Warned(text) | FellBack(text) | Noticed(text):
            yield text
        case Attached():
            yield _attached(event)
        case Called(call):
            yield f"calls {call.name}"
        case Stopped(kept):
            yield "stopped" if kept else "stopped; the question is taken back"
        case Undone(turns):
            yield f"the last exchange is dropped ({len(turns)} turns)"
        case Emptied():
            yield "the conversation is empty"
        case Pinned():
            yield "pinned; `:pins` lists what is kept"
        case Unpinned(text):
            yield f"no longer pinned: {' '.join(text.split())[:60]}"
        case Delegating(preset):
            yield f"asking {preset}"
        case Delegated():
            pass  # the answer has been shown
        case Resumed():
            yield from _resumed(event)
        case _:
            yield from told_of_run(event)


def told_of_run(event: ToldOfRun) -> Iterator[str]:
    """What the user is told of an autonomous run."""
    match event:
        case RunBegan(goal, tasks, tried, spent):
            how = "goes on" if spent.steps else "begins, in a trial" if tried else "begins"
            yield f"norris {how}: {_line(goal)}"
            yield from _tasks(tasks)
        case TasksChanged(tasks, said):
            yield from () if said else _tasks(tasks)
        case StepBegan(number, most, spent):
            yield f"step {number}{f'/{most}' if most else ''} · {spent_text(spent)}"
        case Skipped(_, words):
            yield f"not run: {_line(words)}"
        case Planned(action, verdict, reason):
            about = f"{verdict}: {reason}" if reason and verdict != "harmless" else verdict
            yield f"would run: {_line(action)}  ({about})"
        case RunEnded(outcome, reason, spent):
            yield ended_text(outcome, reason, spent)
        case Halted() | Paused():
            pass  # a question follows
        case _:
            assert_never(event)


def spent_text(spent: RunUsage) -> str:
    """What a run has used, in few words."""
    minutes, seconds = divmod(int(spent.seconds), 60)
    took = f"{minutes} min {seconds} s" if minutes else f"{seconds} s"
    money = f" · {dollar_text(spent.micro_dollars)}" if spent.micro_dollars else ""
    return f"{spent.tokens:,} tokens{money} · {took}"


def ended_text(outcome: str, reason: str, spent: RunUsage) -> str:
    """How a run ended, in a line."""
    words = {
        "complete": "goal complete",
        "blocked": "goal blocked",
        "limit": "the run stopped",
        "stopped": "the run was stopped",
        "failed": "the run broke off",
        "planned": "only a plan; nothing ran",
    }[outcome]
    between = " at " if reason.startswith("the limit of") else ": "
    said = f"{words}{between}{_line(reason)}" if reason else words
    steps = _several(spent.steps, "step")
    more = "" if outcome in ("complete", "planned") else "; `:norris continue` goes on"
    return f"{said} ({steps} · {spent_text(spent)}){more}"


def _tasks(tasks: tuple[str, ...]) -> Iterator[str]:
    for number, task in enumerate(tasks, 1):
        yield f"  {number}. {_line(task)}"


def _line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else line[: LONGEST - 1] + "…"


def _attached(event: Attached) -> str:
    sent = f"{event.whole:,} tokens"
    if event.tokens < event.whole:
        sent = f"{event.tokens:,} of {event.whole:,} tokens, head and tail"
    return f"@{event.label}: {sent} ({_bytes(event.size)})"


def _bytes(size: int) -> str:
    for limit, unit in ((1 << 30, "GB"), (1 << 20, "MB"), (1 << 10, "KB")):
        if size >= limit:
            return f"{size / limit:.1f} {unit}"
    return f"{size} bytes"


def _several(count: int, thing: str) -> str:
    return f"{count} {thing}{'s' if count != 1 else ''}"


def _resumed(event: Resumed) -> Iterator[str]:
    """What was found, and what the end of the last sitting left open."""
    found = event.transcript
    asked = sum(turn.role == "user" for turn in found.turns)
    size = f"{_several(asked, 'question')}, {_several(len(found.turns), 'turn')}"
    yield f"resumed {event.session}: {size}"
    if event.damage:
        yield event.damage
    for command in found.interrupted:
        yield f"nobody saw how this ended: {command}"
    if found.aborted:
        is_closed = "is" if len(found.aborted) == 1 else "are"
        yield f"{_several(len(found.aborted), 'interrupted tool call')} {is_closed} closed"
    if found.run is not None and found.run.open:
        yield f"a run stands at step {found.run.spent.steps}: {_line(found.run.goal)}"
        yield "`:norris continue` goes on with it"
    elif found.unanswered:
        yield f"this question got no answer: {_line(found.unanswered)}"
