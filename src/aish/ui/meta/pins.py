"""What was laid down in this conversation and is kept word for word, whatever else leaves it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aish.core.errors import UsageError
from aish.core.typed_numbers import number_in
from aish.ui.meta.registry import meta

if TYPE_CHECKING:
    from aish.core.context.pins import Pin
    from aish.ui.face import Face


@meta("pin", "TEXT")
def pin(face: Face, argument: str) -> None:
    """Keep a text word for word in every prompt of this conversation."""
    text = argument.strip()
    if not text:
        raise UsageError("there is nothing to pin", ":pin never touch /etc")
    face.play(face.conversation.pin(text))


@meta("pins", "[all]", choices=lambda _: ["all"])
def pins(face: Face, argument: str) -> None:
    """List the goals, rules, corrections and answers that are kept.

    `:pins all` also lists what else you said and is kept while there is room.
    """
    if argument not in ("", "all"):
        raise UsageError(f"{argument!r} is not `all`", ":pins, or :pins all")
    found, said = _listed(face)
    if not found:
        face.screen.notice("nothing is pinned; `:pin TEXT` keeps something for good")
    for number, one in enumerate([*found, *said] if argument else found, 1):
        _show(face, number, one)
    if said and not argument:
        many = f"{len(said)} other things you said are"
        what = "1 other thing you said is" if len(said) == 1 else many
        face.screen.notice(f"{what} kept while there is room; `:pins all` lists them")


def _show(face: Face, number: int, one: Pin) -> None:
    from aish.ui.finder import one_row

    kind = "task" if one.is_task else one.kind
    text = one_row(" ".join(one.text.split()), max(20, face.screen.width - 17))
    face.screen.line(f"{number:>3}  {kind:<10} {text}")


def _listed(face: Face) -> tuple[list[Pin], list[Pin]]:
    """What is pinned, and the statements that are kept beside it."""
    pins = face.conversation.context.pins
    return [one for one in pins if one.kind != "said"], [one for one in pins if one.kind == "said"]


@meta("unpin", "NUMBER")
def unpin(face: Face, argument: str) -> None:
    """Keep one of the pins no longer; `:pins` has their numbers."""
    found = [one for kept in _listed(face) for one in kept]
    named = argument.strip()
    number = number_in(named) or 0
    if not 1 <= number <= len(found):
        raise UsageError(f"there is no pin {named!r}", "`:pins` lists them with their numbers")
    face.play(face.conversation.unpin(found[number - 1].text))
