"""Words as the keys that move by them see them."""

from __future__ import annotations

import pytest

from aish.ui.word_bounds import turned_words, word_after, word_before


def test_a_word_is_letters_and_digits() -> None:
    assert word_after("--foo_bar", 0) == (2, 5)
    assert word_after("--foo_bar", 5) == (6, 9)
    assert word_before("größe=ñandú2", 12) == (6, 12)


def test_at_the_ends_there_is_no_word() -> None:
    assert word_after("ls --", 2) == (5, 5)
    assert word_before("--ls", 2) == (0, 0)


@pytest.mark.parametrize(
    ("text", "place", "turned"),
    [
        ("p aa bb", 7, ("p bb aa", 7)),
        ("p aa bb cc", 8, ("p aa cc bb", 10)),
        ("aa", 2, ("aa", 2)),
        ("", 0, ("", 0)),
    ],
)
def test_two_words_change_places(text: str, place: int, turned: tuple[str, int]) -> None:
    assert turned_words(text, place) == turned
