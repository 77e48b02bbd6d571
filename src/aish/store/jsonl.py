"""The one append-only writer: a record is on the file whole, or not at all."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec

from aish.core.errors import StoreError
from aish.core.logged import Record
from aish.store import locks
from aish.store.disk import DISK, FILE_MODE, Disk

MAX_RECORD = 16 << 20  # bytes; what is written can be read again in bounded memory
DAMAGED = ".damaged"  # added to a file's name for what could not be read in it
FRESH = ".new"  # ends the name of a file that is about to replace another
PATIENCE = 5.0  # seconds to wait for other writers of a shared file

_HINTS = {
    errno.ENOSPC: "the disk is full: make room, the next write is tried anew",
    errno.EDQUOT: "your disk quota is used up: make room, the next write is tried anew",
    errno.EROFS: "that file system is read-only",
    errno.EMFILE: "too many files are open in this program",
    errno.ENFILE: "too many files are open on this machine",
}
_encode = msgspec.json.Encoder().encode


class Writer:
    """A file open for appending, locked until it is closed."""

    def __init__(self, path: Path, *, wait: float = PATIENCE, disk: Disk = DISK) -> None:
        """Open the file, making it and its directory where they are missing.

        Raises: StoreError; Locked, when another process has it for longer than `wait` seconds.
        """
        self.path = path
        self._disk = disk
        with _explained(path):
            disk.make_directory(path.parent)
            self._descriptor = _open_locked(path, wait, disk)
        self._new = os.fstat(self._descriptor).st_size == 0

    @property
    def size(self) -> int:
        return os.fstat(self._descriptor).st_size

    @property
    def identity(self) -> tuple[int, int]:
        """Which file this is, whatever its name becomes."""
        status = os.fstat(self._descriptor)
        return status.st_dev, status.st_ino

    def append(self, *records: Record, durable: bool = False) -> None:
        """Add records with a single write: all of them, or none.

        With `durable` they are on the disk, not only on their way, when this returns.

        Raises: StoreError.
        """
        self.append_lines(map(encode, records), durable=durable)

    def append_lines(self, lines: Iterable[bytes], *, durable: bool = False) -> None:
        """Add encoded records (each with its line end) with a single write.

        Raises: StoreError.
        """
        with _explained(self.path):
            size, mending = self._mended()
            data = mending + b"".join(lines)
            try:
                self._write(data, durable)
            except OSError:
                with suppress(OSError):  # the next write mends what stays behind
                    self._disk.truncate(self._descriptor, size)
                raise

    def bytes_before(self, end: int, length: int) -> bytes:
        """Up to `length` bytes that stand before a place in the file.

        Raises: StoreError.
        """
        with _explained(self.path):
            start = max(0, end - length)
            return os.pread(self._descriptor, end - start, start)

    def _write(self, data: bytes, durable: bool) -> None:
        if self._disk.write(self._descriptor, data) != len(data):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        if durable:
            self._disk.sync(self._descriptor)
            if self._new:
                self._disk.sync_directory(self.path.parent)
                self._new = False

    def _mended(self) -> tuple[int, bytes]:
        """The file's size, and what is to be written first: the last writer may have died.

        A whole record that lacks only its line end gets it. A part of one was never acknowledged:
        it goes to NAME.damaged, or, where that fails, gets a line of its own.
        """
        size = self.size
        if not size or os.pread(self._descriptor, 1, size - 1) == b"\n":
            return size, b""
        start = self._line_start(size)
        if start < 0:
            return size, b"\n"
        torn = os.pread(self._descriptor, min(size - start, MAX_RECORD), start)
        if _is_record(torn) or self.path.suffix == DAMAGED:
            return size, b"\n"
        try:
            beside = self.path.with_name(self.path.name + DAMAGED)
            with writing(beside, disk=self._disk) as aside:
                aside.append_lines([torn + b"\n"], durable=True)
            self._disk.truncate(self._descriptor, start)
        except (OSError, StoreError):
            return size, b"\n"
        return start, b""

    def _line_start(self, end: int) -> int:
        """Where the line begins that ends there; -1 further back than a record may reach."""
        least = end - MAX_RECORD
        while end > 0:
            if end < least:
                return -1
            block = self.bytes_before(end, 1 << 16)
            if (found := block.rfind(b"\n")) >= 0:
                return end - len(block) + found + 1
            end -= len(block)
        return 0

    def close(self) -> None:
        """Let others write; closing again does nothing."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


