"""Making a trial real: file by file, each in one step, unless it changed meanwhile."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial

from aish.core.values import dataclass
from aish.sandbox import files
from aish.sandbox.changes import FileChange, Scan, same_bytes
from aish.sandbox.trial import Trial
from aish.sandbox.undo_store import UndoRecord, UndoWriter


@dataclass(frozen=True, slots=True)
class Refused:
    """A change that was not made, and why."""

    change: FileChange
    reason: str


@dataclass(frozen=True, slots=True)
class Applied:
    """What became of the changes."""

    done: tuple[FileChange, ...]
    refused: tuple[Refused, ...]
    not_kept: tuple[str, ...]  # paths whose old state cannot be brought back
    record: UndoRecord


def apply(
    trial: Trial,
    scan: Scan,
    writer: UndoWriter,
    *,
    only: Collection[str] | None = None,
    never: tuple[str, ...] = (),
    as_run: bool = False,
) -> Applied:
    """Make the changes real, or those at the paths of `only` and the folders they need.

    `as_run`: a file that was written to is written to, as if the command had run for real, so that
    a program that has it open goes on with it. Else each file is put in place in one step.
    Nothing below a path of `never` is touched: it is aish's own.
    """
    wanted = _selected(scan.changes, only)
    if as_run:
        wanted = [replace(change, op="write") if _written(change) else change for change in wanted]
    work = _Work(trial, writer)
    work.reach(wanted, scan.folders if only is None else ())
    apart = _apart(wanted)
    refused = []
    for change in wanted:
        if reason := _conflict(trial, change, never) or apart.get(change.path, ""):
            refused.append(Refused(change, reason))
    barred = {refusal.change.path for refusal in refused}
    work.run([change for change in wanted if change.path not in barred])
    whole = only is None and not refused and not work.failed
    work.settle(scan.folders if whole else ())
    writer.close()
    steps = writer.record.steps
    not_kept = tuple(
        step.path for step in steps if step.was and not step.kept and step.op != "meta"
    )
    return Applied(tuple(work.done), (*refused, *work.failed), not_kept, writer.record)


def _written(change: FileChange) -> bool:
    return change.op == "put" and change.what == "file" and change.copied and not change.link


def _selected(found: tuple[FileChange, ...], only: Collection[str] | None) -> list[FileChange]:
    if only is None:
        return list(found)
    needed = {
        change.path
        for change in found
        if change.op == "folder" and any(path.startswith(change.path + "/") for path in only)
    }
    return [change for change in found if change.path in only or change.path in needed]


# Conflicts -----------------------------------------------------------------------------------


def _conflict(trial: Trial, change: FileChange, never: tuple[str, ...]) -> str:
    """Why a change must not be made; "" when it may."""
    if any(_meets(change, path) for path in never):
        return "it belongs to aish"
    if change.doubtful:
        return "it has other names, and may have been replaced or written to"
    try:
        return _not_as_before(trial, change, files.lstat(change.path))
    except OSError as error:
        return _reason(error)


def _not_as_before(trial: Trial, change: FileChange, now: os.stat_result | None) -> str:
    if change.kind == "created":
        return "" if now is None else "something is there now"
    if now is None:
        return "" if change.kind == "deleted" else "it is gone"
    moved = partial(_touched, trial)
    if moved(now):
        return "it changed meanwhile"
    if stat.S_ISDIR(now.st_mode) and (change.op != "meta") and any(map(moved, _below(change.path))):
        return "something in it changed meanwhile"
    return ""


def _apart(wanted: list[FileChange]) -> dict[str, str]:
    """Names of one file that were each written to: in an overlay they are different files."""
    names: dict[tuple[int, int], list[str]] = {}
    for change in wanted:
        found = files.lstat(change.path) if change.op in ("write", "meta") else None
        if found is not None and found.st_nlink > 1 and stat.S_ISREG(found.st_mode):
            names.setdefault((found.st_dev, found.st_ino), []).append(change.path)
    several = (paths for paths in names.values() if len(paths) > 1)
    return {
        path: "the names of this file came apart in the trial"
        for paths in several
        for path in paths
    }


def _meets(change: FileChange, path: str) -> bool:
    inside = f"{change.path}/".startswith(f"{path}/")
    return inside or (change.op in ("delete", "put") and f"{path}/".startswith(f"{change.path}/"))


def _touched(trial: Trial, now: os.stat_result) -> bool:
    own = trial.own_stamps.get(f"{now.st_dev}:{now.st_ino}")
    return now.st_ctime_ns >= trial.began_ns and now.st_ctime_ns != own


def _below(path: str) -> Iterator[os.stat_result]:
    try:
        with os.scandir(path) as found:
            for entry in found:
                yield entry.stat(follow_symlinks=False)
                if entry.is_dir(follow_symlinks=False):
                    yield from _below(entry.path)
    except OSError:
        return


# The work ------------------------------------------------------------------------------------


class _Work:
    """Takes the steps: new folders and files first, then deletions, then what folders look like."""

    def __init__(self, trial: Trial, writer: UndoWriter) -> None:
        self._trial = trial
        self._writer = writer
        self._parents = files.Parents()
        self._reach = files.Reach(self._parents.at)
        self._uppers = files.Reach(str)  # our own, by their plain paths
        self._dresses: dict[str, files.Dress] = {}
        self._moved: dict[str, str] = {}
        self._last: dict[str, FileChange] = {}  # folders that only get another mode, owner, …
        self._new: set[str] = set()  # folders made, to be dressed when nothing more is put in
        self.done: list[FileChange] = []
        self.failed: list[Refused] = []

    def reach(self, wanted: list[FileChange], times: tuple[tuple[str, int, int], ...]) -> None:
        """Open the folders of the changes; note for undo when those and others were changed."""
        folders = {change.path.rpartition("/")[0]: 0 for change in wanted}
        for path, changed in ({path: changed for path, _, changed in times} | folders).items():
            with suppress(OSError):
                before = os.lstat(self._parents.at(path))
                if stat.S_ISDIR(before.st_mode) and before.st_mtime_ns != changed:
                    self._writer.folder_times(path, before)
        for path in folders:
            self._reach.folder(path)
        for path in self._reach.modes:
            self._stamp(self._parents.at(path))

    def run(self, wanted: list[FileChange]) -> None:
        for change in wanted:  # outer ones come first
            self._uppers.folder(change.upper.rpartition("/")[0])
            if change.what == "folder" and change.upper:
                self._dresses[change.path] = files.Dress.of(change.upper)
        self._moved = _moved_links(wanted)
        for change in sorted(wanted, key=_order):
            if change.op == "meta" and change.what == "folder":
                self._last[change.path] = change
            else:
                self._try(change)

    def _try(self, change: FileChange) -> None:
        try:
            self._step(change)
            self.done.append(change)
        except OSError as error:
            self.failed.append(Refused(change, _reason(error)))

    def settle(self, folders: tuple[tuple[str, int, int], ...]) -> None:
        """Folders get their modes and times when nothing more is put in, inner ones first."""
        times = {path: (accessed, changed) for path, accessed, changed in folders}
        noted = {path for path, _, _ in self._writer.record.folders}
        some = {*self._new, *self._last, *self._reach.modes, *times, *noted}
        for path in files.deepest_first(some):
            if path in self._new:
                place = self._parents.at(path)
                self._dresses[path].put_on(place)
                self._stamp(place)
            elif path in self._last:
                self._try(self._last[path])
            elif path in self._reach.modes:
                self._reach.leave(path)
            if path in times:
                self._set_times(path, *times[path])
            if path in noted:
                with suppress(OSError):
                    self._writer.folder_end(path, os.lstat(self._parents.at(path)))
        for path in files.deepest_first(self._uppers.modes):
            self._uppers.leave(path)
        self._parents.close()

    def _set_times(self, path: str, accessed: int, changed: int) -> None:
        try:
            place = self._parents.at(path)
            found = os.lstat(place)
            if stat.S_ISDIR(found.st_mode) and found.st_mtime_ns != changed:
                os.utime(place, ns=(accessed, changed), follow_symlinks=False)
                self._stamp(place)
        except OSError:
            return  # somebody else's folder, as /tmp is

    def _step(self, change: FileChange) -> None:
        place = self._parents.at(change.path)
        old = files.lstat(place)
        shut = self._reach.modes.get(change.path)
        step = self._writer.begin(change.path, change.op, place, change.before, shut)
        match change.op:
            case "delete":
                if old is not None:
                    self._put_away(place, self._writer.record.old(step), step.kept)
            case "meta":
                dress = self._dresses.get(change.path) or files.Dress.of(change.upper)
                dress.put_on(place)
            case "write":
                self._write(change, place, self._writer.record.old(step), step.kept)
            case "folder":
                self._folder(change, place, old, self._writer.record.old(step), step.kept)
            case "put":
                self._put(change, place, old, self._writer.record.old(step), step.kept)
        self._stamp(place)
        self._writer.done(step, files.lstat(place))

    def _put_away(self, place: str, where: str, keep: bool) -> None:
        if keep:
            files.move(place, where)
        else:
            files.remove(place)

    def _write(self, change: FileChange, place: str, where: str, keep: bool) -> None:
        """A file with several names is written to, so that all of them see it."""
        if keep:
            files.copy(place, where)
        files.copy_content(change.upper, place)
        files.Dress.of(change.upper).put_on(place)

    def _folder(
        self, change: FileChange, place: str, old: os.stat_result | None, where: str, keep: bool
    ) -> None:
        if old is None:
            os.mkdir(place, 0o700)
        else:
            staged = files.beside(place)
            os.mkdir(staged, 0o700)
            files.swap(staged, place)
            self._put_away(staged, where, keep)
        self._new.add(change.path)

    def _put(
        self, change: FileChange, place: str, old: os.stat_result | None, where: str, keep: bool
    ) -> None:
        staged = self._staged(change, place)
        try:
            if old is None:
                files.move(staged, place)
                return
            files.swap(staged, place)
        except BaseException:
            if staged != change.upper:
                files.remove(staged)
            raise
        self._put_away(staged, where, keep)

    def _staged(self, change: FileChange, place: str) -> str:
        """The new file under a name on the file system it is to be on."""
        linked = self._moved.get(change.path) or change.link
        if linked and (staged := self._linked(linked, place)):
            if change.path in self._moved:
                files.Dress.of(change.upper).put_on(staged)
            return staged
        folder = place.rpartition("/")[0]
        if os.stat(folder).st_dev == os.lstat(change.upper).st_dev:
            files.undress(change.upper)
            return change.upper
        staged = files.beside(place)
        files.copy(change.upper, staged)
        return staged

    def _linked(self, path: str, place: str) -> str:
        """A second name for a real file, beside the place; "" when it cannot have one there."""
        staged = files.beside(place)
        parents = files.Parents()
        try:
            os.link(parents.at(path), staged, follow_symlinks=False)
        except OSError:
            return ""
        finally:
            parents.close()
        return staged

    def _stamp(self, place: str) -> None:
        """Remember which changes of a file's state are our own."""
        found = files.lstat(place)
        if found is not None:
            self._trial.own_stamps[f"{found.st_dev}:{found.st_ino}"] = found.st_ctime_ns
        parent = os.stat(place.rpartition("/")[0])
        self._trial.own_stamps[f"{parent.st_dev}:{parent.st_ino}"] = parent.st_ctime_ns


