"""A text as its reader sees it, without colours and invisible characters, and the way back."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterator

_INVISIBLE = (
    "\u00ad\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e"
    "\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068\u2069\ufeff"
)
_UNSEEN = re.compile(
    "\x1b\\[[0-?]*[ -/]*[@-~]|\x1b\\][^\x07\x1b]*(?:\x07|\x1b\\\\)|\x1b[()][0-9A-B]|\x1b[=>78cMDEH]"
    f"|[{_INVISIBLE}]"
)


_PART = 64 * 1024  # characters looked at in one go; a list of all pieces would take far more room


class Plain:
    """The visible text, and where each place of it stands in the whole."""

    def __init__(self, text: str) -> None:
        self._whole = text
        self.text = "".join(_UNSEEN.sub("", text[start:end]) for start, end in _parts(text))
        self._gaps: tuple[array[int], array[int]] | None = None

    def span(self, start: int, end: int) -> tuple[int, int]:
        """A span of the visible text in the whole one, with all that stands inside it."""
        return self._place(start), self._place(end - 1) + 1

    def _place(self, at: int) -> int:
        starts, places = self._gaps = self._gaps or self._found()
        piece = bisect_right(starts, at) - 1
        return places[piece] + at - starts[piece]

    def _found(self) -> tuple[array[int], array[int]]:
        """Where the visible pieces begin, in the visible text and in the whole one."""
        starts, places = array("L", [0]), array("L", [0])
        unseen = 0
        for found in _UNSEEN.finditer(self._whole):
            start, end = found.span()
            unseen += end - start
            if end - unseen == starts[-1]:  # nothing stood before it
                places[-1] = end
            else:
                starts.append(end - unseen)
                places.append(end)
        return starts, places


def _parts(text: str) -> Iterator[tuple[int, int]]:
    """The text in parts, none of which ends inside of what is not seen."""
    start = 0
    while start < len(text):
        end = at = start + _PART
        for _ in range(2):  # the last escape may be the end of another
            at = text.rfind("\x1b", start, at)
            begun = _UNSEEN.match(text, at) if at >= 0 else None
            end = max(end, begun.end() if begun else 0)
        yield start, end
        start = end


def has_unseen(text: str) -> bool:
    """Whether the text is not all visible; almost every text is, and that costs next to nothing."""
    if "\x1b" in text:
        return _UNSEEN.search(text) is not None
    return not text.isascii() and any(ch in text for ch in _INVISIBLE)


def strange(text: str) -> frozenset[str]:
    """The characters of the text that are not ASCII."""
    return frozenset(ch for ch in set(text) if not ch.isascii())
