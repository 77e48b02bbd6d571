"""What a trial changed: its upper folders compared with the real ones."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

from aish.core.errors import SandboxError
from aish.core.safety.confining import may_be_added
from aish.core.values import dataclass
from aish.sandbox.trial import Trial

ChangeKind = Literal["created", "changed", "deleted"]
Op = Literal["put", "folder", "meta", "write", "delete"]

MOST_COUNTED = 100_000  # entries of a deleted folder that are looked at
_SAME_CHUNK = 1 << 20
_MARK = "user.overlay."
_ESCAPED = "user.overlay.overlay."  # an attribute of that name set by the command itself


@dataclass(frozen=True, slots=True)
class FileChange:
    """One path that would not be as before."""

    path: str
    kind: ChangeKind
    what: str  # file, folder, link, pipe, socket, device
    details: tuple[str, ...] = ()  # what of it: content, mode, owner, times, …
    before: int = 0  # bytes
    after: int = 0
    inner: int = 0  # entries below a deleted folder
    op: Op = "put"
    upper: str = ""  # where the new state lies
    fresh: bool = False  # made anew by the command, not the old one changed
    link: str = ""  # another path that is the same file
    copied: bool = False  # the old file itself was written to, not replaced
    doubtful: bool = False  # one of several names, and nothing tells written to from replaced


@dataclass(frozen=True, slots=True)
class Scan:
    """What a trial changed, and what its folders' times are to be."""

    changes: tuple[FileChange, ...]
    folders: tuple[tuple[str, int, int], ...]  # path, time of access, time of change

    @property
    def nothing(self) -> bool:
        return not self.changes

    def only_adds(self, folder: str) -> bool:
        """Whether nothing that was there is touched, and nothing outside the folder is made.

        Nor anything that would run by itself later: a hook of git, a settings file of the user.
        """
        home = os.path.expanduser("~")
        return all(
            change.kind == "created" and may_be_added(change.path, folder, home)
            for change in self.changes
        )


def scan(trial: Trial) -> Scan:
    """Look at everything the trial changed, by path.

    Raises: SandboxError, where not all of it can be seen: a path may be longer than any that opens.
    """
    walk = _Walk(trial.began_ns)
    found: list[FileChange] = []
    try:
        for layer in trial.layers:
            found += walk.folder(str(layer.upper), layer.path, real=True, fresh=False)
    except OSError as error:
        why = f"what it changed cannot be listed ({error.strerror})"
        raise SandboxError(why, "nothing of it is real; it is thrown away") from error
    found = [walk.with_link(change) for change in found]
    return Scan(tuple(sorted(found, key=lambda change: change.path)), tuple(walk.folders))


class _Walk:
    """Down the upper folders; files with several names are noted, to be linked again."""

    def __init__(self, began: int) -> None:
        self._began = began
        self._links: dict[tuple[int, int], tuple[int, str]] = {}  # inode: (rank, path)
        self._inodes: dict[str, tuple[int, int]] = {}  # of what has several names
        self.folders: list[tuple[str, int, int]] = []

    def folder(self, upper: str, path: str, *, real: bool, fresh: bool) -> Iterator[FileChange]:
        """The changes below it; `real`: it is there outside; `fresh`: nothing of it remains."""
        own = os.lstat(upper)
        with readable(upper):
            with os.scandir(upper) as found:
                entries = list(found)
            if fresh and real:
                for name in sorted(set(_names(path)) - {entry.name for entry in entries}):
                    yield _deleted(f"{path}/{name}")
            shut = real and not os.access(path, os.X_OK)
            for entry in entries:
                inner = f"{path.rstrip('/')}/{entry.name}"
                if shut and (unseen := _unseen(entry, inner)):
                    yield unseen
                    continue
                yield from self._entry(entry, inner, _lstat(inner) if real else None, fresh)
        self.folders.append((path, own.st_atime_ns, own.st_mtime_ns))

    def _entry(
        self, entry: os.DirEntry[str], path: str, old: os.stat_result | None, fresh: bool
    ) -> Iterator[FileChange]:
        new = entry.stat(follow_symlinks=False)
        if is_whiteout(new):
            if old is not None:
                yield _deleted(path)
        elif stat.S_ISDIR(new.st_mode):
            yield from self._changed_folder(entry.path, path, new, old, fresh)
        else:
            change = _file(entry.path, path, new, old, self._began, fresh=fresh)
            if new.st_nlink > 1:
                self._note_link(new, path, change)
            if change is not None:
                yield change

    def _note_link(self, new: os.stat_result, path: str, change: FileChange | None) -> None:
        """Of the names of one file, the one that stays in place is linked to by the others."""
        stays = change is None or change.op in ("meta", "write")
        rank = 0 if stays else 1 if change and change.kind == "changed" else 2
        key = (new.st_dev, new.st_ino)
        self._links[key] = min(self._links.get(key, (3, "")), (rank, path))
        self._inodes[path] = key

    def with_link(self, change: FileChange) -> FileChange:
        key = self._inodes.get(change.path)
        if change.op != "put" or key is None:
            return change
        link = self._links[key][1]
        return change if link == change.path else replace(change, link=link)

    def _changed_folder(
        self, upper: str, path: str, new: os.stat_result, old: os.stat_result | None, fresh: bool
    ) -> Iterator[FileChange]:
        there = old is not None and stat.S_ISDIR(old.st_mode)
        fresh = fresh or _attribute(upper, f"{_MARK}opaque") == b"y"
        if not there or old is None:
            details: tuple[str, ...] = () if old is None else (f"was a {what_is(old)}",)
            kind: ChangeKind = "created" if old is None else "changed"
            size = old.st_size if old else 0
            yield FileChange(path, kind, "folder", details, size, 0, 0, "folder", upper, fresh=True)
        elif details := _meta(upper, path, new, old):
            yield FileChange(path, "changed", "folder", details, op="meta", upper=upper)
        yield from self.folder(upper, path, real=there, fresh=fresh and there)


