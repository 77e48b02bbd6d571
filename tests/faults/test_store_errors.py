"""A disk that is full, broken or read-only: it is told, nothing is torn, and on it goes."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import aish
from aish.core.errors import StoreError
from aish.core.messages import ExecResult, Turn
from aish.store.history import LineHistory
from aish.store.ledger import Ledger, Use
from aish.store.memory_file import MemoryFile
from aish.store.session_log import About
from aish.store.sessions import Sessions
from support.faulty_disk import FaultyDisk
from support.users import ScriptedUser

FAULTS = [
    *((operation, code) for code in (errno.ENOSPC, errno.EIO) for operation in (
        "open", "write", "sync", "rename", "make_directory", "sync_directory",
    )),
    ("open", errno.EMFILE),
    ("open", errno.EROFS),
    ("write", errno.EROFS),
]  # fmt: skip


def live(directory: Path, disk: FaultyDisk) -> tuple[int, list[str]]:
    """A little life with every kind of file; how often the user was told, and what was saved."""
    user = ScriptedUser()
    saved: list[str] = []
    sessions = Sessions(directory / "sessions", disk=disk)
    log = sessions.start(About("1", "m", "/"), user)
    memory = MemoryFile(directory / "memory.jsonl", disk=disk)
    ledger = Ledger(directory / "ledger.jsonl", disk=disk)
    history = LineHistory(directory / "history.jsonl", compacted_at=60, disk=disk)

    def attempt(name: str, what: object) -> None:
        try:
            what()  # type: ignore[operator]
            saved.append(name)
        except StoreError as error:
            user.tell(error.message)

    for number in range(3):
        attempt("", lambda: log.turn(Turn("user", "why?")))
        attempt("", lambda: log.turn(Turn("assistant", "so")))
        attempt("", lambda: log.approved("ls"))
        attempt("", lambda: log.ran(ExecResult("ls", 0, "")))
        attempt(f"item {number}", lambda n=number: memory.add("fact", f"item {n}"))
        attempt(f"call {number}", lambda n=number: ledger.record(Use("m", session=f"call {n}")))
        attempt("", ledger.spent)
        attempt(f"line {number}", lambda n=number: history.add(f"line {n}"))
    log.close()
    return len(user.told), saved


def everything(directory: Path) -> str:
    """All that is in the files, each line of which must be a record."""
    found = ""
    for path in directory.rglob("*.jsonl"):
        data = path.read_bytes()
        assert not data or data.endswith(b"\n")
        for line in data.splitlines():
            found += json.dumps(json.loads(line))
    return found


@pytest.mark.parametrize(("operation", "code"), FAULTS)
def test_a_fault_at_every_call_tears_nothing_and_is_told(
    tmp_path: Path, operation: str, code: int
) -> None:
    nth = 0
    while True:
        nth += 1
        directory = tmp_path / str(nth)
        disk = FaultyDisk(operation, code, nth)
        times_told, saved = live(directory, disk)
        kept = everything(directory)
        assert all(f'"{name}"' in kept for name in saved)
        assert kept.count('"role": "assistant"') == 3
        if not disk.failed:
            break  # there are no more calls of this kind
        assert times_told
    assert nth > 1


FULL = """
import resource, signal, sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from aish.core.errors import StoreError
from aish.core.messages import Turn
from aish.store.memory_file import MemoryFile
from aish.store.session_log import About
from aish.core.user import Nobody
from aish.store.sessions import Sessions

class Heard(Nobody):
    def __init__(self): self.told = []
    def tell(self, text): self.told.append(text)

directory = Path(sys.argv[1])
if sys.argv[3] == "limit":
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
memory, user, kept, refused = MemoryFile(directory / "memory.jsonl"), Heard(), 0, 0
log = Sessions(directory / "sessions").start(About(), user)
for number in range(400):
    log.turn(Turn("user", "x" * 300))
    try:
        memory.add("fact", f"{number} " + "y" * 500)
        kept += 1
    except StoreError:
        refused += 1
print(kept, refused, len(user.told))
for path in directory.rglob("*.jsonl"):
    data = path.read_bytes()
    assert data.endswith(b"\\n"), path
    import json
    for line in data.splitlines():
        json.loads(line)
print(len(MemoryFile(directory / "memory.jsonl").load().items))
"""


def may_mount() -> bool:
    probe = ["unshare", "-rm", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]
    try:
        return subprocess.run(probe, capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False


def test_a_disk_that_fills_up_takes_whole_records_or_none(tmp_path: Path) -> None:
    """On a real file system of 200 kB where one may be mounted, else within a real size limit."""
    source = str(Path(aish.__file__).parent.parent)
    program = [sys.executable, "-c", FULL, str(tmp_path), source]
    if may_mount():
        mount = f"mount -t tmpfs -o size=200k tmpfs '{tmp_path}' && exec \"$@\""
        command = ["unshare", "-rm", "sh", "-c", mount, "sh", *program, "mount"]
    else:
        command = [*program, "limit"]
    output = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    kept, refused, told, loaded = map(int, output.split())
    assert kept == loaded
    assert kept > 50
    assert refused > 50
    assert told >= 1


STARVED = """
import os, resource, sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from aish.core.errors import StoreError
from aish.store.memory_file import MemoryFile

memory = MemoryFile(Path(sys.argv[1]) / "memory.jsonl")
memory.add("fact", "before")
resource.setrlimit(resource.RLIMIT_NOFILE, (30, 30))
taken = []
while True:
    try:
        taken.append(os.open("/dev/null", os.O_RDONLY))
    except OSError:
        break
for left in range(3):  # none, one and two descriptors left
    try:
        memory.add("fact", f"with {left}")
        print("kept", left)
    except StoreError as error:
        print("told", "Too many open files" in error.message)
    os.close(taken.pop())
print(len(memory.load().items))
"""


def test_no_descriptors_left_is_told_and_over_when_there_are_some(tmp_path: Path) -> None:
    source = str(Path(aish.__file__).parent.parent)
    output = subprocess.run(
        [sys.executable, "-c", STARVED, str(tmp_path), source],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    ).stdout
    assert output.splitlines() == ["told True", "told True", "kept 2", "2"]


def test_nobody_else_can_read_any_of_it(tmp_path: Path) -> None:
    directory = tmp_path / "share" / "aish"
    old = os.umask(0)
    try:
        live(directory, FaultyDisk("", 0))
    finally:
        os.umask(old)
    for path in (directory.parent, *directory.parent.rglob("*")):
        assert path.stat().st_mode & 0o077 == 0, path
