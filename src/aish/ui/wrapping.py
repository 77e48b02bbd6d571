"""Plain text while it streams: line ends between words where a terminal would break anywhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from aish.ui.style import harmless
from aish.ui.widths import columns

_FENCES = ("```", "~~~")
_AS_WRITTEN = ("|", "CMD:", "CMD&:")  # what begins a table or a command
_LIST_MARK = re.compile(r"[-*+>]|\d{1,9}[.)]")


class WrappedStream:
    """Feed it an answer in pieces; every character is kept, but for the space at a line's end.

    Code and tables stay as they are written.
    """

    def __init__(self, width: int = 80) -> None:
        self._width = max(width - 1, 10)
        self._word = ""  # may go on with the next piece
        self._in_code = False
        self._begin_line()

    def _begin_line(self) -> None:
        self._gap = ""  # white space before the next word
        self._column = 0
        self._indent = ""
        self._raw = self._in_code
        self._first = True  # no word of this line is shown yet

    def feed(self, text: str) -> str:
        """Take a piece of the answer; return what can be shown now."""
        first, *others = harmless(text).split("\n")
        out = list(self._take(first))
        for line in others:
            out += [*self._end_word(), "\n"]
            self._begin_line()
            out += self._take(line)
        return "".join(out)

    def close(self) -> str:
        """The answer is over: show the word that was held back, and end its line."""
        return "".join([*self._end_word(), "" if self._first else "\n"])

    def _take(self, text: str) -> Iterator[str]:
        pieces = re.split(r"(\s+)", text)
        for piece, after in pairwise([*pieces, ""]):
            if piece.isspace():
                self._gap += piece
            else:
                self._word += piece
                if after:
                    yield from self._end_word()

    def _end_word(self) -> Iterator[str]:
        word, self._word = self._word, ""
        if not word:
            return
        gap, self._gap = self._gap.expandtabs(4), ""
        if self._first:
            self._open_line(word, gap)
        size = columns(word)
        full = self._column + len(gap) + size > self._width
        if full and not self._raw and self._column > len(self._indent):
            yield f"\n{self._indent}"
            self._column, gap = len(self._indent), ""
        self._column += len(gap) + size
        yield gap + word

    def _open_line(self, word: str, gap: str) -> None:
        """The first word says what the line is, and how far those that follow are set in."""
        self._first = False
        if word.startswith(_FENCES):
            self._in_code, self._raw = not self._in_code, True
        elif word.startswith(_AS_WRITTEN):
            self._raw = True
        mark = len(word) + 1 if _LIST_MARK.fullmatch(word) else 0
        self._indent = " " * min(len(gap) + mark, self._width // 2)
