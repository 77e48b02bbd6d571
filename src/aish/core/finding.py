"""Finding a line by a few letters of it: exact stretches first, then letters in order."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate

LIMIT = 200  # lines found at most
SCATTERED_AMONG = 5_000  # newest lines searched for scattered letters
_END = "\0"  # between lines; no line has one


class _Text:
    """All lines as one text: the search through it is one of the machine, not of Python."""

    def __init__(self, lines: Sequence[str], *, folded: bool) -> None:
        text = _END.join(lines)
        if text.count(_END) >= len(lines):  # a line has one after all
            text = _END.join(line.replace(_END, " ") for line in lines)
        self.text = text.lower() if folded else text
        if len(self.text) != len(text):  # a letter became two
            lines = self.text.split(_END)
        self._starts = [0, *accumulate(map((1).__add__, map(len, lines)))]

    def end_of(self, lines: int) -> int:
        """Where the first so many lines end."""
        return self._starts[min(lines, len(self._starts) - 1)]

    def matching(self, pattern: re.Pattern[str], end: int) -> Iterator[tuple[int, re.Match[str]]]:
        """The lines with a match before `end`, each once with its first."""
        at = 0
        while match := pattern.search(self.text, at, end):
            line = bisect_right(self._starts, match.start()) - 1
            yield line, match
            at = self._starts[line + 1]

    def having(self, words: list[str]) -> Iterator[int]:
        """The lines that have all of the words, newest first."""
        rarest, *others = sorted(words, key=self.text.count) if len(words) > 1 else words
        at = self.text.find(rarest)
        while at >= 0:
            line = bisect_right(self._starts, at) - 1
            begin, end = self._starts[line], self._starts[line + 1]
            if all(self.text.find(word, begin, end) >= 0 for word in others):
                yield line
            at = self.text.find(rarest, end)


class Finding:
    """A search among lines that come newest first; it stops when enough are found.

    A query without capitals finds both cases. Its words may stand anywhere in the line, in any
    order; what fits no line that way is looked for as letters with gaps.
    """

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines
        self._texts: dict[bool, _Text] = {}

    def prepare(self) -> None:
        """Do beforehand what the first query would take a moment for."""
        self._text(folded=True)

    def find(self, query: str) -> list[str]:
        """The lines found, the best first; of equals the newest first."""
        if not query.strip():
            return list(self._lines[:LIMIT])
        text = self._text(folded=query == query.lower())
        hits: dict[int, None] = {}
        for hit in text.having(query.split()):
            hits[hit] = None
            if len(hits) == LIMIT:
                break
        if len(hits) < LIMIT and len(query) > 2:
            hits |= dict.fromkeys(_scattered(text, query.replace(" ", "")))
        return [self._lines[hit] for hit in list(hits)[:LIMIT]]

    def _text(self, *, folded: bool) -> _Text:
        if folded not in self._texts:
            self._texts[folded] = _Text(self._lines, folded=folded)
        return self._texts[folded]


def _scattered(text: _Text, letters: str) -> list[int]:
    """Lines with the letters in this order, those where they stand closest first.

    Each gap ends at the first letter that can follow, and is never tried longer: a miss costs
    one look.
    """
    gaps = (f"[^{_END}{re.escape(letter)}]*+{re.escape(letter)}" for letter in letters[1:])
    pattern = re.compile(re.escape(letters[0]) + "".join(gaps))
    found = text.matching(pattern, text.end_of(SCATTERED_AMONG))
    return [
        line for _, line in sorted((match.end() - match.start(), line) for line, match in found)
    ]
