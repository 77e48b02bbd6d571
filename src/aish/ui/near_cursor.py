"""A very long line while it is edited: only what is near the cursor is laid out."""

from __future__ import annotations

from prompt_toolkit.application import get_app
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.formatted_text.utils import fragment_list_len
from prompt_toolkit.layout.processors import Processor, Transformation, TransformationInput

SHORT = 4_000  # letters; a line up to this is laid out as it is


class NearCursor(Processor):
    """Leaves out what is more than a window away from the cursor.

    Laying out is work for every letter of the line with every key, and nobody sees those. What is
    left fills the window on both sides, so that the screen is the same with and without.
    """

    def apply_transformation(self, given: TransformationInput) -> Transformation:
        length = fragment_list_len(given.fragments)
        if length <= SHORT:
            return Transformation(given.fragments)
        rows, columns = get_app().output.get_size()
        start, end = _kept(_cursor(given, length), length, max(rows * columns, columns))
        return Transformation(
            _cut(given.fragments, start, end),
            source_to_display=lambda place: min(max(place - start, 0), end - start),
            display_to_source=lambda place: place + start,
        )


def _cursor(given: TransformationInput, length: int) -> int:
    """Where the cursor is in this line; at the near end of one above or below it."""
    row = given.document.cursor_position_row
    if given.lineno != row:
        return length if given.lineno < row else 0
    return given.source_to_display(given.document.cursor_position_col)


def _kept(cursor: int, length: int, window: int) -> tuple[int, int]:
    """What is kept: in steps of a window, whole rows, so that rows stay where they are."""
    start = max(0, cursor // window - 1) * window
    return start, min(length, start + 3 * window)


def _cut(fragments: StyleAndTextTuples, start: int, end: int) -> StyleAndTextTuples:
    kept: StyleAndTextTuples = []
    at = 0
    for style, text, *_ in fragments:
        piece = text[max(0, start - at) : max(0, end - at)]
        at += len(text)
        if piece:
            kept.append((style, piece))
    return kept
