"""What was laid down in this conversation and is kept word for word, whatever else leaves it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aish.core.errors import UsageError
from aish.ui.meta.registry import meta

if TYPE_CHECKING:
    from aish.ui.session import Session


@meta("pin", "TEXT")
def pin(session: Session, argument: str) -> None:
    """Keep a text word for word in every prompt of this conversation."""
    text = argument.strip()
    if not text:
        raise UsageError("there is nothing to pin", ":pin never touch /etc")
    session.play(session.conversation.pin(text))


@meta("pins")
def pins(session: Session, argument: str) -> None:
    """List the goals, rules, corrections and answers that are kept."""
    del argument
    context = session.conversation.context
    if not context.pins:
        session.screen.notice("nothing is pinned; `:pin TEXT` keeps something for good")
        return
    for number, one in enumerate(context.pins, 1):
        kind = "task" if one.is_task else one.kind
        text = " ".join(one.text.split())
        room = max(20, session.screen.width - 20)
        session.screen.line(f"{number:>3}  {kind:<10} {text[:room]}")


@meta("unpin", "NUMBER")
def unpin(session: Session, argument: str) -> None:
    """Keep one of the pins no longer; `:pins` has their numbers."""
    found = session.conversation.context.pins
    number = argument.strip()
    if not number.isdecimal() or not 1 <= int(number) <= len(found):
        raise UsageError(f"there is no pin {number!r}", "`:pins` lists them with their numbers")
    session.play(session.conversation.unpin(found[int(number) - 1].text))
