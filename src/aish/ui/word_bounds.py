"""Where words begin and end for the keys that move by them: letters and digits, as in readline."""

from __future__ import annotations

from typing import NamedTuple


class WordSpan(NamedTuple):
    start: int
    end: int


def word_after(text: str, place: int) -> WordSpan:
    """The word at or after a place; empty at the end when there is none."""
    start = place
    while start < len(text) and not text[start].isalnum():
        start += 1
    end = start
    while end < len(text) and text[end].isalnum():
        end += 1
    return WordSpan(start, end)


def word_before(text: str, place: int) -> WordSpan:
    """The word before a place; empty at the beginning when there is none."""
    end = place
    while end > 0 and not text[end - 1].isalnum():
        end -= 1
    start = end
    while start > 0 and text[start - 1].isalnum():
        start -= 1
    return WordSpan(start, end)


def turned_words(text: str, place: int) -> tuple[str, int]:
    """The word at or before the cursor and the one before it, in each other's place."""
    second = word_after(text, word_before(text, place).start if _inside(text, place) else place)
    if second.start == second.end:
        second = word_before(text, place)
    first = word_before(text, second.start)
    if first.start == first.end:
        return text, place
    between = text[first.end : second.start]
    turned = text[second.start : second.end] + between + text[first.start : first.end]
    return text[: first.start] + turned + text[second.end :], second.end


def _inside(text: str, place: int) -> bool:
    return 0 < place < len(text) and text[place].isalnum() and text[place - 1].isalnum()
