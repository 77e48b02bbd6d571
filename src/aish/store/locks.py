"""Advisory locks on files, with a message that names who holds one."""

from __future__ import annotations

import fcntl
import os
import time
from pathlib import Path

from aish.core.errors import Locked
from aish.core.values import dataclass

_PAUSE = 0.002  # between two tries; a write with its fdatasync takes about as long


@dataclass(frozen=True, slots=True)
class Holder:
    """The process that holds a lock, as far as the system tells."""

    pid: int
    name: str
    since: float  # when that process began

    def __str__(self) -> str:
        began = time.localtime(self.since)
        today = time.strftime("%F", began) == time.strftime("%F")
        moment = time.strftime("%H:%M" if today else "%F %H:%M", began)
        return f"{self.name}, process {self.pid}, running since {moment}"


def take(descriptor: int, path: Path, wait: float) -> None:
    """Lock the open file for this descriptor, trying for `wait` seconds.

    Raises: Locked, naming the holder.
    """
    deadline = time.monotonic() + wait
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if time.monotonic() >= deadline:
                raise _locked(descriptor, path) from None
        time.sleep(_PAUSE)


def _locked(descriptor: int, path: Path) -> Locked:
    holder = holder_of(os.fstat(descriptor).st_ino)
    who = f" ({holder})" if holder else ""
    return Locked(
        f"{path.name} is held by another program{who}; nothing was written",
        "it can still be read; write again when that program has ended",
    )


def holder_of(inode: int) -> Holder | None:
    """Who holds a lock on this file; None where the system does not say."""
    try:
        locks = Path("/proc/locks").read_text().splitlines()
    except OSError:
        return None
    for line in locks:
        fields = line.split()
        if len(fields) > 5 and fields[1] == "FLOCK" and fields[5].endswith(f":{inode}"):
            return _process(int(fields[4]))
    return None


def _process(pid: int) -> Holder | None:
    try:
        name = Path(f"/proc/{pid}/comm").read_text().strip()
        stat = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        boot = next(
            int(line.split()[1])
            for line in Path("/proc/stat").read_text().splitlines()
            if line.startswith("btime ")
        )
    except (OSError, StopIteration):
        return None  # it has just ended
    return Holder(pid, name, boot + int(stat[19]) / os.sysconf("SC_CLK_TCK"))
