"""A text as its reader sees it, without colours and invisible characters, and the way back."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate

_INVISIBLE = (
    "\u00ad\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e"
    "\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068\u2069\ufeff"
)
_LAST_BYTES = frozenset(ch.encode()[-1] for ch in _INVISIBLE if ch.encode()[:2] == b"\xe2\x80")
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
        return True
    if text.isascii():
        return False
    encoded = text.encode("utf-8", "surrogatepass")
    if b"\xc2\xad" in encoded or b"\xef\xbb\xbf" in encoded or b"\xe2\x81" in encoded:
        return _UNSEEN.search(text) is not None
    at = encoded.find(b"\xe2\x80")
    while at >= 0 and encoded[at + 2] not in _LAST_BYTES:
        at = encoded.find(b"\xe2\x80", at + 3)
    return at >= 0
