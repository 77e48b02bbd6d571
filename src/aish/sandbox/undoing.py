"""Taking back what a command changed, step by step from the last, unless it changed since."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from aish.sandbox import files
from aish.sandbox.kept import Record, Step, identity


@dataclass(frozen=True, slots=True)
class Undone:
    """What became of an undo."""

    restored: tuple[str, ...]
    refused: tuple[tuple[str, str], ...]  # path, reason


def undo(record: Record) -> Undone:
    """Put everything back that is still as the command left it."""
    restored, refused = [], []
    parents = files.Parents()
    modes = _open_made_folders(record, parents.at)
    for step in reversed(record.steps):
        try:
            reason = _take_back(record, step, parents.at)
        except OSError as error:
            reason = error.strerror or str(error)
        if reason:
            refused.append((step.path, reason))
        elif step.done or step.kept:
            restored.append(step.path)
    for path, mode in modes.items():
        with suppress(OSError):
            os.chmod(parents.at(path), mode)
    for path, accessed, changed in record.folders:
        with suppress(OSError):
            os.utime(parents.at(path), ns=(accessed, changed), follow_symlinks=False)
    parents.close()
    return Undone(tuple(restored), tuple(refused))


def _open_made_folders(record: Record, at: Callable[[str], str]) -> dict[str, int]:
    """Folders the command made let their owner in, whatever it set; their modes, to put back."""
    modes = {}
    for step in record.steps:
        if step.op == "folder" and not step.was:
            with suppress(OSError):
                place = at(step.path)
                found = os.lstat(place)
                if identity(found) == step.now:
                    modes[step.path] = stat.S_IMODE(found.st_mode)
                    os.chmod(place, modes[step.path] | 0o700)
    return modes


def _take_back(record: Record, step: Step, at: Callable[[str], str]) -> str:
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
