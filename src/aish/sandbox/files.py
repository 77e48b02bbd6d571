"""Files of every kind, moved and copied whole: content, holes, modes, owners, times, attributes."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from aish.core.values import dataclass
from aish.sandbox import kernel
from aish.sandbox.changes import attributes, marks
from aish.sandbox.trial import remove_tree

_CHUNK = 1 << 20


class Parents:
    """Folders opened step by step from the root, never through a link somebody put there."""

    def __init__(self) -> None:
        self._path = ""
        self._descriptor = -1

    def at(self, path: str) -> str:
        """A name for `path` that stays in the folder it was found in.

        Raises: OSError.
        """
        folder, _, name = path.rpartition("/")
        if folder != self._path or self._descriptor < 0:
            self.close()
            self._descriptor = self._walk(folder)
            self._path = folder
        return f"/proc/self/fd/{self._descriptor}/{name}"

    def _walk(self, folder: str) -> int:
        flags = os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
        descriptor = os.open("/", flags)
        for step in filter(None, folder.split("/")):
            try:
                inner = os.open(step, flags, dir_fd=descriptor)
            finally:
                os.close(descriptor)
            descriptor = inner
        return descriptor

    def close(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


class Reach:
    """Folders of ours that are shut to us, opened while something in them is changed."""

    def __init__(self, at: Callable[[str], str]) -> None:
        self._at = at
        self._seen = {""}
        self.modes: dict[str, int] = {}  # of those opened, as they were

    def folder(self, path: str) -> None:
        """Open it and those above it, as far as that is in our power and needed."""
        if path in self._seen or not os.geteuid():
            return
        self._seen.add(path)
        self.folder(path.rpartition("/")[0])
        with contextlib.suppress(OSError):
            place = self._at(path)
            found = os.lstat(place)
            if _shut(found):
                os.chmod(place, stat.S_IMODE(found.st_mode) | 0o700)
                self.modes[path] = stat.S_IMODE(found.st_mode)

    def leave(self, path: str) -> None:
        """Shut it again; inner ones come first."""
        with contextlib.suppress(OSError):
            place = self._at(path)
            if stat.S_ISDIR(os.lstat(place).st_mode):
                os.chmod(place, self.modes[path])


def _shut(found: os.stat_result) -> bool:
    ours = found.st_uid == os.geteuid() != 0
    return ours and stat.S_ISDIR(found.st_mode) and found.st_mode & 0o700 != 0o700


def deepest_first(paths: Iterable[str]) -> list[str]:
    return sorted(paths, key=lambda path: (-path.count("/"), path))


def beside(place: str) -> str:
    """A new name in the same folder."""
    return f"{place.rpartition('/')[0]}/.aish-{secrets.token_hex(6)}"


def lstat(place: str) -> os.stat_result | None:
    """What is there, if anything."""
    try:
        return os.lstat(place)
    except (FileNotFoundError, NotADirectoryError):
        return None


def move(source: str, place: str) -> None:
    """Move to a free name; across file systems by a copy that appears complete.

    Raises: OSError, FileExistsError when the name is not free.
    """
    mode = _opened_to_move(source)
    try:
        _move(source, place)
    finally:
        if mode >= 0:
            os.chmod(place if lstat(source) is None else source, mode)


def _opened_to_move(place: str) -> int:
    """A folder that may not be written to may not be moved; the mode to give back, or -1."""
    found = os.lstat(place)
    if not _shut(found):
        return -1
    mode = stat.S_IMODE(found.st_mode)
    os.chmod(place, mode | 0o700)
    return mode


def _move(source: str, place: str) -> None:
    try:
        _rename(source, place, kernel.RENAME_NOREPLACE)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        staged = beside(place)
        try:
            copy(source, staged)
            _rename(staged, place, kernel.RENAME_NOREPLACE)
        except BaseException:
            remove(staged)
            raise
        remove(source)


def swap(one: str, other: str) -> None:
    """Exchange two names of one file system in one step.

    Raises: OSError.
    """
    mode = _opened_to_move(other)
    there = other
    try:
        _rename(one, other, kernel.RENAME_EXCHANGE)
        there = one
    finally:
        if mode >= 0:
            os.chmod(there, mode)


def _rename(source: str, place: str, flags: int) -> None:
    here = kernel.AT_FDCWD
    kernel.rename(source, place, flags, source_dir=here, target_dir=here)


def copy(source: str, place: str) -> None:
    """A whole copy of anything at a free name, folders with all they hold.

    Raises: OSError.
    """
    found = os.lstat(source)
    if stat.S_ISDIR(found.st_mode):
        os.mkdir(place, 0o700)
        links: dict[tuple[int, int], str] = {}
        for name in os.listdir(source):
            _copy_inner(f"{source}/{name}", f"{place}/{name}", links)
    elif stat.S_ISREG(found.st_mode):
        with contextlib.suppress(FileExistsError):
            os.close(os.open(place, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        copy_content(source, place)
    elif stat.S_ISLNK(found.st_mode):
        os.symlink(os.readlink(source), place)
    elif stat.S_ISFIFO(found.st_mode) or stat.S_ISSOCK(found.st_mode):
        os.mknod(place, stat.S_IFMT(found.st_mode) | 0o600)
    else:
        raise OSError(errno.EPERM, "a device is not copied")
    Dress.of(source).put_on(place)


def _copy_inner(source: str, place: str, links: dict[tuple[int, int], str]) -> None:
    """Names of one file stay names of one file."""
    found = os.lstat(source)
    key = (found.st_dev, found.st_ino)
    if not stat.S_ISDIR(found.st_mode) and key in links:
        os.link(links[key], place, follow_symlinks=False)
        return
    copy(source, place)
    links[key] = place


def copy_content(source: str, place: str) -> None:
    """Make the content of one file that of another that exists; holes stay holes.

    Raises: OSError.
    """
    with _opened(source, os.O_RDONLY) as reading, _opened(place, os.O_WRONLY) as writing:
        os.ftruncate(writing, 0)
        size = os.fstat(reading).st_size
        os.ftruncate(writing, size)
        for start, end in _pieces(reading, size):
            _copy_piece(reading, writing, start, end)
        os.fsync(writing)


def _copy_piece(reading: int, writing: int, start: int, end: int) -> None:
    while start < end:
        piece = os.pread(reading, min(_CHUNK, end - start), start)
        if not piece:
            return
        start += os.pwrite(writing, piece, start)


def _pieces(descriptor: int, size: int) -> Iterator[tuple[int, int]]:
    """Where there is data."""
    at = 0
    while at < size:
        try:
            start = os.lseek(descriptor, at, os.SEEK_DATA)
        except OSError:
            return  # only a hole is left
        at = os.lseek(descriptor, start, os.SEEK_HOLE)
        yield start, at


@contextlib.contextmanager
def _opened(path: str, flags: int) -> Iterator[int]:
    """A file of ours, whatever its mode; never through a link, never waiting for a pipe."""
    flags |= os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
    try:
        descriptor = os.open(path, flags)
    except PermissionError:
        mode = stat.S_IMODE(os.lstat(path).st_mode)
        os.chmod(path, mode | 0o600)
        try:
            descriptor = os.open(path, flags)
        finally:
            os.chmod(path, mode)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


@dataclass(frozen=True, slots=True)
class Dress:
    """What a file has besides its content."""

    mode: int
    owner: tuple[int, int]
    times: tuple[int, int]  # of access, of change; in nanoseconds
    attributes: dict[str, bytes]

    @classmethod
    def of(cls, path: str) -> Dress:
        """Raises: OSError."""
        found = os.lstat(path)
        owner = (found.st_uid, found.st_gid)
        return cls(found.st_mode, owner, (found.st_atime_ns, found.st_mtime_ns), attributes(path))

    def put_on(self, place: str) -> None:
        """In the order in which they stay.

        Raises: OSError.
        """
        now = os.lstat(place)
        if (now.st_uid, now.st_gid) != self.owner:
            os.chown(place, *self.owner, follow_symlinks=False)
        for name in attributes(place):
            if name not in self.attributes:
                with contextlib.suppress(OSError):
                    os.removexattr(place, name, follow_symlinks=False)
        for name, value in self.attributes.items():
            with contextlib.suppress(OSError):  # as everywhere: kept where the file system can
                os.setxattr(place, name, value, follow_symlinks=False)
        if not stat.S_ISLNK(self.mode):
            os.chmod(place, stat.S_IMODE(self.mode))
        os.utime(place, ns=self.times, follow_symlinks=False)


def undress(place: str) -> None:
    """Take the overlay's marks off a file that is to leave the trial."""
    found = marks(place)
    if not found:
        return
    extra = attributes(place)
    before = os.lstat(place)
    mode = stat.S_IMODE(before.st_mode)
    if not mode & 0o200:
        os.chmod(place, mode | 0o200)  # an attribute is only taken off where one may write
    for name in found:
        os.removexattr(place, name, follow_symlinks=False)
    for name, value in extra.items():
        if name.startswith("user.overlay."):
            os.setxattr(place, name, value, follow_symlinks=False)
    if not mode & 0o200:
        os.chmod(place, mode)
    os.utime(place, ns=(before.st_atime_ns, before.st_mtime_ns), follow_symlinks=False)


def remove(place: str) -> None:
    """Remove anything; what is not there is fine.

    Raises: OSError.
    """
    found = lstat(place)
    if found is None:
        return
    if not stat.S_ISDIR(found.st_mode):
        os.unlink(place)
        return
    remove_tree(Path(place))
    if lstat(place) is not None:
        raise OSError(errno.EACCES, "something in it cannot be removed")
