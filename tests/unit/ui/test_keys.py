"""Reading one key as an answer."""

from __future__ import annotations

import os

import pytest

from aish.ui.keys import answer_key, waiting_input


@pytest.mark.parametrize(
    ("typed", "key", "rest"),
    [
        (b"y", "y", ""),
        (b"\x1b[Iy", "y", ""),  # the window was entered, then a key pressed
        (b"\x1b[A", "", "\x1b[A"),
        (b"yes", "", "yes"),
    ],
)
def test_one_key_alone_is_an_answer_and_a_report_of_the_window_is_no_key(
    typed: bytes, key: str, rest: str
) -> None:
    reader, writer = os.pipe()
    try:
        os.write(writer, typed)
        assert answer_key(reader) == (key, rest)
        os.write(writer, b"\x1b[Oab")
        assert waiting_input(reader) == "ab"
    finally:
        os.close(reader)
        os.close(writer)
