"""A text as its reader sees it, without colours and invisible characters, and the way back."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterator

_RANGES = (
    "\u00ad \u034f \u061c \u115f-\u1160 \u17b4-\u17b5 \u180b-\u180f \u200b-\u200f \u202a-\u202e \u2060-\u206f "
    "\u3164 \ufeff \uffa0 \ufff9-\ufffb \U000e0001 \U000e0020-\U000e007f"
).split()
_INVISIBLE = "".join(chr(code) for one in _RANGES for code in range(ord(one[0]), ord(one[-1]) + 1))
_SELECTORS = "".join(map(chr, range(0xFE00, 0xFE10)))
_STRAY = re.compile(f"(?<=[0-9A-Za-z])[{_SELECTORS}]")  # no part of an emoji
_UNSEEN = re.compile(
    "\x1b\\[[0-?]*[ -/]*[@-~]|\x1b\\][^\x07\x1b]*(?:\x07|\x1b\\\\)|\x1b[()][0-9A-B]|\x1b[=>78cMDEH]"
    f"|[{_INVISIBLE}]|{_STRAY.pattern}"
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
    if text.isascii():
        return False
    if any(ch in text for ch in _INVISIBLE):
        return True
    return any(ch in text for ch in _SELECTORS) and _STRAY.search(text) is not None


def strange(text: str) -> frozenset[str]:
    """The characters of the text that are not ASCII."""
    return frozenset(ch for ch in set(text) if not ch.isascii())
