"""Taking back what a command changed, step by step from the last, unless it changed since."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import suppress

from aish.core.values import dataclass
from aish.sandbox import files
from aish.sandbox.undo_store import Step, UndoRecord, identity


@dataclass(frozen=True, slots=True)
class UndoResult:
    """What became of an undo."""

    restored: tuple[str, ...]
    refused: tuple[tuple[str, str], ...]  # path, reason


def undo(record: UndoRecord) -> UndoResult:
    """Put everything back that is still as the command left it."""
    parents = files.Parents()
    found = _Undoing(record, parents.at).run()
    parents.close()
    return found


class _Undoing:
    """Goes back step by step; folders get their modes and times when all in them is back."""

    def __init__(self, record: UndoRecord, at: Callable[[str], str]) -> None:
        self._record = record
        self._at = at
        self._reach = files.Reach(at)
        self._last: dict[str, Step] = {}  # folders that only got another mode, owner, …
        self._restored: list[str] = []
        self._refused: list[tuple[str, str]] = []

    def run(self) -> UndoResult:
        for step in self._record.steps:
            self._reach.folder(step.path.rpartition("/")[0])
            if step.op == "folder":
                self._reach.folder(step.path)
        times = dict(self._old_times())
        for step in reversed(self._record.steps):
            if step.op == "meta" and step.was == "folder":
                self._last[step.path] = step
            else:
                self._try(step)
        for path in files.deepest_first({*self._last, *self._reach.modes, *times}):
            if path in self._reach.modes:
                self._reach.leave(path)
            if path in self._last:
                self._try(self._last[path])
            if path in times:
                with suppress(OSError):
                    os.utime(self._at(path), ns=times[path], follow_symlinks=False)
        return UndoResult(tuple(self._restored), tuple(self._refused))

    def _old_times(self) -> Iterator[tuple[str, tuple[int, int]]]:
        """Of the folders in which nothing happened since."""
        for path, accessed, changed in self._record.folders:
            with suppress(OSError):
                if os.lstat(self._at(path)).st_mtime_ns == self._record.left.get(path):
                    yield path, (accessed, changed)

    def _try(self, step: Step) -> None:
        try:
            reason = _take_back(self._record, step, self._at)
        except OSError as error:
            reason = error.strerror or str(error)
        if reason:
            self._refused.append((step.path, reason))
        elif step.done or step.kept:
            self._restored.append(step.path)


def _take_back(record: UndoRecord, step: Step, at: Callable[[str], str]) -> str:
    """Undo one step; why not, or ""."""
    place, old = at(step.path), record.old(step)
    now = files.lstat(place)
    if not step.done and files.lstat(old) is None:
        return ""  # it was never taken
    if step.done and identity(now) != step.now:
        return "it changed since" if now is not None else "it is gone"
    if step.op == "meta":
        _put_back_metadata(place, step)
        return ""
    if step.was and not step.kept:
        return "the old one was too big to keep"
    if step.op == "write":
        files.copy_content(old, place)
        files.Dress.of(old).put_on(place)
        return ""
    return _put_back(place, old, now, step)


def _put_back(place: str, old: str, now: os.stat_result | None, step: Step) -> str:
    if step.op == "folder" and now is not None and os.listdir(place):
        return "there is something new in it"
    if not step.was:
        _remove_one(place, now)
    elif now is None:
        files.move(old, place)
    else:
        staged = files.beside(place)
        files.move(old, staged)
        files.swap(staged, place)
        files.remove(staged)
    return ""


def _remove_one(place: str, now: os.stat_result | None) -> None:
    if now is None:
        return
    try:
        os.unlink(place)
    except IsADirectoryError:
        os.rmdir(place)


def _put_back_metadata(place: str, step: Step) -> None:
    before = step.before
    extra = {name: bytes.fromhex(value) for name, value in before["attributes"].items()}
    uid, gid = before["owner"]
    accessed, changed = before["times"]
    files.Dress(before["mode"], (uid, gid), (accessed, changed), extra).put_on(place)
