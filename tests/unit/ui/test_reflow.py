"""Where a terminal puts the rows of the prompt when its window is made narrower."""

from __future__ import annotations

import pytest
from prompt_toolkit.data_structures import Point
from prompt_toolkit.layout.screen import Char, Screen

from aish.ui.reflow import reflows, rows_above


def drawn(*rows: str) -> Screen:
    screen = Screen()
    for number, row in enumerate(rows):
        for at, letter in enumerate(row):
            screen.data_buffer[number][at] = Char(letter, "")
    return screen


@pytest.mark.parametrize(
    ("columns", "above"), [(80, 2), (79, 3), (40, 3), (39, 4), (20, 6), (10, 11)]
)
def test_every_row_above_the_cursor_counts_as_often_as_it_is_broken(
    columns: int, above: int
) -> None:
    screen = drawn(80 * "a", "", 25 * "b" + "     ")
    assert rows_above(screen, Point(x=25, y=2), columns) == above


def test_blanks_behind_a_row_are_not_broken() -> None:
    assert rows_above(drawn("ab" + 70 * " ", "c"), Point(x=1, y=1), 20) == 1


def test_only_terminals_known_to_break_rows_anew_are_followed() -> None:
    assert reflows({"TMUX": "/tmp/tmux-0/default,1,0"})
    assert reflows({"TERM_PROGRAM": "vscode"})
    assert not reflows({"TERM": "xterm-256color", "XTERM_VERSION": "XTerm(380)"})