def _unseen(entry: os.DirEntry[str], path: str) -> FileChange | None:
    """What the command deleted or changed in a folder that was shut to us before it came."""
    new = entry.stat(follow_symlinks=False)
    shut = ("in a folder that is shut",)
    if is_whiteout(new):
        return FileChange(path, "deleted", "file", shut, op="delete")
    if not stat.S_ISREG(new.st_mode) or _attribute(entry.path, f"{_MARK}origin") is None:
        return None
    size = new.st_size
    return FileChange(path, "changed", "file", shut, 0, size, upper=entry.path, copied=True)


def _file(
    upper: str,
    path: str,
    new: os.stat_result,
    old: os.stat_result | None,
    began: int,
    *,
    fresh: bool,
) -> FileChange | None:
    what = what_is(new)
    size = new.st_size if what in ("file", "link") else 0
    if old is None:
        return FileChange(path, "created", what, after=size, upper=upper, fresh=True)
    if stat.S_IFMT(new.st_mode) != stat.S_IFMT(old.st_mode):
        inner, total = _contents(path) if stat.S_ISDIR(old.st_mode) else (0, old.st_size)
        details: tuple[str, ...] = (f"was a {what_is(old)}",)
        return FileChange(
            path, "changed", what, details, total, size, inner, upper=upper, fresh=True
        )
    same = _same_content(upper, path, new, old)
    details = _meta(upper, path, new, old, times=what != "link")
    if not same:
        details = ("target" if what == "link" else "content", *(d for d in details if d != "times"))
    linked = what == "file" and old.st_nlink > 1
    fresh = fresh or (linked and _made_new(upper, new, began))
    if not details and not (linked and fresh):
        return None  # opened for writing, and left alone
    if linked and fresh:
        details = (*details, f"leaves its {old.st_nlink - 1} other names")
    op: Op = "put"
    if same and not fresh:
        op = "meta"
    elif linked and not fresh:
        op = "write"
    copied = linked is False and _attribute(upper, f"{_MARK}origin") is not None
    doubtful = op == "write" and (_at_once(new, began) or _times_were_set(new, old, began))
    return FileChange(
        path, "changed", what, details, old.st_size, size, 0, op, upper, fresh, "", copied, doubtful
    )


def _made_new(upper: str, new: os.stat_result, began: int) -> bool:
    """Whether a file with several names was replaced rather than written to.

    Copying it up for a write keeps its time of access (the overlay never moves it); a new file
    has that of its making. A file with one name that came from below bears a mark.
    """
    born_here = new.st_atime_ns >= began and not _at_once(new, began)
    return born_here or _attribute(upper, f"{_MARK}origin") is not None


def _at_once(new: os.stat_result, began: int) -> bool:
    """Whether all its times are one moment of the trial: made and filled then, or touched then."""
    return began <= new.st_atime_ns == new.st_mtime_ns == new.st_ctime_ns


def _times_were_set(new: os.stat_result, old: os.stat_result, began: int) -> bool:
    """Whether its time of access is one from before that the old file did not have.

    `cp -p` writes to a file with several names, `cp -a` replaces it; both leave it like this.
    """
    return max(new.st_atime_ns, old.st_atime_ns) < began and new.st_atime_ns != old.st_atime_ns


