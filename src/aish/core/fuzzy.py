"""Finding paths by a few of their letters, quickly enough to do it at every key."""

from __future__ import annotations

import re
from collections.abc import Sequence

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
        """The best matches; letters scattered over a path count where no path has the word."""
        if not wanted:
            return list(self._paths[:most])
        word = wanted.lower()
        found = self._lines(re.escape(word), 20 * most)
        if not found and len(word) > 1:
            found = self._lines(_scattered(word), 20 * most)
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
