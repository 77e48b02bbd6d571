"""The window as a bar and a table, at any width, with colours and without."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aish.core.context.eviction import Breakdown
from aish.ui.chart import PARTS, bar, percent, rows, shares, short

ESCAPES = re.compile(r"\x1b\[[0-9;]*m")
amounts = st.integers(0, 2_000_000)


def window(**parts: int) -> Breakdown:
    values = dict.fromkeys((part.name for part in PARTS), 0) | parts
    return Breakdown(**values, window=sum(values.values()), method="estimated")


@given(st.lists(amounts, min_size=len(PARTS), max_size=len(PARTS)), st.integers(0, 300))
def test_the_cells_add_up_and_no_part_is_hidden_while_there_is_room(
    parts: list[int], cells: int
) -> None:
    given = shares(parts, cells)
    assert sum(given) == (cells if sum(parts) else 0)
    assert all(count == 0 for count, amount in zip(given, parts, strict=True) if not amount)
    if cells >= len(parts):
        assert all(count for count, amount in zip(given, parts, strict=True) if amount)


@given(st.lists(amounts, min_size=len(PARTS), max_size=len(PARTS)), st.booleans())
def test_no_line_is_wider_than_the_screen(parts: list[int], colours: bool) -> None:
    found = window(**dict(zip((part.name for part in PARTS), parts, strict=True)))
    for width in range(9, 120):
        lines = [bar(found, width, colours=colours), *rows(found, width, colours=colours)]
        assert max(len(ESCAPES.sub("", line)) for line in lines) <= width


@pytest.mark.parametrize("width", [19, 79, 199])
def test_without_colours_letters_tell_the_parts_apart(width: int) -> None:
    found = window(system=100, conversation=300, reserve=100, free=500)
    drawn = bar(found, width, colours=False)
    assert "\x1b" not in drawn
    assert re.fullmatch(r"S+C+r+\.+", drawn)
    table = list(rows(found, width, colours=False))
    assert [line[0] for line in table] == list("SMPNCTr.")
    assert "300" in table[4]


def test_with_colours_each_part_has_its_own() -> None:
    found = window(system=1, memory=1, project=1, summary=1, conversation=1, tools=1, free=1)
    drawn = bar(found, 70, colours=True)
    assert len(set(ESCAPES.findall(drawn))) == 8


def test_numbers_stay_short_on_a_narrow_screen() -> None:
    numbers = [0, 999, 9_999, 10_000, 999_400, 2_000_000, 3 * 10**9]
    assert [short(number) for number in numbers] == [
        *("0", "999", "9999", "10k", "999k", "2M", "3G")
    ]


def test_a_window_of_nothing_has_no_percentage() -> None:
    assert percent(5, 0) == "?"
    assert bar(window(), 20, colours=False) == ""
