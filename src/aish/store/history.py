"""The lines typed at the prompt, shared by all sessions."""

from __future__ import annotations

import time
from pathlib import Path

KEPT = 10_000


class LineHistory:
    """history.jsonl: one record a line, newest last, private lines never in it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._last = ""

    def add(self, line: str) -> None:
        """Remember a line; blank, private (leading space) and repeated ones are not kept.

        Raises: StoreError.
        """
        if not line.strip() or line[0].isspace() or line == self._last:
            return
        from aish.store import jsonl

        jsonl.append(self._path, {"ts": int(time.time()), "line": line})
        self._last = line

    def newest_first(self) -> list[str]:
        """The lines without repeats, the newest first."""
        from aish.store import jsonl  # loaded by the thread that reads the file

        lines = [record.get("line") for record in jsonl.read(self._path)]
        texts = dict.fromkeys(line for line in reversed(lines) if isinstance(line, str))
        return list(texts)[:KEPT]
