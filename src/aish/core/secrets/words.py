"""One search for all the words that may call what is near them secret."""

from __future__ import annotations

from collections.abc import Iterator

from aish.core.secrets.codes import code_at, spoken_code_at
from aish.core.secrets.found import Found, Place
from aish.core.secrets.named import named_at
from aish.core.secrets.names import (
    FOREIGN,
    FOREIGN_CODES,
    FOREIGN_KEYS,
    HINTS,
    KEY,
    NAMES,
    OUTRIGHT,
    SIGNS,
    Name,
)
from aish.core.secrets.places import begins_word, is_result
from aish.core.secrets.plain import strange
from aish.core.secrets.prose import phrase_told_at, told_at, told_key_at
from aish.core.secrets.search import Search, compile_words


def spoken_of(text: str, lower: bytes, places: list[Place]) -> Iterator[Found]:
    """Every value that a word near it calls secret; where such words stand is added to the places."""
    for search, names in _SEARCHES:
        found = search(lower, 0)
        while found:
            name, offset = names[(found.lastindex or 1) - 1]
            at, end = found.start() - offset, found.end()
            if (name.whole and not begins_word(text, at)) or is_result(text, at):
                found = search(lower, end)
                continue
            if name.word not in SIGNS:
                places.append((at, name.word.strip() in OUTRIGHT))
            if value := name.look(text, at):
                yield value
                end = max(end, value[1])
            elif name.others:
                yield from name.others(text, at)
            found = search(lower, end)
    if not text.isascii():
        yield from _foreign(text, places)


def _foreign(text: str, places: list[Place]) -> Iterator[Found]:
    letters = strange(text)
    for word in (*FOREIGN, *FOREIGN_KEYS, *FOREIGN_CODES):
        at = text.find(word) if letters.issuperset(ch for ch in word if not ch.isascii()) else -1
        while at >= 0:
            places.append((at, True))
            if found := named_at(text, at) or _told_of(word, text, at + len(word)):
                yield found
            at = text.find(word, at + len(word))


def _told_of(word: str, text: str, end: int) -> Found | None:
    """What is told in another language, whatever the ending of the word."""
    if word in FOREIGN_CODES:
        return code_at(text, end - len(word)) or spoken_code_at(text, end)
    if word in FOREIGN_KEYS:
        return told_key_at(text, end)
    return told_at(text, end) or phrase_told_at(text, end)


def _searches() -> tuple[tuple[Search, tuple[tuple[Name, int], ...]], ...]:
    """One search for each letter, with the words it finds and where the letter stands in them."""
    groups: dict[str, list[Name]] = {}
    for name in (*NAMES, KEY, *HINTS):
        groups.setdefault(name.letter, []).append(name)
    return tuple(
        (
            compile_words((name.word, letter, name.after) for name in names),
            tuple((name, name.word.index(letter)) for name in names),
        )
        for letter, names in groups.items()
    )


_SEARCHES = _searches()
