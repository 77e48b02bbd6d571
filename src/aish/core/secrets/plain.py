"""A text as its reader sees it, without colours and invisible characters, and the way back."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate

_INVISIBLE = (
    "\u00ad\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e"
    "\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068\u2069\ufeff"
)
_ASCII = bytes(range(128))
_UNSEEN = re.compile(
    "\x1b\\[[0-?]*[ -/]*[@-~]|\x1b\\][^\x07\x1b]*(?:\x07|\x1b\\\\)|\x1b[()][0-9A-B]|\x1b[=>78cMDEH]"
    f"|[{_INVISIBLE}]"
)


class Plain:
    """The visible text, and where each place of it stands in the whole."""

    def __init__(self, text: str) -> None:
        kept, places, at = [], [], 0
        for found in _UNSEEN.finditer(text):
            if found.start() > at:
                kept.append(text[at : found.start()])
                places.append(at)
            at = found.end()
        kept.append(text[at:])
        places.append(at)
        self.text = "".join(kept)
        self._places = places
        self._starts = [0, *accumulate(map(len, kept))][:-1]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """A span of the visible text in the whole one, with all that stands inside it."""
        return self._place(start), self._place(end - 1) + 1

    def _place(self, at: int) -> int:
        piece = bisect_right(self._starts, at) - 1
        return self._places[piece] + at - self._starts[piece]


def has_unseen(text: str) -> bool:
    """Whether the text is not all visible; almost every text is, and that costs next to nothing."""
    if "\x1b" in text:
        return _UNSEEN.search(text) is not None
    return not text.isascii() and not strange(text).isdisjoint(_INVISIBLE)


def strange(text: str) -> frozenset[str]:
    """The characters of the text that are not ASCII."""
    encoded = text.encode("utf-8", "surrogatepass").translate(None, _ASCII)
    return frozenset(encoded.decode("utf-8", "surrogatepass"))
