"""Old files kept for undo: one folder per command, a record of steps and what they replaced."""

from __future__ import annotations

import errno
import json
import os
import secrets
import stat
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from aish.core.errors import StoreError
from aish.core.values import dataclass, field
from aish.sandbox import files
from aish.sandbox.changes import attributes, what_is
from aish.sandbox.trial import make_private

Identity = tuple[
    int, int, int, int
]  # inode, size, time of change, mode; size and time of files only

_LARGEST = 256 << 20  # bytes of a record; no command changes so many files


@dataclass(slots=True)
class Step:
    """One thing that was done to one path."""

    number: int
    path: str
    op: str
    was: str  # "" when nothing was there, else the kind of file
    kept: bool = False  # the old one lies under its number
    before: dict[str, Any] = field(default_factory=dict)  # mode, owner, times, when only those went
    done: bool = False
    now: Identity | None = None


@dataclass(slots=True)
class UndoRecord:
    """What one command changed for real."""

    folder: Path
    command: str
    cwd: str
    session: str
    when: float
    steps: list[Step] = field(default_factory=list)
    folders: list[tuple[str, int, int]] = field(default_factory=list)  # times before
    left: dict[str, int] = field(default_factory=dict)  # when each of those was changed last
    undone: bool = False

    @property
    def name(self) -> str:
        return self.folder.name

    def old(self, step: Step) -> str:
        """Where the old file of a step lies, if it was kept."""
        return str(self.folder / "old" / str(step.number))

    def size(self) -> int:
        return sum(_size(entry) for entry in (self.folder / "old").glob("*"))


class UndoWriter:
    """Writes the record while the steps are taken: first what will be done, then that it was."""

    def __init__(self, record: UndoRecord, limit: int) -> None:
        self.record = record
        self.left = limit  # bytes that may still be kept
        self._file = os.open(
            record.folder / "record.jsonl",
            os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC,
            0o600,
        )
        header = {
            "command": record.command,
            "cwd": record.cwd,
            "session": record.session,
            "when": record.when,
        }
        self._line(header)
        os.fsync(self._file)

    def begin(self, path: str, op: str, place: str, size: int, shut: int | None = None) -> Step:
        """Write down a step before it is taken; `place` is a name for the path that stays.

        `shut` is the mode of a folder that is open only while its changes are made.
        """
        old = files.lstat(place)
        was = what_is(old) if old else ""
        keep = old is not None and op != "meta" and size <= self.left
        if keep:
            self.left -= size
        before = metadata(old, place) if old is not None and op == "meta" else {}
        if before and shut is not None:
            before["mode"] = stat.S_IFDIR | shut
        step = Step(len(self.record.steps), path, op, was, keep, before)
        self.record.steps.append(step)
        fields = {"path": path, "op": op, "was": was, "kept": keep, "before": before}
        self._line({"step": step.number, **fields})
        return step

    def done(self, step: Step, now: os.stat_result | None) -> None:
        step.done = True
        step.now = identity(now)
        self._line({"done": step.number, "now": step.now})

    def folder_times(self, path: str, found: os.stat_result) -> None:
        self.record.folders.append((path, found.st_atime_ns, found.st_mtime_ns))
        self._line({"folder": path, "times": [found.st_atime_ns, found.st_mtime_ns]})

    def folder_end(self, path: str, found: os.stat_result) -> None:
        self.record.left[path] = found.st_mtime_ns
        self._line({"left": path, "at": found.st_mtime_ns})

    def close(self) -> None:
        os.fsync(self._file)
        os.close(self._file)

    def _line(self, fields: dict[str, Any]) -> None:
        os.write(self._file, json.dumps(fields).encode() + b"\n")


class UndoStore:
    """Every record, newest first, within a size limit."""

    def __init__(self, folder: Path, limit: int) -> None:
        self._folder = folder
        self.limit = limit

    def begin(self, command: str, cwd: str, session: str = "") -> UndoWriter:
        """A new record; older ones make room.

        Raises: StoreError.
        """
        try:
            make_private(self._folder)
            self._folder.chmod(0o700)
            now = time.time()
            folder = self._folder / f"{int(now * 1000):014d}-{secrets.token_hex(3)}"
            folder.mkdir(mode=0o700)
            (folder / "old").mkdir(mode=0o700)
            self.trim()
            return UndoWriter(UndoRecord(folder, command, cwd, session, now), self.limit)
        except OSError as error:
            raise StoreError(f"old files cannot be kept in {self._folder}: {error}") from error

    def records(self) -> Iterator[UndoRecord]:
        """What was changed, newest first."""
        for folder in sorted(self._folder.glob("[0-9]*"), reverse=True):
            with suppress(OSError, ValueError, LookupError, TypeError, RecursionError):
                if (record := read(folder)) is not None:
                    yield record

    def mark_undone(self, record: UndoRecord) -> None:
        record.undone = True
        with (record.folder / "record.jsonl").open("ab") as file:
            file.write(b'{"undone": true}\n')

    def trim(self) -> None:
        """Drop the oldest records until the rest is within the limit."""
        total = 0
        for record in list(self.records()):
            total += record.size()
            if total > self.limit or (record.undone and not any(record.folder.glob("old/*"))):
                with suppress(OSError):
                    files.remove(str(record.folder))


def read(folder: Path) -> UndoRecord | None:
    """A record from its file; a line cut by a crash is left out."""
    record: UndoRecord | None = None
    for line in _content(folder / "record.jsonl").splitlines():
        try:
            fields = dict(json.loads(line))
        except (ValueError, TypeError, RecursionError):
            continue
        if "command" in fields:
            record = UndoRecord(folder, **fields)
        elif record is not None:
            _add(record, fields)
    return record


def _content(path: Path) -> bytes:
    """The bytes of a file that is one. Raises: OSError."""
    flags = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOFOLLOW
    with os.fdopen(os.open(path, flags), "rb") as file:
        facts = os.fstat(file.fileno())
        if not stat.S_ISREG(facts.st_mode) or facts.st_size > _LARGEST:
            raise OSError(errno.EINVAL, "it is no file of records")
        return file.read()


def _add(record: UndoRecord, fields: dict[str, Any]) -> None:
    if "step" in fields:
        number = fields.pop("step")
        record.steps.append(Step(number, **fields))
    elif "done" in fields:
        step = record.steps[fields["done"]]
        step.done = True
        step.now = None if fields["now"] is None else tuple(fields["now"])
    elif "folder" in fields:
        record.folders.append((fields["folder"], *fields["times"]))
    elif "left" in fields:
        record.left[fields["left"]] = fields["at"]
    elif "undone" in fields:
        record.undone = True


def identity(found: os.stat_result | None) -> Identity | None:
    """What tells that a file is still the one it was."""
    if found is None:
        return None
    if stat.S_ISDIR(found.st_mode):
        return (found.st_ino, 0, 0, stat.S_IFMT(found.st_mode))
    return (found.st_ino, found.st_size, found.st_mtime_ns, found.st_mode)


def metadata(found: os.stat_result, place: str) -> dict[str, Any]:
    """Mode, owner, times and attributes, to be put back."""
    times = [found.st_atime_ns, found.st_mtime_ns]
    owner = [found.st_uid, found.st_gid]
    extra = {name: value.hex() for name, value in attributes(place).items()}
    return {"mode": found.st_mode, "owner": owner, "times": times, "attributes": extra}


def _size(path: Path) -> int:
    try:
        found = path.lstat()
        if not stat.S_ISDIR(found.st_mode):
            return found.st_blocks * 512
        return sum(_size(entry) for entry in path.iterdir())
    except OSError:
        return 0
