"""The words of a wallet: twelve or more in a row, all from the one list that wallets draw from."""

from __future__ import annotations

import re
from collections.abc import Iterator

from aish.core.secrets.found import Found

LEAST = 12  # words; a sentence has one that is not in the list long before
_BETWEEN = r"[ \t\r\n,\"'.):|\d-]{1,16}"
_ROW = re.compile(rf"(?<![a-zA-Z])[a-z]{{3,8}}(?:{_BETWEEN}[a-z]{{3,8}}(?![a-zA-Z])){{{LEAST - 1},48}}")
_WORD = re.compile(r"[a-z]+")
_FIRST = 4  # letters that tell the words of the list apart


def seeds(text: str) -> Iterator[Found]:
    """Every row of them, with whatever numbers, commas and quotes stand between."""
    for row in _ROW.finditer(text):
        first = last = -1
        count = 0
        for word in _WORD.finditer(text, *row.span()):
            if word[0][:_FIRST] in _beginnings():
                first, last, count = word.start() if count == 0 else first, word.end(), count + 1
                continue
            if count >= LEAST:
                yield first, last, "seed"
            count = 0
        if count >= LEAST:
            yield first, last, "seed"


def _beginnings() -> frozenset[str]:
    from aish.core.secrets.seed_words import BEGINNINGS

    return BEGINNINGS
