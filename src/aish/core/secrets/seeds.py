"""The words of a wallet: twelve or more in a row, all from the one list that wallets draw from."""

from __future__ import annotations

import re
from collections.abc import Iterator

from aish.core.secrets.found import Found

PASTED = 4000  # characters; what is longer says somewhere what such words are
LEAST = 12  # words; a sentence has one that is not in the list long before
_BETWEEN = r"[ \t\r\n,\"'.):|\d-]{1,16}"
_ROW = re.compile(
    rf"(?<![a-zA-Z])[a-z]{{3,8}}+(?:{_BETWEEN}[a-z]{{3,8}}+(?![a-zA-Z])){{{LEAST - 1},48}}+"
)
_LINE = re.compile(
    rf"(?m)^(?:[^\n:]{{0,60}}:)?[ \t\"'>]*+([a-z]{{3,8}}+(?: [a-z]{{3,8}}+){{{LEAST - 1},23}}+)[\"']?[ \t\r]*$"
)
_NAMES = (
    b"seed",
    b"mnemonic",
    b"wallet",
    b"phrase",
    b"recover",
    b"words",
    b"bip39",
    b"restore",
    b"rter",
    b"semilla",
    b"ledger",
    b"trezor",
    b"billetera",
    b"portefeuille",
)
_BEFORE, _REACH = 60, 900  # characters around such a name
_WORD = re.compile(r"[a-z]+")
_PARTING = re.compile(r"[^a-z]+")
_COUNTS = (12, 15, 18, 21, 24)
_MOST_LEADING = 2  # words
_FIRST = 4  # letters that tell the words of the list apart


def seeds(text: str, lower: bytes) -> Iterator[Found]:
    """Every row of them: in a line of its own, and near a name with whatever stands between the words."""
    alone = _LINE.finditer(text) if len(text) <= PASTED else ()
    for row in (*alone, *_near_names(text, lower)):
        if whole := _mostly_listed(text, *row.span(row.lastindex or 0)):
            yield *whole, "seed"
            continue
        first = last = -1
        count = 0
        for word in _WORD.finditer(text, *row.span()):
            if word[0][:_FIRST] in _beginnings():
                first, last, count = word.start() if count == 0 else first, word.end(), count + 1
                continue
            if _is_drawn(text[first:last], count):
                yield first, last, "seed"
            count = 0
        if _is_drawn(text[first:last], count):
            yield first, last, "seed"


def _mostly_listed(text: str, start: int, end: int) -> tuple[int, int] | None:
    """As many words as a wallet has, parted by blanks, hardly one of another list; a word or two may lead to them."""
    words = list(_WORD.finditer(text, start, end))
    for lead in range(_MOST_LEADING + 1):
        row = [word[0] for word in words[lead:]]
        if len(row) not in _COUNTS or len(set(row)) * 8 < len(row) * 7 or row == sorted(row):
            continue
        span = words[lead].start(), words[-1].end()
        listed = sum(word[:_FIRST] in _beginnings() for word in row)
        if listed * 4 >= len(row) * 3 and text[slice(*span)] == " ".join(row):
            return span
    return None


def _is_drawn(row: str, count: int) -> bool:
    """Whether so many words were drawn: hardly one twice, and all parted alike; sentences and lists of names are not."""
    if count < LEAST:
        return False
    words, partings = _WORD.findall(row), _PARTING.findall(row)
    if words == sorted(words):
        return False  # a list of words
    signs = [
        "".join(sign for sign in parting if sign not in " \t\r\n0123456789") for parting in partings
    ]
    alike = max(map(signs.count, signs))
    different = len(set(words))
    if not any(signs):
        return different * 2 >= len(words)  # nothing but blanks: no sentence is so long
    return different * 8 >= len(words) * 7 and alike * 8 >= len(signs) * 7


def _near_names(text: str, lower: bytes) -> Iterator[re.Match[str]]:
    """`lower` is the text in small letters, a byte a character."""
    for name in _NAMES:
        at = lower.find(name)
        while at >= 0:
            yield from _ROW.finditer(text, max(0, at - _BEFORE), at + _REACH)
            at = lower.find(name, at + _REACH - _BEFORE)


def _beginnings() -> frozenset[str]:
    from aish.core.secrets.seed_words import BEGINNINGS

    return BEGINNINGS
