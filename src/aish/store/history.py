"""The lines typed at the prompt, shared by all sessions."""

from __future__ import annotations

import re
import time
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aish.core.mask import Mask, NoMask
from aish.core.private import is_private
from aish.store.disk import DISK, Disk

if TYPE_CHECKING:  # the prompt must not wait for a decoder: it is loaded with the first use
    from aish.store.clock import Clock
    from aish.store.reading import Reading

SHOWN = 100_000  # lines the prompt gets; it looks at few of them for a key
KEPT = 100_000  # different lines a compaction leaves
COMPACTED_AT = 32 << 20  # bytes
AI = "ai"  # the model proposed it
BASH = "bash"  # brought in from bash's own file
ASKED = "asked"  # no command, but words to the model or to aish
_MARKS = frozenset((AI, BASH, ASKED))
RECENT = 256 << 10  # bytes at the end of the file in which the commands of the last days stand

_Line = tuple[str, int, str]  # the text, its moment, its mark
_STAMP = re.compile(r"#(\d{9,11})")
_NO_COMMAND = re.compile(r":[a-z]|[?!^]|\$ |#", re.ASCII)  # a line of the prompt's own kinds


class LineHistory:
    """history.jsonl: one record a line, newest last, private lines never in it."""

    def __init__(
        self,
        path: Path,
        *,
        clock: Clock = time.time,
        mask: Mask | None = None,
        kept: int = KEPT,
        compacted_at: int = COMPACTED_AT,
        disk: Disk = DISK,
    ) -> None:
        self._path = path
        self._clock = clock
        self._mask = mask or NoMask()
        self._kept = kept
        self._compacted_at = compacted_at
        self._disk = disk
        self._last = ""
        self._seen = (0, 0, 0)  # device and number of the file that was read, and how far
        self.damage = ""  # one line on what the last reading had to set aside

    @property
    def path(self) -> Path:
        """The file; it is not there before the first line."""
        return self._path

    def add(self, line: str, by: str = "") -> bool:
        """Remember a line; False for blank, private (leading space), secret and repeated ones.

        `by` is "ai" for a command the model proposed, "asked" for what is no command.

        Raises: StoreError.
        """
        if not line.strip() or is_private(line) or line == self._last:
            return False
        if self._mask.forbids_keeping(line):
            return False
        from aish.store import jsonl

        record = {"ts": int(self._clock()), "line": line} | ({"by": by} if by else {})
        with jsonl.writing(self._path, disk=self._disk) as writer:
            writer.append(record)
            self._last = line
            if writer.size > self._compacted_at:
                self._compact()
        return True

    def forget(self, lines: Collection[str]) -> int:
        """Take lines out of the file, whichever session entered them; how many there were.

        Raises: StoreError.
        """
        from aish.store import jsonl

        gone = set(lines)
        if self._last in gone:
            self._last = ""
        with jsonl.writing(self._path, disk=self._disk):
            known, reading = self._distinct(self._kept)
            left = [kept for kept in known if kept[0] not in gone]
            if len(left) < len(known):
                self._rewrite(reversed(left), reading)
        return len(known) - len(left)

    def appended(self) -> list[str] | None:
        """What came into the file since it was last followed, by any session, newest first.

        None when it was rewritten meanwhile, and is to be read anew.
        """
        from aish.core.errors import StoreError
        from aish.store.reading import Reading

        *file, start = self._seen
        *now, size = self._whereabouts()
        if now != file or size < start:
            return None
        if size == start:
            return []
        try:
            reading: Reading[dict[str, Any]] = Reading(self._path, dict, start=start, tail=False)
            lines = [record["line"] for record in reading if _has_line(record)]
        except StoreError:
            return []
        self._seen = (*self._seen[:2], reading.end)
        return lines[::-1]

    def _whereabouts(self) -> tuple[int, int, int]:
        """Which file it is, and how long; zeros for none."""
        try:
            status = self._path.stat()
        except OSError:
            return 0, 0, 0
        return status.st_dev, status.st_ino, status.st_size

    def newest_first(self, limit: int = SHOWN, *, follow: bool = False) -> list[str]:
        """The lines without repeats, the newest first; none when the file cannot be read.

        With `follow`, `appended` goes on from here.
        """
        from aish.core.errors import StoreError

        before = self._whereabouts()
        try:
            newest, reading = self._distinct(limit)
            if follow:
                self._seen = (*before[:2], reading.end)
            return [line for line, _, _ in newest]
        except StoreError as error:
            self.damage = error.message
            if follow:
                self._seen = before
            return []

    def by_ai(self) -> set[str]:
        """The lines that the model proposed when they were last run.

        Raises: StoreError.
        """
        return {line for line, _, by in self._distinct(self._kept)[0] if by == AI}

    def recent_commands(self, limit: int = 1000) -> list[tuple[str, int]]:
        """The last commands run at the prompt with their moments, the oldest first."""
        from aish.core.errors import StoreError
        from aish.store.reading import Reading

        try:
            start = max(0, self._path.stat().st_size - RECENT)
            records: list[dict[str, Any]] = list(Reading(self._path, dict, start=start))
        except (OSError, StoreError):
            return []
        found: dict[str, int] = {}
        for record in filter(_was_run_here, records):
            found.pop(record["line"], None)
            found[record["line"]] = record["ts"]
        return list(found.items())[-limit:]

    def import_bash(self, text: str) -> int:
        """Put the lines of a bash history file before all that is known, and say how many are new.

        Raises: StoreError.
        """
        from aish.store import jsonl

        with jsonl.writing(self._path, disk=self._disk):
            known, reading = self._distinct(self._kept)
            had = {line for line, _, _ in known}
            fresh: dict[str, _Line] = {}
            for line, ts in bash_lines(text):
                wanted = line.strip() and not line[0].isspace() and line not in had
                if wanted and not self._mask.forbids_keeping(line):
                    fresh.pop(line, None)  # a repeat counts where it stands last
                    fresh[line] = (line, ts, BASH)
            if fresh:
                self._rewrite([*fresh.values(), *reversed(known)], reading)
        return len(fresh)

    def _distinct(self, limit: int) -> tuple[list[_Line], Reading[dict[str, Any]]]:
        """Each line once, where it was used last, the newest first; and the reading behind it."""
        from aish.store.reading import Reading

        reading: Reading[dict[str, Any]] = Reading(self._path, dict)
        last: dict[str, _Line] = {}
        for record in reading:
            if _has_line(record):
                line, ts, by = record["line"], record.get("ts"), record.get("by")
                last.pop(line, None)
                last[line] = (line, ts if isinstance(ts, int) else 0, by if by in _MARKS else "")
        self.damage = reading.report()
        newest = list(last.values())[-limit:] if limit else []
        newest.reverse()
        return newest, reading

    def _compact(self) -> None:
        """Leave each line once; the caller holds the lock."""
        newest, reading = self._distinct(self._kept)
        self._rewrite(reversed(newest), reading)

    def _rewrite(self, lines: Iterable[_Line], reading: Reading[dict[str, Any]]) -> None:
        """Replace what was read; its damaged lines go to a file of their own."""
        from aish.store import jsonl
        from aish.store.reading import set_aside

        set_aside(reading)
        records = ({"ts": ts, "line": line} | ({"by": by} if by else {}) for line, ts, by in lines)
        jsonl.replace(self._path, map(jsonl.encode, records), disk=self._disk)


def _has_line(record: dict[str, Any]) -> bool:
    return isinstance(record.get("line"), str) and bool(record["line"])


def _was_run_here(record: dict[str, Any]) -> bool:
    """Whether a record is a command of this prompt, in words that bash would read in a file."""
    line, ts = record.get("line"), record.get("ts")
    if not (isinstance(line, str) and isinstance(ts, int) and ts):
        return False
    known = record.get("by") in (BASH, ASKED) or _NO_COMMAND.match(line) or "\n#" in line
    return not known


def bash_lines(text: str) -> Iterator[tuple[str, int]]:
    """The commands of a bash history file with their moments (0 where it has none).

    With time stamps, all lines between two stamps are one command; without, each line is one.
    """
    stamp, lines = 0, list[str]()
    stamped = False
    for line in text.splitlines():
        if match := _STAMP.fullmatch(line):
            if lines:
                yield "\n".join(lines), stamp
            stamp, lines, stamped = int(match[1]), [], True
        elif stamped:
            lines.append(line)
        else:
            yield line, 0
    if lines:
        yield "\n".join(lines), stamp
