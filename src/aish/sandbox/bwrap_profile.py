"""The sandbox as arguments of bwrap: what may be written, what is hidden, what is locked."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from aish.core.values import dataclass
from aish.sandbox.layers import below

MOST_FOLDERS = 2_000  # looked at for repositories inside the workspace
DEPTH = 3

_GIT_FOLDERS = ("hooks", "modules", "worktrees")
_GIT_FILES = ("config", "config.worktree")
LATER = ("commondir",)  # would send git elsewhere; cannot be held absent, so looked for afterwards


@dataclass(frozen=True, slots=True)
class Profile:
    """What one command may do."""

    workspace: str
    write: tuple[str, ...] = ()  # more folders it may write to
    network: bool = False
    protected: tuple[str, ...] = ()  # never writable, also where they are not there yet

    def writable(self) -> tuple[str, ...]:
        return (self.workspace, *self.write)


def git_parts(workspace: str) -> list[str]:
    """What runs code when git is used later: hooks and configuration of every repository here."""
    found = []
    for folder in _repositories(workspace):
        if os.path.isdir(folder):
            found += [f"{folder}/{name}" for name in (*_GIT_FOLDERS, *_GIT_FILES)]
        else:
            found.append(folder)  # absent, or a file that names another folder
    return found


def _repositories(workspace: str) -> Iterator[str]:
    yield f"{workspace}/.git"
    waiting, seen = [(workspace, 0)], 0
    while waiting and seen < MOST_FOLDERS:
        folder, depth = waiting.pop(0)
        seen += 1
        try:
            with os.scandir(folder) as entries:
                inner = [entry for entry in entries if entry.is_dir(follow_symlinks=False)]
        except OSError:
            continue
        for entry in inner:
            if entry.name == ".git" and folder != workspace:
                yield entry.path
            elif entry.name != ".git" and depth < DEPTH:
                waiting.append((entry.path, depth + 1))


def is_file(path: str) -> bool:
    """Whether a protected path that is not there yet would be a file."""
    return os.path.basename(path) in _GIT_FILES


def arguments(profile: Profile) -> list[str]:
    """What to tell bwrap; every protected path in a writable folder must be there."""
    made = ["--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev"]
    for folder in ("/tmp", "/var/tmp", "/run", "/dev/shm"):  # noqa: S108
        if os.path.isdir(folder) and not os.path.islink(folder):
            made += ["--tmpfs", folder]
    for name in ("sys", "sysrq-trigger", "irq", "bus", "fs"):  # bwrap leaves them open to root
        if os.path.exists(f"/proc/{name}"):
            made += ["--ro-bind", f"/proc/{name}", f"/proc/{name}"]
    made += _resolver(profile)
    for folder in profile.writable():
        made += ["--bind", folder, folder]
    made += [word for path in sockets() if _visible(path, profile) for word in _masked(path)]
    made += _locks(profile)
    made += ["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts"]
    made += ["--unshare-cgroup-try", "--die-with-parent", "--cap-drop", "ALL"]
    if not profile.network:
        made.append("--unshare-net")
    return made


def _locks(profile: Profile) -> list[str]:
    """Read-only mounts; folders between the workspace and a lock become mounts, which stay put.

    Else the folder that holds the lock could be moved away, and a new one made in its place.
    """
    words: list[str] = []
    steps: dict[str, None] = {}
    for path in profile.protected:
        root = next((top for top in profile.writable() if below(path, (top,))), "")
        if root and path != root:
            parent = os.path.dirname(path)
            between = []
            while parent != root and below(parent, (root,)):
                between.append(parent)
                parent = os.path.dirname(parent)
            steps.update(dict.fromkeys(step for step in reversed(between) if os.path.isdir(step)))
    for step in steps:
        words += ["--bind", step, step]
    for path in profile.protected:
        if any(below(path, (top,)) for top in profile.writable()):
            words += ["--ro-bind", path, path]
    return words


def _resolver(profile: Profile) -> list[str]:
    """The name server's address, where it is a link into the hidden /run."""
    target = os.path.realpath("/etc/resolv.conf")
    if profile.network and target.startswith("/run/") and os.path.exists(target):
        return ["--ro-bind", target, target]
    return []


def sockets() -> list[str]:
    """Named sockets somebody listens at: a read-only file system does not keep anyone out."""
    try:
        text = Path("/proc/net/unix").read_text("utf-8", "surrogateescape")
    except OSError:
        return []
    found: dict[str, None] = {}
    for line in text.splitlines()[1:]:
        parts = line.split(None, 7)
        if len(parts) == 8 and parts[7].startswith("/"):
            found[os.path.realpath(parts[7])] = None
    return [path for path in found if os.path.exists(path)]


def _visible(path: str, profile: Profile) -> bool:
    hidden = ("/tmp", "/var/tmp", "/run", "/dev", "/proc")  # noqa: S108
    return not below(path, hidden) or below(path, profile.writable())


def _masked(path: str) -> list[str]:
    return ["--ro-bind", "/dev/null", path]
