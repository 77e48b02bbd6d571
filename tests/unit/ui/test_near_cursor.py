"""Of a very long line only what is near the cursor is laid out, and the screen is the same."""

from __future__ import annotations

import pytest
from prompt_toolkit.application import Application
from prompt_toolkit.application.current import set_app
from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.layout import BufferControl
from prompt_toolkit.layout.processors import Transformation, TransformationInput
from prompt_toolkit.output import DummyOutput

from aish.ui.near_cursor import NearCursor

WINDOW = 40 * 80  # what DummyOutput says


def laid_out(text: str, cursor: int, lineno: int = 0) -> Transformation:
    document = Document(text, cursor)
    line = document.lines[lineno]
    fragments: StyleAndTextTuples = [("", line[:7]), ("bold", line[7:])]
    given = TransformationInput(
        BufferControl(), document, lineno, lambda place: place, fragments, 80, 40
    )
    with set_app(Application[None](output=DummyOutput())):
        return NearCursor().apply_transformation(given)


def shown(found: Transformation) -> str:
    return "".join(text for _, text, *_ in found.fragments)


def test_a_line_of_ordinary_length_is_laid_out_whole() -> None:
    assert shown(laid_out("echo " * 100, 300)) == "echo " * 100


@pytest.mark.parametrize("cursor", [0, 1, WINDOW, 5 * WINDOW + 17, 50_000, 99_999, 100_000])
def test_a_window_on_each_side_of_the_cursor_is_kept(cursor: int) -> None:
    text = "".join(chr(33 + number % 90) for number in range(100_000))
    found = laid_out(text, cursor)
    place = found.source_to_display(cursor)
    assert shown(found)[:place].endswith(text[max(0, cursor - WINDOW) : cursor])
    assert shown(found)[place:].startswith(text[cursor : cursor + WINDOW])
    assert found.display_to_source(place) == cursor
    assert len(shown(found)) <= 3 * WINDOW


def test_rows_stay_where_they_are_when_the_cursor_moves_on() -> None:
    starts = {laid_out("x" * 60_000, at).display_to_source(0) for at in range(0, 60_000, 61)}
    assert all(start % 80 == 0 for start in starts)


def test_of_lines_above_and_below_the_near_end_is_kept() -> None:
    text = "a" * 20_000 + "END\n" + "here\n" + "BEGIN" + "b" * 20_000
    at = text.index("here")
    assert shown(laid_out(text, at, 0)).endswith("END")
    assert shown(laid_out(text, at, 2)).startswith("BEGIN")
