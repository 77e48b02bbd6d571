"""Finding a line by a few letters of it: exact stretches first, then letters in order."""

from __future__ import annotations

import re
from collections.abc import Sequence

LIMIT = 200  # lines found at most
SCATTERED_AMONG = 5_000  # newest lines searched for scattered letters


class Finding:
    """A search that narrows while the query grows; lines come newest first.

    A query without capitals finds both cases. Its words may stand anywhere in the line, in any
    order; what fits no line that way is looked for as letters with gaps.
    """

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines
        self._folded: list[str] = []
        self._query = ""
        self._hits: Sequence[int] = range(len(lines))

    def find(self, query: str) -> list[str]:
        """The lines found, the best first; of equals the newest first."""
        if not query.strip():
            return list(self._lines[:LIMIT])
        hits = self._exact(query)
        if len(hits) < LIMIT and len(query) > 2:
            have = set(hits)
            hits = [*hits, *(hit for hit in self._scattered(query) if hit not in have)]
        return [self._lines[hit] for hit in hits[:LIMIT]]

    def _exact(self, query: str) -> list[int]:
        texts = self._texts(query)
        words = sorted(query.split(), key=len, reverse=True)
        grows = self._query and query.startswith(self._query) and query == query.lower()
        among: Sequence[int] = self._hits if grows else range(len(self._lines))
        for word in words:
            among = [hit for hit in among if word in texts[hit]]
        self._query, self._hits = query, among
        return list(among)

    def _scattered(self, query: str) -> list[int]:
        """Lines with the letters in this order, those where they stand closest first."""
        texts = self._texts(query)
        pattern = re.compile(".*?".join(map(re.escape, query.replace(" ", ""))), re.DOTALL)
        found = []
        for hit in range(min(len(texts), SCATTERED_AMONG)):
            if match := pattern.search(texts[hit]):
                found.append((match.end() - match.start(), hit))
        found.sort()
        return [hit for _, hit in found]

    def _texts(self, query: str) -> Sequence[str]:
        if query != query.lower():
            return self._lines
        if not self._folded:
            self._folded = [line.lower() for line in self._lines]
        return self._folded