def _is_record(line: bytes) -> bool:
    try:
        return isinstance(msgspec.json.decode(line), dict)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return False


def encode(record: Record) -> bytes:
    """A record as its line.

    Raises: StoreError, for one too large to be read again.
    """
    try:
        line = _encode(record)
    except UnicodeEncodeError:  # bytes of a file name that are no text: kept as escapes
        line = json.dumps(record, separators=(",", ":")).encode()
    if len(line) > MAX_RECORD:
        raise StoreError(f"a record of {len(line) >> 20} MB is too large to be kept")
    return line + b"\n"


@contextmanager
def writing(path: Path, *, wait: float = PATIENCE, disk: Disk = DISK) -> Iterator[Writer]:
    """The file, open and locked for as long as the block runs.

    Raises: StoreError, Locked.
    """
    writer = Writer(path, wait=wait, disk=disk)
    try:
        yield writer
    finally:
        writer.close()


def append(path: Path, *records: Record, durable: bool = False, disk: Disk = DISK) -> None:
    """Add records to a file that other processes write too.

    Raises: StoreError, Locked.
    """
    with writing(path, disk=disk) as writer:
        writer.append(*records, durable=durable)


def replace(path: Path, lines: Iterable[bytes], *, disk: Disk = DISK) -> None:
    """Put a new content in place of a file's: readers see the old one or the new one.

    A link in its place makes way: what it leads to is nobody's business here.

    A process that may share the file holds its lock while it does this: `writing` makes those
    who waited for the old file open the new one.

    Raises: StoreError; the file is then as it was.
    """
    fresh = path.with_name(f".{path.name}.{os.getpid()}{FRESH}")
    with _explained(path):
        disk.make_directory(path.parent)
        _sweep(path)
        try:
            _write_all(fresh, lines, disk)
            disk.rename(fresh, path)
        except OSError:
            with suppress(OSError):
                fresh.unlink(missing_ok=True)
            raise
        disk.sync_directory(path.parent)


def _sweep(path: Path) -> None:
    """Remove what processes that died while replacing this file left behind."""
    for left in path.parent.glob(f".{path.name}.*{FRESH}"):
        pid = left.name.removesuffix(FRESH).rpartition(".")[2]
        try:
            os.kill(int(pid), 0)
        except (ProcessLookupError, ValueError):
            left.unlink(missing_ok=True)
        except PermissionError:
            continue  # alive, and somebody else's


def _write_all(path: Path, lines: Iterable[bytes], disk: Disk) -> None:
    descriptor = disk.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    try:
        for block in _blocks(lines):
            if disk.write(descriptor, block) != len(block):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        disk.sync(descriptor)
    finally:
        os.close(descriptor)


def _blocks(lines: Iterable[bytes], size: int = 1 << 20) -> Iterator[bytes]:
    block = bytearray()
    for line in lines:
        block += line
        if len(block) >= size:
            yield bytes(block)
            block.clear()
    if block:
        yield bytes(block)


def _open_locked(path: Path, wait: float, disk: Disk) -> int:
    """A descriptor of the file that has this name *now*: a compaction may rename while we wait."""
    while True:
        descriptor = disk.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT)
        try:
            locks.take(descriptor, path, wait)
            status = os.fstat(descriptor)
            if status.st_mode & 0o077 and status.st_uid == os.geteuid():
                os.fchmod(descriptor, FILE_MODE)
            if _is_at(path, status):
                return descriptor
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)


def _is_at(path: Path, status: os.stat_result) -> bool:
    try:
        return os.path.samestat(path.stat(), status)
    except FileNotFoundError:
        return False


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """The system's errors as one line that names the file."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        hint = _HINTS.get(error.errno or 0, f"check {path.parent}")
        raise StoreError(f"{path.name} was not saved: {reason}", hint) from error
