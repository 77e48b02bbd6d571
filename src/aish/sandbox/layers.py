"""Which file systems a trial covers: the mounted ones, read from the kernel's own list."""

from __future__ import annotations

import os
import re
from pathlib import Path

from aish.core.values import dataclass

MOST_LAYERS = 48  # a machine with more is a container host; what is left out is not seen inside

_APART = ("/proc", "/sys", "/dev")  # made anew or shown read-only
_NOT_FILES = frozenset(
    [
        "proc",
        "sysfs",
        "devtmpfs",
        "devpts",
        "cgroup",
        "cgroup2",
        "securityfs",
        "debugfs",
        "tracefs",
        "pstore",
        "bpf",
        "configfs",
        "hugetlbfs",
        "mqueue",
        "binfmt_misc",
        "autofs",
        "rpc_pipefs",
        "nsfs",
        "efivarfs",
        "fusectl",
        "selinuxfs",
        "ramfs",
    ]
)
_SCRATCH = ("/tmp", "/var/tmp")  # noqa: S108  (files of everybody: writable, but nobody's own)
_OF_ROOT = ("/etc", "/home", "/opt", "/root", "/run", "/srv", "/usr", "/var")  # each costs 1 ms
_ALWAYS = frozenset((*_OF_ROOT, "/bin", "/lib", "/lib32", "/lib64", "/sbin"))
_READ_ONLY = frozenset(("squashfs", "iso9660", "erofs"))


@dataclass(frozen=True, slots=True)
class Mount:
    """One mounted file system and where."""

    path: str
    kind: str


@dataclass(frozen=True, slots=True)
class Cover:
    """What a trial lays an overlay on, and what it shows as it is."""

    layers: tuple[str, ...] = ()  # folders that can be changed inside; nothing is mounted below
    still: tuple[str, ...] = ()  # the same, but read-only
    folders: tuple[str, ...] = ()  # made anew: something is mounted below; parents first
    links: tuple[tuple[str, str], ...] = ()  # (path, target)
    shown: tuple[tuple[str, bool], ...] = ()  # (path, is it a folder), read-only
    hidden: tuple[str, ...] = ()  # not seen inside


def mounts(text: str) -> list[Mount]:
    """The mounts of a /proc/self/mountinfo, the uppermost at each path."""
    found: dict[str, str] = {}
    for line in text.rstrip("\n").split("\n"):  # a name may have any other end of a line
        before, _, after = line.partition(" - ")
        path = _plain(before.split(" ")[4])
        found.pop(path, None)  # a later mount hides the earlier one
        found[path] = after.split(" ")[0]
    return [Mount(path, kind) for path, kind in found.items()]


class _Covering:
    """The kernel lets no ordinary user lay an overlay over a folder with mounts below it.

    So such a folder is made anew inside, and each of its entries is covered by itself.
    """

    def __init__(self, found: list[Mount], needed: tuple[str, ...], *, root: bool) -> None:
        self._root = root
        self._kinds = {mount.path: mount.kind for mount in found}
        self._needed = needed
        self._layers: list[str] = []
        self._still: list[str] = []
        self._folders: list[str] = []
        self._links: list[tuple[str, str]] = []
        self._shown: list[tuple[str, bool]] = [("/sys", True)]
        self._hidden: list[str] = []

    def result(self) -> Cover:
        self._split("/")
        return Cover(
            tuple(self._layers),
            tuple(self._still),
            tuple(self._folders),
            tuple(self._links),
            tuple(self._shown),
            tuple(self._hidden),
        )

    def _split(self, path: str) -> None:
        self._folders.append(path)
        try:
            with os.scandir(path) as found:
                entries = sorted(
                    found, key=lambda entry: (not self._is_needed(entry.path), entry.name)
                )
        except OSError:
            return
        for entry in entries:
            if not below(entry.path, _APART):
                self._entry(entry)

    def _entry(self, entry: os.DirEntry[str]) -> None:
        path = entry.path
        if entry.is_symlink():
            self._links.append((path, os.readlink(path)))
        elif not entry.is_dir(follow_symlinks=False):
            self._shown.append((path, False))
        elif self._kinds.get(path, "") in _NOT_FILES or not self._room(path):
            self._hidden.append(path)
        elif any(mount.startswith(path + "/") for mount in self._kinds):
            self._split(path)
        elif self._kinds.get(path, "") in _READ_ONLY:
            self._shown.append((path, True))
        elif self._wanted(path) or (self._root and below(path, _OF_ROOT)):
            self._layers.append(path)
        else:
            self._still.append(path)

    def _room(self, path: str) -> bool:
        """Nothing starts without the system, and what is needed is needed in any case."""
        if path in _ALWAYS or self._is_needed(path):
            return True
        foreign = self._kinds.get(path) == "overlay"
        covered = len(self._layers) + len(self._still)
        return not foreign and covered < MOST_LAYERS

    def _wanted(self, path: str) -> bool:
        return self._is_needed(path) or below(path, _SCRATCH)

    def _is_needed(self, path: str) -> bool:
        needed = any(below(one, (path,)) or below(path, (one,)) for one in self._needed)
        return needed or any(below(one, (path,)) for one in _SCRATCH)


def cover(found: list[Mount], needed: tuple[str, ...], *, root: bool = False) -> Cover:
    """Choose: `needed` are the paths that must be writable, beside those for everybody's files;
    `root` writes to more."""
    return _Covering(found, needed, root=root).result()


def here(needed: tuple[str, ...]) -> Cover:
    """What a trial on this machine covers now."""
    text = Path("/proc/self/mountinfo").read_text("utf-8", "surrogateescape")
    return cover(mounts(text), needed, root=os.geteuid() == 0)


def below(path: str, folders: tuple[str, ...]) -> bool:
    """Whether it is one of them, or inside one."""
    return any(path == folder or path.startswith(folder.rstrip("/") + "/") for folder in folders)


def _plain(escaped: str) -> str:
    """mountinfo writes blanks and backslashes as octal numbers."""
    return re.sub(r"\\([0-7]{3})", lambda match: chr(int(match[1], 8)), escaped)
