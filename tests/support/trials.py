"""Trials for tests: run a script for real and as a trial, and compare the trees they leave."""

from __future__ import annotations

import os
import stat
import subprocess
from dataclasses import dataclass
from pathlib import Path

from aish.sandbox.applying import Applied, apply
from aish.sandbox.changes import Scan, scan
from aish.sandbox.trial import Trial, prepare
from aish.sandbox.undo_store import UndoRecord, UndoStore

LIMIT = 1 << 30


@dataclass
class Bench:
    """Where trials and old files of a test are kept."""

    folder: Path

    @property
    def store(self) -> UndoStore:
        return UndoStore(self.folder / "undo", LIMIT)

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

    def last(self) -> UndoRecord:
        return next(self.store.records())


SEED = r"""
mkdir -p d/e f many; echo one > a; echo two > d/b; echo three > d/e/c; ln a d/hard; ln -s a sym
ln -s d dirlink; printf 'x\ny' > $'new\nline'; mkfifo d/pipe; truncate -s 5M sparse; chmod 640 d/b
chmod 750 f; for i in 1 2 3; do echo $i > many/$i; done
touch -d 2020-01-01 a d/b d/e/c sparse many/* $'new\nline' d/pipe; touch -d 2020-01-02 d/e d f many
"""


def seeded(folder: Path, *, hard_links: bool = True) -> Path:
    """A tree with a bit of everything."""
    folder.mkdir()
    more = "" if hard_links else "rm d/hard; touch -d 2020-01-02 d\n"
    subprocess.run(["bash", "-c", SEED + more], cwd=folder, check=True)
    return folder


def really(cwd: Path, script: str) -> None:
    """Run a script with no trial."""
    subprocess.run(["bash", "-c", script], cwd=cwd, capture_output=True, check=False)


def tree(
    root: Path, *, since: int = 0, folder_times: bool = False
) -> dict[str, tuple[object, ...]]:
    """Everything that is meaningful about a tree, by relative path.

    Files of one inode share a number. Times from `since` on are when the script ran, which is not
    the same twice; those of folders count where asked.
    """
    found: dict[str, tuple[object, ...]] = {}
    names: dict[int, str] = {}
    for path in sorted(root.rglob("*"), key=os.fsencode):
        info = path.lstat()
        relative = str(path.relative_to(root))
        first = names.setdefault(info.st_ino, relative)
        times = 0 if info.st_mtime_ns >= since > 0 else info.st_mtime_ns
        kind = stat.S_IFMT(info.st_mode)
        timeless = kind == stat.S_IFLNK or (kind == stat.S_IFDIR and not folder_times)
        found[relative] = (
            oct(info.st_mode),
            info.st_uid,
            info.st_gid,
            0 if timeless else times,
            "" if kind == stat.S_IFDIR else first,
            _content(path, kind),
            _attributes(path),
        )
    return found


def _content(path: Path, kind: int) -> bytes:
    if kind == stat.S_IFREG and not os.access(path, os.R_OK):
        return b"unreadable"
    if kind == stat.S_IFREG:
        size = path.stat().st_size
        with path.open("rb") as file:
            return file.read(1 << 20) + str(size).encode()
    return os.fsencode(path.readlink()) if kind == stat.S_IFLNK else b""


def _attributes(path: Path) -> tuple[tuple[str, bytes], ...]:
    names = os.listxattr(path, follow_symlinks=False)
    return tuple((name, os.getxattr(path, name, follow_symlinks=False)) for name in sorted(names))
