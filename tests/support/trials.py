"""Trials for tests: run a script for real and as a trial, and compare the trees they leave."""

from __future__ import annotations

import os
import stat
import subprocess
from dataclasses import dataclass
from pathlib import Path

from aish.sandbox.applying import Applied, apply
from aish.sandbox.changes import Scan, scan
from aish.sandbox.kept import Record, Store
from aish.sandbox.trial import Trial, prepare

LIMIT = 1 << 30


@dataclass
class Bench:
    """Where trials and old files of a test are kept."""

    folder: Path

    @property
    def store(self) -> Store:
        return Store(self.folder / "undo", LIMIT)

    def trial(self, cwd: Path, script: str, *, network: bool = False) -> tuple[Trial, int, str]:
        """A trial that has run the script, its status and its output."""
        trial = prepare(self.folder / "trials", str(cwd), network=network)
        status, output = trial.run(["bash", "-c", script], captured=True)
        return trial, status, output.decode("utf-8", "replace")

    def tried(self, cwd: Path, script: str) -> tuple[Trial, Scan]:
        trial, _, _ = self.trial(cwd, script)
        return trial, scan(trial)

    def applied(self, cwd: Path, script: str, only: set[str] | None = None) -> Applied:
        """Try the script, apply all of it or some, and throw the trial away."""
        trial, found = self.tried(cwd, script)
        applied = apply(trial, found, self.store.begin(script, str(cwd)), only=only)
        trial.discard()
        return applied

    def last(self) -> Record:
        return next(self.store.records())


def really(cwd: Path, script: str) -> None:
    """Run a script with no trial."""
    subprocess.run(["bash", "-c", script], cwd=cwd, capture_output=True, check=False)


def tree(root: Path, *, since: int = 0) -> dict[str, tuple[object, ...]]:
    """Everything that is meaningful about a tree, by relative path.

    Files of one inode share a number. Times from `since` on are when the script ran, which is not
    the same twice.
    """
    found: dict[str, tuple[object, ...]] = {}
    names: dict[int, str] = {}
    for path in sorted(root.rglob("*"), key=os.fsencode):
        info = path.lstat()
        relative = str(path.relative_to(root))
        first = names.setdefault(info.st_ino, relative)
        times = 0 if info.st_mtime_ns >= since > 0 else info.st_mtime_ns
        kind = stat.S_IFMT(info.st_mode)
        found[relative] = (
            oct(info.st_mode),
            info.st_uid,
            info.st_gid,
            0 if kind in (stat.S_IFDIR, stat.S_IFLNK) else times,
            "" if kind == stat.S_IFDIR else first,
            _content(path, kind),
            _attributes(path),
        )
    return found


def _content(path: Path, kind: int) -> bytes:
    if kind == stat.S_IFREG:
        size = path.stat().st_size
        with path.open("rb") as file:
            return file.read(1 << 20) + str(size).encode()
    return os.fsencode(os.readlink(path)) if kind == stat.S_IFLNK else b""


def _attributes(path: Path) -> tuple[tuple[str, bytes], ...]:
    names = os.listxattr(path, follow_symlinks=False)
    return tuple((name, os.getxattr(path, name, follow_symlinks=False)) for name in sorted(names))
