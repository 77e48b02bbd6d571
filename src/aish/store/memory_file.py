"""memory.jsonl: what the user wants remembered, append-only, written by one process at a time."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec

from aish.core.errors import UsageError
from aish.core.logged import Record
from aish.core.memory import FORGET, KINDS, MemoryItem, active, same_text
from aish.core.values import dataclass, field
from aish.store.clock import Clock, utc_text
from aish.store.disk import DISK, Disk
from aish.store.jsonl import Writer, writing
from aish.store.reading import Reading

PATIENCE = 0.08  # seconds: a second writer is told within a tenth of a second

_CHECKED = 64  # bytes before a known place that prove that the file was only added to
_any_id = re.compile(rb'"id"\s*:\s*(\d{1,15})(?!\d)')
_moment = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


class _Line(msgspec.Struct, gc=False):
    """A line as it may stand in the file; the header and hand-written lines lack most of it."""

    id: int | None = None
    ts: str | None = None
    kind: str | None = None
    content: str | None = None
    target: int | None = None
    tags: tuple[str, ...] | None = None
    source: str | None = None
    project: str | None = None


@dataclass(frozen=True, slots=True)
class StoredMemory:
    """The file's content at one moment."""

    items: tuple[MemoryItem, ...]  # active ones, the newest first
    damage: str  # one line on what could not be read; empty when all could

    def get(self, wanted: int) -> MemoryItem | None:
        return next((item for item in self.items if item.id == wanted), None)


@dataclass(frozen=True, slots=True)
class Added:
    """What became of something to remember: a new item, or the one that says it already."""

    item: MemoryItem
    duplicate: bool = False


@dataclass
class _Known:
    """What this process has read of the file so far."""

    identity: tuple[int, int] = (0, 0)
    end: int = 0
    proof: bytes = b""  # the bytes before `end`
    max_id: int = 0
    last_ts: str = ""
    items: list[MemoryItem] = field(default_factory=list)
    forgotten: set[int] = field(default_factory=set)
    set_aside: int = 0  # lines that have content and no id
    said: dict[str, list[MemoryItem]] = field(default_factory=dict)  # for the first `indexed`
    indexed: int = 0