def _order(change: FileChange) -> tuple[int, str]:
    if change.op == "delete":
        return 2, change.path
    return (1 if change.link else 0), change.path


def _reason(error: OSError) -> str:
    if error.errno in (errno.ELOOP, errno.ENOTDIR, errno.ENOENT):
        return "its folder changed meanwhile"
    return error.strerror or str(error)


def _moved_links(wanted: list[FileChange]) -> dict[str, str]:
    """New files that are old ones with several names under another name.

    An overlay moves such a file by a copy, which would cut it off from its other names.
    """
    created = [change for change in wanted if change.op == "put" and change.kind == "created"]
    if not created:
        return {}
    gone: dict[tuple[int, int], list[str]] = {}
    for change in wanted:
        if change.kind == "deleted":
            for path, found in _linked_files(change.path):
                gone.setdefault((found.st_size, found.st_mtime_ns), []).append(path)
    moved = {}
    for change in created:
        new = os.lstat(change.upper)
        for path in (
            gone.get((new.st_size, new.st_mtime_ns), ()) if stat.S_ISREG(new.st_mode) else ()
        ):
            if same_bytes(change.upper, path):
                moved[change.path] = path
                gone[new.st_size, new.st_mtime_ns].remove(path)
                break
    return moved


def _linked_files(path: str) -> Iterator[tuple[str, os.stat_result]]:
    found = files.lstat(path)
    if found is None:
        return
    if stat.S_ISREG(found.st_mode) and found.st_nlink > 1:
        yield path, found
    elif stat.S_ISDIR(found.st_mode):
        try:
            names = os.listdir(path)
        except OSError:
            return
        for name in names:
            yield from _linked_files(f"{path}/{name}")