def _deleted(path: str) -> FileChange:
    old = os.lstat(path)
    inner, size = _contents(path) if stat.S_ISDIR(old.st_mode) else (0, old.st_size)
    return FileChange(path, "deleted", what_is(old), (), size, 0, inner, "delete")


def _contents(path: str) -> tuple[int, int]:
    """How many entries a folder has, all the way down, and their bytes."""
    count = size = 0
    waiting = [path]
    while waiting and count < MOST_COUNTED:
        try:
            with os.scandir(waiting.pop()) as found:
                for entry in found:
                    count += 1
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
                    else:
                        size += entry.stat(follow_symlinks=False).st_size
        except OSError:
            continue  # not ours to look into
    return count, size


def _meta(
    upper: str, path: str, new: os.stat_result, old: os.stat_result, *, times: bool = True
) -> tuple[str, ...]:
    details = []
    if not stat.S_ISLNK(new.st_mode) and stat.S_IMODE(new.st_mode) != stat.S_IMODE(old.st_mode):
        details.append("mode")
    if (new.st_uid, new.st_gid) != (old.st_uid, old.st_gid):
        details.append("owner")
    if times and not stat.S_ISDIR(new.st_mode) and new.st_mtime_ns != old.st_mtime_ns:
        details.append("times")
    if attributes(upper) != attributes(path):
        details.append("attributes")
    return tuple(details)


def attributes(path: str) -> dict[str, bytes]:
    """The extended attributes a file has for its user; the overlay's own marks are left out."""
    try:
        names = os.listxattr(path, follow_symlinks=False)
        if not names:
            return {}
        with readable(path):
            return {
                _plain(name): os.getxattr(path, name, follow_symlinks=False)
                for name in names
                if name.startswith(_ESCAPED) or not name.startswith(_MARK)
            }
    except OSError:
        return {}


def _plain(name: str) -> str:
    return _MARK + name.removeprefix(_ESCAPED) if name.startswith(_ESCAPED) else name


def marks(path: str) -> list[str]:
    """The overlay's own marks on a file, which never leave the trial."""
    try:
        names = os.listxattr(path, follow_symlinks=False)
    except OSError:
        return []
    return [name for name in names if name.startswith(_MARK)]


def is_whiteout(found: os.stat_result) -> bool:
    """Whether it stands for something deleted."""
    return stat.S_ISCHR(found.st_mode) and found.st_rdev == 0


def what_is(found: os.stat_result) -> str:
    """The kind of file in one word."""
    for test, word in (
        (stat.S_ISREG, "file"),
        (stat.S_ISDIR, "folder"),
        (stat.S_ISLNK, "link"),
        (stat.S_ISFIFO, "pipe"),
        (stat.S_ISSOCK, "socket"),
    ):
        if test(found.st_mode):
            return word
    return "device"


def _same_content(upper: str, path: str, new: os.stat_result, old: os.stat_result) -> bool:
    if stat.S_ISLNK(new.st_mode):
        return os.readlink(upper) == os.readlink(path)
    if not stat.S_ISREG(new.st_mode):
        return True
    return new.st_size == old.st_size and same_bytes(upper, path)


def same_bytes(one: str, other: str) -> bool:
    """Whether two files have the same content; one that cannot be read has not."""
    try:
        with readable(one), open(one, "rb") as left, open(other, "rb") as right:
            while True:
                piece = left.read(_SAME_CHUNK)
                if piece != right.read(_SAME_CHUNK):
                    return False
                if not piece:
                    return True
    except OSError:
        return False


class readable:
    """A file or folder of ours can be read and entered, whatever mode the command gave it."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._mode = -1

    def __enter__(self) -> None:
        if not os.geteuid():
            return
        found = os.lstat(self._path)
        needed = 0o500 if stat.S_ISDIR(found.st_mode) else 0o400
        plain = stat.S_ISDIR(found.st_mode) or stat.S_ISREG(found.st_mode)
        if plain and found.st_uid == os.geteuid() and found.st_mode & needed != needed:
            self._mode = stat.S_IMODE(found.st_mode)
            os.chmod(self._path, self._mode | needed)

    def __exit__(self, *_: object) -> None:
        if self._mode >= 0:
            os.chmod(self._path, self._mode)


def _attribute(path: str, name: str) -> bytes | None:
    try:
        if name not in os.listxattr(path, follow_symlinks=False):
            return None
        with readable(path):
            return os.getxattr(path, name, follow_symlinks=False)
    except OSError:
        return None


def _names(path: str) -> list[str]:
    try:
        return os.listdir(path)
    except OSError:
        return []


def _lstat(path: str) -> os.stat_result | None:
    try:
        return os.lstat(path)
    except OSError:
        return None
