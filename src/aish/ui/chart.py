"""A model's window as a bar and a table: what fills it, what is kept for the answer, what is free.

Colours tell the parts apart; without them letters do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from aish.core.context.eviction import Breakdown
from aish.core.values import dataclass
from aish.ui.style import BLUE, CYAN, DIM, GREEN, GREY, MAGENTA, RED, YELLOW, paint

WIDEST_BAR = 100
NARROW = 32  # columns below which numbers are shortened


@dataclass(frozen=True, slots=True)
class ChartPart:
    """One part of the window and how it is drawn."""

    name: str
    colour: str
    block: str  # with colours
    letter: str  # without


PARTS = (
    ChartPart("system", BLUE, "█", "S"),
    ChartPart("memory", MAGENTA, "█", "M"),
    ChartPart("project", CYAN, "█", "P"),
    ChartPart("pins", GREEN, "▓", "!"),
    ChartPart("summary", YELLOW, "█", "N"),
    ChartPart("goal", BLUE, "▓", "G"),
    ChartPart("examples", MAGENTA, "▓", "E"),
    ChartPart("conversation", GREEN, "█", "C"),
    ChartPart("tools", RED, "█", "T"),
    ChartPart("reserve", GREY, "▒", "r"),
    ChartPart("free", DIM, "░", "."),
)


RARE = ("pins", "goal", "examples")  # named only where they are


def bar(found: Breakdown, width: int, *, colours: bool) -> str:
    """One line of at most `width` cells; every part that is there shows."""
    cells = shares([getattr(found, part.name) for part in PARTS], min(width, WIDEST_BAR))
    return "".join(
        paint((part.block if colours else part.letter) * count, part.colour, on=colours)
        for part, count in zip(PARTS, cells, strict=True)
    )


def shares(amounts: Sequence[int], cells: int) -> list[int]:
    """Whole cells in proportion to the amounts; at least one for each that is not zero."""
    total = sum(amounts)
    if total <= 0 or cells <= 0:
        return [0] * len(amounts)
    exact = [cells * amount / total for amount in amounts]
    given = [
        max(int(part), 1 if amount else 0) for part, amount in zip(exact, amounts, strict=True)
    ]
    order = sorted(range(len(amounts)), key=lambda at: exact[at] - given[at], reverse=True)
    for at in order[: max(0, cells - sum(given))]:
        given[at] += 1
    while sum(given) > cells:
        largest = max(range(len(given)), key=given.__getitem__)
        given[largest] -= 1
    return given


def rows(found: Breakdown, width: int, *, colours: bool) -> Iterator[str]:
    """The parts with their tokens and their share of the window, within `width` columns."""
    for part in PARTS:
        tokens = getattr(found, part.name)
        if not tokens and part.name in RARE:
            continue
        mark = paint(part.block if colours else part.letter, part.colour, on=colours)
        if width < NARROW:
            room = max(0, width - 7)
            yield f"{mark} {part.name[:room]:<{room}} {short(tokens):>4}"
        else:
            yield f"{mark} {part.name:<12} {tokens:>11,} {percent(tokens, found.window):>5}"


def percent(tokens: int, window: int) -> str:
    return f"{100 * tokens / window:.0f} %" if window > 0 else "?"


def short(tokens: int) -> str:
    """A number in at most four characters, rounded where it must be."""
    for limit, unit, size in ((10_000, "", 1), (999_500, "k", 1000), (999_500_000, "M", 10**6)):
        if tokens < limit:
            return f"{tokens / size:.0f}{unit}"
    return f"{tokens / 10**9:.0f}G"
