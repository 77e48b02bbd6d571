"""Plain text as it streams."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from aish.ui.wrapping import WrappedStream

TEXT = (
    "Some words that go on for a while, and then some more.\n\n- an item that is too long for it\n"
)
CODE = "```sh\nls -l    /a/very/long/path/that/does   | wc\n```\n| a | table that is wide |\n"


def wrapped(text: str, width: int) -> str:
    stream = WrappedStream(width)
    return "".join(map(stream.feed, text)) + stream.close()


def test_lines_end_between_words_and_items_hang() -> None:
    assert wrapped(TEXT, 25).splitlines() == [
        *("Some words that go on", "for a while, and then", "some more.", ""),
        *("- an item that is too", "  long for it"),
    ]


def test_code_and_tables_stay_as_written() -> None:
    assert wrapped(CODE, 20) == CODE


@settings(max_examples=60, derandomize=True, deadline=None)
@given(st.text("ab -`|1.\n", max_size=80), st.integers(1, 40))
def test_no_word_is_lost_or_broken(text: str, width: int) -> None:
    assert wrapped(text, width).split() == text.split()
