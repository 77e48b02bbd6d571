"""Finding a line by a few letters of it: exact stretches first, then letters in order."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate, islice

LIMIT = 200  # lines found at most
BLOCK = 1_000  # lines looked at in one step
SCATTERED_IN = 5  # blocks, the newest, searched for scattered letters
LONG = 200  # characters; in a longer line any letters stand somewhere
_END = "\0"  # between lines; no line has one


class _Block:
    """Some lines as one text: the search through it is one of the machine, not of Python."""

    def __init__(self, lines: Sequence[str], first: int, *, folded: bool) -> None:
        """`first` is the number of the first of these lines among all."""
        text = _END.join(lines)
        if text.count(_END) >= len(lines):  # a line has one after all
            text = _END.join(line.replace(_END, " ") for line in lines)
        self.text = text.lower() if folded else text
        if len(self.text) != len(text):  # a letter became two
            lines = self.text.split(_END)
        self._first = first
        self._starts = [0, *accumulate(map((1).__add__, map(len, lines)))]

    def matching(self, pattern: re.Pattern[str]) -> Iterator[tuple[int, int]]:
        """The lines with a match, each once with the length of its first before it; no long one."""
        at = 0
        while match := pattern.search(self.text, at):
            line = bisect_right(self._starts, match.start()) - 1
            at = self._starts[line + 1]
            if at - self._starts[line] <= LONG:
                yield match.end() - match.start(), self._first + line

    def having(self, words: list[str]) -> Iterator[int]:
        """The lines that have all of the words, newest first."""
        rarest, *others = sorted(words, key=self.text.count) if len(words) > 1 else words
        at = self.text.find(rarest)
        while at >= 0:
            line = bisect_right(self._starts, at) - 1
            begin, end = self._starts[line], self._starts[line + 1]
            if all(self.text.find(word, begin, end) >= 0 for word in others):
                yield self._first + line
            at = self.text.find(rarest, end)


class _Blocks:
    """All lines in blocks, newest first; a block is made when a search comes to it."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self.count = -(-len(lines) // BLOCK)
        self._made: dict[tuple[int, bool], _Block] = {}

    def block(self, number: int, *, folded: bool) -> _Block:
        if (number, folded) not in self._made:
            first = number * BLOCK
            lines = self.lines[first : first + BLOCK]
            self._made[number, folded] = _Block(lines, first, folded=folded)
        return self._made[number, folded]


class LineSearch:
    """One query, looked for step by step; what is found later stands behind what is there.

    Whoever waits for a key takes a few steps, shows what is found, and takes the others then.
    """

    def __init__(self, blocks: _Blocks, query: str, before: LineSearch | None = None) -> None:
        """`before`, a search for the beginning of this query, has done a part of the work."""
        self.query = query
        self._blocks = blocks
        self._folded = query == query.lower()
        self._words = query.split()
        self._exact = [] if self._words else list(range(min(LIMIT, len(blocks.lines))))
        self._at = 0 if self._words else blocks.count
        self._near: list[tuple[int, int]] = []  # scattered letters: how far apart, and the line
        self._near_at = 0 if len(query) > 2 and self._words else SCATTERED_IN
        if before is not None and self._words and before.leads_to(query):
            self._exact = [line for line in before._exact if self._fits(line)]
            self._at = before._at

    def leads_to(self, query: str) -> bool:
        """Whether what fits that query fits this one."""
        same = self._folded == (query == query.lower())
        return same and bool(self._words) and query.startswith(self.query)

    def _fits(self, number: int) -> bool:
        line = self._blocks.lines[number]
        text = line.lower() if self._folded else line
        return all(word in text for word in self._words)

    def step(self) -> bool:
        """Look at some more lines; False when all is found."""
        if len(self._exact) >= LIMIT:
            return False
        if self._at < self._blocks.count:
            block = self._blocks.block(self._at, folded=self._folded)
            self._exact += block.having(self._words)
            self._at += 1
            return True
        if self._near_at < min(SCATTERED_IN, self._blocks.count):
            block = self._blocks.block(self._near_at, folded=self._folded)
            self._near += block.matching(self._scattered)
            self._near_at += 1
            return True
        return False

    @property
    def _scattered(self) -> re.Pattern[str]:
        """The letters in this order, in one row. Each gap ends at the first letter that can
        follow, and is never tried longer: a miss costs one look."""
        letters = self.query.replace(" ", "")
        gaps = (f"[^{_END}\n{re.escape(letter)}]*+{re.escape(letter)}" for letter in letters[1:])
        return re.compile(re.escape(letters[0]) + "".join(gaps))

    @property
    def found(self) -> list[str]:
        """The lines found so far, the best first; of equals the newest first."""
        near = (line for _, line in sorted(self._near))
        hits = dict.fromkeys((*self._exact, *near))
        return [self._blocks.lines[hit] for hit in islice(hits, LIMIT)]


class Finding:
    """Searches among lines that come newest first; each stops when enough are found.

    A query without capitals finds both cases. Its words may stand anywhere in the line, in any
    order; what fits no line that way is looked for as letters with gaps.
    """

    def __init__(self, lines: Sequence[str]) -> None:
        self._blocks = _Blocks(lines)
        self._last: LineSearch | None = None

    def search(self, query: str) -> LineSearch:
        """A search that goes on where one for the beginning of the query is."""
        self._last = LineSearch(self._blocks, query, self._last)
        return self._last

    def find(self, query: str) -> list[str]:
        """All that a search finds."""
        search = self.search(query)
        while search.step():
            pass
        return search.found
