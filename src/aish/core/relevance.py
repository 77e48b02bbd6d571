"""How well short texts fit a question: BM25 over words, found by plain text search.

An index over everything would be the classical way; but a memory is ranked once per session, and
searching the joined texts for a handful of words is faster than reading all of them into an index.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate, pairwise
from math import log

from aish.core.values import dataclass

K1, B = 1.2, 0.75
MAX_WORDS = 24  # of a question; the rest of a long one adds little

_COMMON = """
a about all an and any are as at be been but by can could did do does for from get had has have he
her him his how i if in into is it its just like make me my no not of on one or our out she should
so some such than that the their them then there these they this to too up us use user users very
want was we were what when where which who why will with would you your
"""
_STOP = frozenset(_COMMON.split())
_PUNCTUATION = {code: " " for code in range(1, 128) if not chr(code).isalnum()}
_BETWEEN = " \0 "  # texts; every word has a space on both sides
_ENDINGS = ("ments", "ment", "ings", "ing", "ies", "ed", "es", "s", "e", "y")
_WIDE = re.compile(
    "[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]+"
)  # no spaces between words


@dataclass(frozen=True, slots=True)
class Fit:
    """Scores from 0 to 1 by position, and the words that made them; other texts score 0."""

    scores: dict[int, float]
    matched: dict[int, tuple[str, ...]]


def relevance(texts: Sequence[str], question: str) -> Fit:
    """How well each text fits the question; a text holds no NUL."""
    words = question_words(question)
    if not words or not texts:
        return Fit({}, {})
    joined = f" {_BETWEEN.join(texts)} ".lower().translate(_PUNCTUATION)
    lines = joined.split("\0")
    ends = [end + place for place, end in enumerate(accumulate(map(len, lines)), 1)]
    mean = ends[-1] / len(ends)
    scores: dict[int, float] = {}
    matched: dict[int, list[str]] = {}
    for word, sought in words.items():
        counts = _counts(joined, sought, ends)
        rarity = log(1 + (len(lines) - len(counts) + 0.5) / (len(counts) + 0.5))
        for position, count in counts.items():
            long = 1 - B + B * (len(lines[position]) + 1) / mean
            gain = rarity * count * (K1 + 1) / (count + K1 * long)
            scores[position] = scores.get(position, 0.0) + gain
            matched.setdefault(position, []).append(word)
    best = max(scores.values(), default=1.0)
    return Fit(
        {position: score / best for position, score in scores.items()},
        {position: tuple(found) for position, found in matched.items()},
    )


def question_words(question: str) -> dict[str, str]:
    """The telling words of a question, each with what is looked for.

    A longer word is looked for by its stem at the beginning of a word, so that `deploying` finds
    `deployment`; a script without spaces is looked for by pairs of characters.
    """
    words: dict[str, str] = {}
    for word in question.lower().translate(_PUNCTUATION).split():
        if wide := "".join(_WIDE.findall(word)):
            words.update((pair, pair) for pair in map("".join, pairwise(wide)))
        elif word not in _STOP and len(word) > 1:
            stem = _stem(word)
            words[word] = f" {stem}" if len(stem) > 3 else f" {word} "
    return dict(list(words.items())[:MAX_WORDS])


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word.removesuffix(ending)
    return word


def _counts(joined: str, sought: str, ends: Sequence[int]) -> dict[int, int]:
    """How often each text holds what is sought; nothing when it is in most: it tells nothing."""
    if joined.count(sought) > max(3, len(ends) // 2):
        return {}
    counts: dict[int, int] = {}
    at = joined.find(sought)
    while at >= 0:
        position = bisect_right(ends, at)
        counts[position] = counts.get(position, 0) + 1
        at = joined.find(sought, at + len(sought) - 1)
    return counts
