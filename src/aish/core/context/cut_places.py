"""Where a long conversation is cut and aged: places that depend on the messages alone.

A function that keeps nothing between calls must find the same place again as the conversation
grows, or the server's prompt cache is lost at every call. So each place has a lot, the roundest
number between it and the place before it, and of the places that would do the roundest wins: it
stays the winner until it no longer fits or a rounder one comes, half a window later.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from aish.core.context.history import CutPlace
from aish.core.values import dataclass

AGE_LEAST, AGE_MOST = 0.15, 0.8  # of the room: what stays as it is after an ageing
AGEING_HELPS = 0.8  # of all tokens: above this placeholders would save little
CUT_LEAST = 0.6  # of the low-water mark: what stays filled at least after a cut


@dataclass(frozen=True, slots=True)
class CutLimits:
    """What a choice must keep to."""

    room: int  # tokens
    low: float  # the part of the room that stays filled after a cut
    max_age: int  # steps
    size: int  # messages in all
    turns: int | None  # messages shown at most
    keep: int  # recent exchanges that stay while they fit


@dataclass(frozen=True, slots=True)
class ChosenCut:
    """Messages before `cut` are left out; results before `aged` are placeholders."""

    cut: int
    aged: int


def lot(before: int, at: int) -> int:
    """The power of two of the roundest number above `before` and not above `at`."""
    power = 0
    while at >> (power + 1) << (power + 1) > before:
        power += 1
    return power


def lots(places: Sequence[CutPlace], stopped: int) -> dict[int, int]:
    """The lot of every place; `places` go from the newest back, `stopped` is where they end."""
    found = {later.at: lot(earlier.at, later.at) for later, earlier in pairwise(places)}
    if places and places[-1].at == stopped:
        found[places[-1].at] = 0  # what stands before it was not looked at
    elif places:
        found[places[-1].at] = lot(stopped, places[-1].at)
    return found


def aged_border(
    places: Sequence[CutPlace], rank: dict[int, int], room: int, max_age: int
) -> CutPlace:
    """The place before which old results become placeholders."""
    fitting = [place for place in places if place.full <= AGE_MOST * room]
    if not fitting:
        return places[0]
    good = [p for p in fitting if p.full >= AGE_LEAST * room or p.steps > max_age]
    return max(good or fitting[-1:], key=lambda place: rank[place.at])


def chosen(
    places: Sequence[CutPlace], stopped: int, heads: dict[int, int], limits: CutLimits
) -> ChosenCut | None:
    """The cut and the border of ageing, or None where nothing fits by these alone.

    `heads` tells for a place inside an exchange how many tokens its user turn takes.
    """
    if not places:
        return None
    rank = lots(places, stopped)
    room, oldest = limits.room, places[-1]
    if oldest.aged > AGEING_HELPS * oldest.full:
        spent = {place.at: place.full + heads[place.at] for place in places}
        cut = _cut(places, rank, spent, CUT_LEAST * limits.low * room, limits)
        return None if cut is None else ChosenCut(cut, cut)
    border = aged_border(places, rank, room, limits.max_age)
    # What is not aged grows and shrinks; counting it at its most keeps the cut from swinging.
    recent = max(border.full, int(AGE_MOST * room))
    older = [place for place in places if place.at <= border.at]
    spent = {place.at: recent + place.aged - border.aged + heads[place.at] for place in older}
    cut = _cut(older, rank, spent, recent + CUT_LEAST * limits.low * (room - recent), limits)
    if cut is None:  # not even that fits: the recent part alone, or less of it
        spent = {place.at: place.full + heads[place.at] for place in places}
        cut = _cut(places, rank, spent, 0, limits)
    return None if cut is None else ChosenCut(cut, border.at)


def _cut(
    places: Sequence[CutPlace], rank: dict[int, int], spent: dict[int, int], least: float,
    limits: CutLimits,
) -> int | None:  # fmt: skip
    """The roundest place that fits and leaves at least `least`; None where none fits."""
    size, turns = limits.size, limits.turns
    fitting = [
        place
        for place in places
        if spent[place.at] <= limits.room and (turns is None or size - place.at <= turns)
    ]
    if not fitting:
        return None
    half = 0 if turns is None else turns // 2
    full = [p for p in fitting if spent[p.at] >= least or 0 < half <= size - p.at]
    enough = full or fitting[-1:]
    best = max([p for p in enough if p.is_user] or enough, key=lambda place: rank[place.at])
    recent = [place for place in fitting if place.is_user][: max(1, limits.keep)]
    return min([best.at, *(place.at for place in recent[-1:])])