class MemoryFile:
    """The memory on the disk.

    The lock is taken for each write and not for a session, so that several aish can be open; it is
    the one a program that holds the file for its whole life would have.
    """

    def __init__(
        self,
        path: Path,
        *,
        wait: float = PATIENCE,
        clock: Clock = time.time,
        disk: Disk = DISK,
    ) -> None:
        self.path = path
        self._wait = wait
        self._clock = clock
        self._disk = disk
        self._known = _Known()

    def load(self) -> StoredMemory:
        """Everything that is remembered now; another aish may be writing meanwhile.

        Raises: StoreError.
        """
        known = _Known()
        reading = _read(self.path, known)
        damage = reading.report()
        if known.set_aside:
            damage = damage or f"{self.path.name}: the rest is read"
            damage += f"; {known.set_aside} items without an id"
        return StoredMemory(tuple(active(known.items, known.forgotten)), damage)

    def add(
        self,
        kind: str,
        content: str,
        *,
        tags: Sequence[str] = (),
        source: str = "",
        project: str = "",
    ) -> Added:
        """Remember something, unless an active item says the same.

        Raises: UsageError; Locked, when another program is writing; StoreError.
        """
        kind, content = _checked(kind, content)
        with self._writing() as writer:
            if twin := self._twin(content, project):
                return Added(twin, duplicate=True)
            item = self._next_item(kind, content, tuple(tags), source, project)
            self._append(writer, [_record(item)])
        return Added(item)

    def forget(self, *ids: int) -> list[MemoryItem]:
        """Forget these items; returns those that were active (the others change nothing).

        Raises: Locked, StoreError.
        """
        with self._writing() as writer:
            wanted = set(ids)
            gone = [item for item in self._active() if item.id in wanted]
            self._append(writer, self._tombstones(gone))
        return gone

    def edit(self, wanted: int, content: str, kind: str = "") -> Added:
        """Put a new item in an item's place: both lines are written at once.

        Where another active item says the same, that one stays and no twin is made.

        Raises: UsageError, when there is no such item; Locked, StoreError.
        """
        with self._writing() as writer:
            old = next((item for item in self._active() if item.id == wanted), None)
            if old is None:
                raise UsageError(f"there is no item {wanted}", "`:memory list` shows them")
            kind, content = _checked(kind or old.kind, content, known=(*KINDS, old.kind))
            twin = self._twin(content, old.project)
            if twin is not None and twin.id != wanted:
                self._append(writer, self._tombstones([old]))
                return Added(twin, duplicate=True)
            new = self._next_item(kind, content, old.tags, old.source, old.project)
            self._append(writer, [_record(new), *self._tombstones([old])])
        return Added(new)

    def clear(self) -> int:
        """Forget every item; returns how many there were.

        Raises: Locked, StoreError.
        """
        with self._writing() as writer:
            gone = self._active()
            self._append(writer, self._tombstones(gone))
        return len(gone)

    def prune(self, older_than_days: float) -> int:
        """Forget the items older than this; returns how many.

        Raises: Locked, StoreError.
        """
        limit = utc_text(self._clock() - older_than_days * 86400)
        old = [item.id for item in self.load().items if item.ts and item.ts < limit]
        return len(self.forget(*old)) if old else 0

    @contextmanager
    def _writing(self) -> Iterator[Writer]:
        """The file locked, and all that others wrote known."""
        with writing(self.path, wait=self._wait, disk=self._disk) as writer:
            known = self._known
            # An editor may have saved the file anew, or in place.
            same = writer.bytes_before(known.end, _CHECKED) == known.proof
            if known.identity != writer.identity or not same:
                known = self._known = _Known(writer.identity)
            _read(self.path, known)
            known.proof = writer.bytes_before(known.end, _CHECKED)
            torn = writer.bytes_before(writer.size, 1) not in (b"", b"\n")
            try:
                yield writer
            finally:
                if torn:  # what was appended may stand in its place, and look the same there
                    self._known = _Known()

    def _twin(self, content: str, project: str) -> MemoryItem | None:
        """The active item that says the same, here or everywhere."""
        known = self._known
        for item in known.items[known.indexed :]:
            known.said.setdefault(same_text(item.content), []).append(item)
        known.indexed = len(known.items)
        for item in known.said.get(same_text(content), ()):
            if item.id not in known.forgotten and item.project in ("", project):
                return item
        return None

    def _active(self) -> list[MemoryItem]:
        known = self._known
        return [item for item in known.items if item.id not in known.forgotten]

    def _append(self, writer: Writer, records: list[Record]) -> None:
        if records:
            header = [{"meta": {"format": 1, "what": "aish memory"}}] if writer.size == 0 else []
            writer.append(*header, *records, durable=True)

    def _next_item(
        self, kind: str, content: str, tags: tuple[str, ...], source: str, project: str
    ) -> MemoryItem:
        return MemoryItem(self._next_id(), self._now(), kind, content, tags, source, project)

    def _tombstones(self, gone: Iterable[MemoryItem]) -> list[Record]:
        return [
            {"id": self._next_id(), "ts": self._now(), "kind": FORGET, "target": item.id}
            for item in gone
        ]

    def _next_id(self) -> int:
        self._known.max_id += 1
        return self._known.max_id

    def _now(self) -> str:
        """Never before the line above: a clock that jumps back does not make new things old."""
        return max(utc_text(self._clock()), self._known.last_ts)


def _checked(kind: str, content: str, known: Sequence[str] = KINDS) -> tuple[str, str]:
    content = content.strip()
    if kind not in known:
        raise UsageError(f"{kind!r} is no kind of memory", f"use {', '.join(KINDS)}")
    if not content:
        raise UsageError("there is nothing to remember", ":remember TEXT")
    return kind, content


def _record(item: MemoryItem) -> Record:
    record = {"id": item.id, "ts": item.ts, "kind": item.kind, "content": item.content}
    extras = {"tags": list(item.tags), "source": item.source, "project": item.project}
    return record | {name: value for name, value in extras.items() if value}


def _read(path: Path, known: _Known) -> Reading[_Line]:
    """Take in what stands after the known part of the file."""

    def unreadable(line: bytes) -> None:  # its ids are taken all the same
        known.max_id = max([known.max_id, *map(int, _any_id.findall(line))])

    reading = Reading(path, _Line, start=known.end, on_damage=unreadable)
    for batch in reading.batches():
        _take(batch, known)
    known.end = reading.end
    return reading


def _take(lines: list[_Line], known: _Known) -> None:
    """Sort lines into items, tombstones and what has no id. The loop is the cost of a load."""
    items, make = known.items, MemoryItem._make
    highest = known.max_id
    for line in lines:
        number = line.id or 0
        if number < 1:  # the header, or written by hand without one
            known.set_aside += line.content is not None
            continue
        highest = max(highest, number)
        if line.kind == FORGET:
            known.forgotten.add(line.target or 0)
        elif line.content:
            values = (number, line.ts or "", line.kind or "fact", line.content)
            items.append(make((*values, line.tags or (), line.source or "", line.project or "")))
    known.max_id = highest
    moments = (line.ts for line in reversed(lines) if line.ts and _moment.fullmatch(line.ts))
    known.last_ts = next(moments, known.last_ts)
