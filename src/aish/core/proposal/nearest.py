"""Which known pairs of request and command are most like a request."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from math import log, sqrt

Pair = tuple[str, str]

_WORD = re.compile(r"[^\s,;?!\"']+")
_NAME = re.compile(r"[/\d*]|\w\.\w")  # of a file, a path, a pattern or a number
_ENDING = re.compile(r"(ies|es|s|ed|ing)$")
_FAINT_WORDS = frozenset(
    [
        "a",
        "an",
        "the",
        "of",
        "in",
        "on",
        "at",
        "to",
        "from",
        "for",
        "with",
        "and",
        "or",
        "by",
        "all",
        "my",
        "this",
        "that",
        "is",
        "are",
        "it",
        "me",
        "i",
        "you",
        "please",
        "can",
        "could",
        "here",
        "how",
        "do",
        "does",
        "what",
        "which",
        "show",
        "list",
        "print",
    ]
)
_FAINT = 0.3  # what a common word counts of a rare one


class Nearest:
    """Finds pairs by the words they share with a request, the rarer the better."""

    def __init__(self, pairs: Sequence[Pair]) -> None:
        self._pairs = pairs
        self._words = [frozenset(_words(request)) for request, _ in pairs]
        self._seen = Counter(word for words in self._words for word in words)
        self._lengths = [self._length(words) for words in self._words]

    def to(self, request: str, most: int) -> list[Pair]:
        """The pairs most like a request, the nearest first, each with a command of its own."""
        wanted = frozenset(_words(request))
        length = self._length(wanted)
        likeness = [
            self._length(wanted & words) ** 2 / (length * own or 1.0)
            for words, own in zip(self._words, self._lengths, strict=True)
        ]
        order = sorted(range(len(likeness)), key=likeness.__getitem__, reverse=True)
        found: dict[str, Pair] = {}
        for number in order[: 10 * most]:
            if likeness[number] and len(found) < most:
                found.setdefault(self._pairs[number][1], self._pairs[number])
        return list(found.values())

    def _length(self, words: frozenset[str]) -> float:
        return sqrt(sum(self._weight(word) ** 2 for word in words))

    def _weight(self, word: str) -> float:
        rare = log(1 + len(self._pairs) / (1 + self._seen[word]))
        return rare * _FAINT if word in _FAINT_WORDS else rare


def _words(request: str) -> Iterator[str]:
    """Words as they are compared: names are all alike but for their kind, endings fall away."""
    for found in _WORD.findall(request.lower()):
        word = found.rstrip(".")
        if _NAME.search(word):
            yield "/"
            if "." in word:
                yield "." + word.rpartition(".")[2]
        elif word:
            yield _ENDING.sub("", word) if len(word) > 4 and word not in _FAINT_WORDS else word
