"""What was laid down in this conversation and is kept word for word, whatever else leaves it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aish.core.errors import UsageError
from aish.ui.meta.registry import meta

if TYPE_CHECKING:
    from aish.core.context.pins import Pin
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
    found, said = _listed(session)
    if not found:
        session.screen.notice("nothing is pinned; `:pin TEXT` keeps something for good")
    for number, one in enumerate(found, 1):
        kind = "task" if one.is_task else one.kind
        text = " ".join(one.text.split())
        room = max(20, session.screen.width - 20)
        session.screen.line(f"{number:>3}  {kind:<10} {text[:room]}")
    if said:
        what = "1 other thing you said is" if said == 1 else f"{said} other things you said are"
        session.screen.notice(f"{what} kept while there is room")


def _listed(session: Session) -> tuple[list[Pin], int]:
    """What is pinned, and how many statements are kept beside it."""
    pins = session.conversation.context.pins
    found = [one for one in pins if one.kind != "said"]
    return found, len(pins) - len(found)


@meta("unpin", "NUMBER")
def unpin(session: Session, argument: str) -> None:
    """Keep one of the pins no longer; `:pins` has their numbers."""
    found, _ = _listed(session)
    number = argument.strip()
    if not number.isdecimal() or not 1 <= int(number) <= len(found):
        raise UsageError(f"there is no pin {number!r}", "`:pins` lists them with their numbers")
    session.play(session.conversation.unpin(found[int(number) - 1].text))
