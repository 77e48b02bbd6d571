"""Events that are told in a line of aish's own, in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from aish.core.events import (
    Attached,
    Called,
    Delegated,
    Delegating,
    Emptied,
    Evicted,
    FellBack,
    Noticed,
    Pinned,
    Resumed,
    Stopped,
    Undone,
    Unpinned,
    Warned,
)

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
            assert_never(event)


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


def _resumed(event: Resumed) -> Iterator[str]:
    """What was found, and what the end of the last sitting left open."""
    found = event.transcript
    asked = sum(turn.role == "user" for turn in found.turns)
    yield f"resumed {event.session}: {asked} questions, {len(found.turns)} turns"
    if event.damage:
        yield event.damage
    for command in found.interrupted:
        yield f"nobody saw how this ended: {command}"
    if found.aborted:
        yield f"{len(found.aborted)} interrupted tool calls are closed"
    if found.unanswered:
        line = " ".join(found.unanswered.split())
        short = line if len(line) <= LONGEST else line[: LONGEST - 1] + "…"
        yield f"this question got no answer: {short}"
