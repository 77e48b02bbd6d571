"""A disk that fails where a test says so."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from aish.store.disk import Disk


class FaultyDisk(Disk):
    """The real disk, until the `nth` call of `operation` (from 1), which fails once or for good.

    A write that fails with ENOSPC has taken a part of the data first, as a full disk does.
    """

    def __init__(self, operation: str, code: int, nth: int = 1, *, forever: bool = False) -> None:
        self.operation = operation
        self.code = code
        self.nth = nth
        self.forever = forever
        self.calls = 0
        self.failed = 0

    def heal(self) -> None:
        self.operation = ""

    def _due(self, operation: str) -> bool:
        if operation != self.operation:
            return False
        self.calls += 1
        due = self.calls == self.nth or (self.forever and self.calls > self.nth)
        self.failed += due
        return due

    def _check(self, operation: str) -> None:
        if self._due(operation):
            raise OSError(self.code, os.strerror(self.code))

    def open(self, path: Path, flags: int) -> int:
        self._check("open")
        return super().open(path, flags)

    def write(self, descriptor: int, data: bytes) -> int:
        if self._due("write"):
            if self.code == errno.ENOSPC:
                return super().write(descriptor, data[: len(data) // 2])
            raise OSError(self.code, os.strerror(self.code))
        return super().write(descriptor, data)

    def sync(self, descriptor: int) -> None:
        self._check("sync")  # and no more: thousands of real ones only take time

    def truncate(self, descriptor: int, size: int) -> None:
        self._check("truncate")
        super().truncate(descriptor, size)

    def rename(self, old: Path, new: Path) -> None:
        self._check("rename")
        super().rename(old, new)

    def make_directory(self, path: Path) -> None:
        self._check("make_directory")
        super().make_directory(path)

    def sync_directory(self, path: Path) -> None:
        self._check("sync_directory")
