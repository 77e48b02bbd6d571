"""Looking for many words at once, by a letter that they share.

One expression that begins with a letter is four times as fast as one that begins with any of them,
and as each word by itself costs as much as a letter, six words cost what two did.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import groupby

Search = Callable[[bytes, int], re.Match[bytes] | None]


def compile_words(words: Iterable[tuple[str, str, str]]) -> Search:
    """One search for words that share a letter, each with what must follow it: an expression.

    The number of the group that was found is that of the word.
    """
    words = tuple(words)
    letter = words[0][1]
    blocks = groupby(words, lambda word: word[0].index(letter) == len(word[0]) - 1)
    expressions = (_ending(block) if ends else _going_on(block) for ends, block in blocks)
    search = re.compile(f"{re.escape(letter)}(?:{'|'.join(expressions)})".encode()).search
    byte = letter.encode()

    def found(text: bytes, at: int) -> re.Match[bytes] | None:
        """What is not there at all is seen twenty times as fast."""
        return search(text, at) if text.find(byte, at) >= 0 else None

    return found


def _going_on(words: Iterable[tuple[str, str, str]]) -> str:
    """What follows the letter fails at once; only then comes what stood before it."""
    expressions = []
    for word, letter, after in words:
        at = word.index(letter)
        begun = f"(?<={re.escape(word)})" if at else ""
        expressions.append(f"{re.escape(word[at + 1 :])}{begun}{after}()")
    return "|".join(expressions)


def _ending(words: Iterable[tuple[str, str, str]]) -> str:
    """Words that end with the letter: the one before it is looked at first, once for all."""
    words = tuple(words)
    before = {re.escape(word[-2]) for word, _, _ in words if len(word) > 1}
    if len(before) < len({word[-2:] for word, _, _ in words}):
        return _going_on(words)  # one is nothing but the letter
    letter = re.escape(words[0][1])
    return f"(?<=[{''.join(sorted(before))}]{letter})(?:{_going_on(words)})"
