"""What the reading of commands may ask about the disk."""

from __future__ import annotations

import os
import select
import subprocess
import time
from glob import iglob
from itertools import islice
from pathlib import Path
from typing import IO

from aish.core.safety.situation import FileCount

MOST_COUNTED = 20_000
COUNTING = 0.5  # seconds; a person waits for the question


class DiskFiles:
    """Answers from the real disk; what cannot be answered cheaply is answered with care."""

    def exists(self, path: str) -> bool:
        """True for a file with content; a directory is not replaced by a write."""
        try:
            found = os.lstat(path)
        except (OSError, ValueError):
            return False
        return not _is_folder(path) and found.st_size > 0

    def is_folder(self, path: str) -> bool:
        return _is_folder(path)

    def count_below(self, path: str) -> FileCount | None:
        """Files below a directory, counted up to a limit."""
        if not _is_folder(path):
            return None
        end, count = time.monotonic() + COUNTING, 0
        for _, _, names in os.walk(path, onerror=None):
            count += len(names)
            if count > MOST_COUNTED or time.monotonic() > end:
                return _given_up(count)
        return FileCount(count)

    def matching(self, pattern: str) -> FileCount | None:
        """Files a pattern names, counted up to a limit; not for `**`, which may walk the disk."""
        if "**" in pattern or "\0" in pattern:
            return None
        count = len(list(islice(iglob(pattern), MOST_COUNTED + 1)))  # noqa: PTH207  (absolute)
        return FileCount(count) if count <= MOST_COUNTED else _given_up(count)

    def found(self, tests: tuple[str, ...], cwd: str) -> FileCount | None:
        """What `find` itself finds, a byte for each, until the limit or the time is reached."""
        command = ["find", *tests, "-printf", "x"]
        none = subprocess.DEVNULL
        try:
            search = subprocess.Popen(
                command, cwd=cwd, stdin=none, stdout=subprocess.PIPE, stderr=none
            )
        except (OSError, ValueError):
            return None
        with search:
            count, ended = _bytes_of(search.stdout) if search.stdout else (0, False)
            search.kill()
        return FileCount(count) if ended else _given_up(count)

    def ignored(self, path: str) -> bool:
        """Whether git ignores it and keeps nothing of it."""
        folder = _existing_folder(Path(path))
        command = ["git", "-C", str(folder), "check-ignore", "-q", "--", path]
        return _succeeds(command)


def _given_up(count: int) -> FileCount:
    return FileCount(min(count, MOST_COUNTED), more=True)


def _bytes_of(printed: IO[bytes]) -> tuple[int, bool]:
    """How many bytes a program prints, and whether that was all."""
    end, count = time.monotonic() + COUNTING, 0
    while count <= MOST_COUNTED:
        left = max(0.0, end - time.monotonic())
        if not select.select([printed], [], [], left)[0]:
            return count, False
        piece = os.read(printed.fileno(), 65536)
        if not piece:
            return count, True
        count += len(piece)
    return count, False


def is_there(cwd: str, path: str) -> bool:
    """Whether anything has this name, seen from a directory."""
    try:
        return os.path.lexists(os.path.join(cwd, os.path.expanduser(path)))  # noqa: PTH111, PTH118
    except ValueError:  # no path at all
        return False


def _is_folder(path: str) -> bool:
    return os.path.isdir(path)  # noqa: PTH112  (a name that cannot be one is none, not an error)


def _existing_folder(path: Path) -> Path:
    for folder in path.parents:
        if _is_folder(str(folder)):
            return folder
    return Path("/")


def _succeeds(command: list[str]) -> bool:
    try:
        done = subprocess.run(command, capture_output=True, timeout=2, check=False)
    except (OSError, ValueError, subprocess.TimeoutExpired):  # ValueError: a NUL in the path
        return False
    return done.returncode == 0


def project_root(start: str) -> str:
    """The repository around a directory; empty where there is none."""
    folder = Path(start)
    for place in (folder, *folder.parents):
        if os.path.lexists(place / ".git"):
            return str(place)
    return ""
