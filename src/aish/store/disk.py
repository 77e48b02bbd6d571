"""The system calls a durable file is made of, in one place where a test can make them fail."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

DIRECTORY_MODE = 0o700
FILE_MODE = 0o600

_sync_data = getattr(os, "fdatasync", os.fsync)  # macOS has only fsync


class Disk:
    """The real disk."""

    def open(self, path: Path, flags: int) -> int:
        return open_regular(path, flags)

    def write(self, descriptor: int, data: bytes) -> int:
        return os.write(descriptor, data)

    def sync(self, descriptor: int) -> None:
        _sync_data(descriptor)

    def truncate(self, descriptor: int, size: int) -> None:
        os.ftruncate(descriptor, size)

    def rename(self, old: Path, new: Path) -> None:
        old.replace(new)

    def make_directory(self, path: Path) -> None:
        """Make what is missing of a path, each part for the user alone."""
        if path.is_dir():
            return
        self.make_directory(path.parent)
        try:
            path.mkdir(mode=DIRECTORY_MODE)
        except FileExistsError:
            if not path.is_dir():
                raise

    def sync_directory(self, path: Path) -> None:
        """Make the names in a directory last: a new or renamed file is only then surely there."""
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


DISK = Disk()


def open_regular(path: Path | str, flags: int = os.O_RDONLY, *, follow: bool = False) -> int:
    """Open a file that is one: no pipe or device is waited for, and no link followed.

    `follow`: for files of the user's own, which may be links to where they are kept.

    Raises: OSError.
    """
    flags |= os.O_CLOEXEC | os.O_NONBLOCK | (0 if follow else os.O_NOFOLLOW)
    descriptor = os.open(path, flags, FILE_MODE)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "it is no regular file")
    return descriptor


_LEAST_HOLE = 1 << 20  # a smaller one is read as fast as it is passed over


def pass_hole(descriptor: int, least: int = 0) -> int:
    """Pass over what was never written at this place of a file; returns how much that is.

    A hole of fewer bytes than `least` is left to be read.

    Raises: OSError.
    """
    here = os.lseek(descriptor, 0, os.SEEK_CUR)
    try:
        there = os.lseek(descriptor, here, os.SEEK_DATA)
    except OSError as error:  # nothing but a hole up to the end, unless no holes are known here
        there = os.fstat(descriptor).st_size if error.errno == errno.ENXIO else here
    there = there if there - here >= max(least, _LEAST_HOLE) else here
    os.lseek(descriptor, there, os.SEEK_SET)
    return there - here
