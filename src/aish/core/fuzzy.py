<<<<<<< HEAD
"""Finding a line by a few letters of it: exact stretches first, then letters in order."""
=======
"""Finding paths by a few of their letters, quickly enough to do it at every key."""
>>>>>>> main

from __future__ import annotations

import re
from collections.abc import Sequence

<<<<<<< HEAD
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
=======
MOST = 50


class PathIndex:
    """Paths to search in; made once for many searches."""

    def __init__(self, paths: Sequence[str]) -> None:
        self._paths = paths
        self._folded = "\n".join(path.replace("\n", " ") for path in paths).lower()
        self._starts: list[int] | None = None

    def __len__(self) -> int:
        return len(self._paths)

    def search(self, wanted: str, most: int = MOST) -> list[str]:
        """The best matches: whole words of the path before letters scattered over it."""
        if not wanted:
            return list(self._paths[:most])
        word = wanted.lower()
        found = self._lines(re.escape(word), 20 * most)
        if len(found) < most and len(word) > 1:
            known = set(found)
            found += [at for at in self._lines(_scattered(word), 20 * most) if at not in known]
        ranked = sorted(found, key=lambda at: _rank(self._paths[at], word))
        return [self._paths[at] for at in ranked[:most]]

    def _lines(self, pattern: str, most: int) -> list[int]:
        """Numbers of the lines that match, in order; each line is looked at once."""
        from bisect import bisect_right

        starts = self._line_starts()
        found: list[int] = []
        search = re.compile(pattern, re.MULTILINE).search
        at = 0
        while len(found) < most and (match := search(self._folded, at)):
            line = bisect_right(starts, match.start()) - 1
            found.append(line)
            if line + 1 == len(starts):
                break
            at = starts[line + 1]
        return found

    def _line_starts(self) -> list[int]:
        if self._starts is None:
            self._starts = [0]
            self._starts += [match.end() for match in re.finditer("\n", self._folded)]
        return self._starts


def _scattered(word: str) -> str:
    """The letters in this order anywhere in a line; possessive, so that a miss costs one look."""
    return "^" + "".join(f"[^\\n{re.escape(ch)}]*+{re.escape(ch)}" for ch in word)


def _rank(path: str, word: str) -> tuple[int, int, int, str]:
    """Small is good: the path begins so, its name does, holds it; hidden and deep ones last."""
    low = path.lower()
    name = low.rstrip("/").rpartition("/")[2]
    if low.startswith(word):
        kind = 0
    elif name.startswith(word):
        kind = 1
    elif word in name:
        kind = 2
    else:
        kind = 3 if word in low else 4
    hidden = low.startswith(".") or "/." in low
    return (kind + 5 * hidden, path.count("/"), len(path), path)
>>>>>>> main
