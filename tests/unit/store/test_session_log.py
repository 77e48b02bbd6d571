from __future__ import annotations

import errno
import json
from pathlib import Path
from typing import Any

import pytest

from aish.core.actions import ProposedCommand
from aish.core.context.eviction import Eviction
from aish.core.errors import StoreError, Unreachable
from aish.core.events import (
    Approved,
    Asked,
    Declined,
    Evicted,
    Proposed,
    Ran,
    Replied,
    RolledBack,
    Said,
)
from aish.core.messages import ExecResult, ModelSpec, Reply, Turn, Usage
from aish.store.disk import DISK, Disk
from aish.store.session_log import About, SessionLog
from support.faulty_disk import FaultyDisk
from support.users import ScriptedUser

SPEC = ModelSpec("fast", "http://localhost", "m.gguf", 4096, 512)
ASKED = Asked(Turn("user", "why?"), SPEC)
REPLIED = Replied(Reply("because", usage=Usage(10, 2), model="m.gguf"))


class Recorder(Disk):
    """The real disk, which remembers what was made durable."""

    def __init__(self) -> None:
        self.calls: list[str] = []

    def write(self, descriptor: int, data: bytes) -> int:
        self.calls.append("write")
        return super().write(descriptor, data)

    def sync(self, descriptor: int) -> None:
        self.calls.append("sync")
        super().sync(descriptor)


def new_log(tmp_path: Path, disk: Disk = DISK) -> tuple[SessionLog, list[str]]:
    user = ScriptedUser()
    path = tmp_path / "sessions" / "20260513-190101-abcdef.jsonl"
    about = About("0.1", "fast", "/home/u")
    return SessionLog(path, about, user=user, clock=lambda: 1e9, disk=disk), user.told


def records(log: SessionLog) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.path.read_text().splitlines()]


def test_an_unused_shell_leaves_no_file(tmp_path: Path) -> None:
    log, _ = new_log(tmp_path)
    log(Said("nothing to keep"))
    log.close()
    assert list(tmp_path.iterdir()) == []


def test_a_question_is_logged_with_its_usage_after_a_line_on_the_session(tmp_path: Path) -> None:
    log, _ = new_log(tmp_path)
    for event in (ASKED, Said("because"), REPLIED):
        log(event)
    moment = "2001-09-09T01:46:40Z"
    assert records(log) == [
        {
            "meta": {
                "format": 1,
                "session": "20260513-190101-abcdef",
                "started": moment,
                "version": "0.1",
                "model": "fast",
                "directory": "/home/u",
            }
        },
        {"ts": moment, "role": "user", "content": "why?", "model": "fast"},
        {
            "ts": moment,
            "role": "assistant",
            "content": "because",
            "model": "m.gguf",
            "purpose": "main",
            "finish": "stop",
            "usage": {"prompt": 10, "completion": 2},
        },
    ]


def test_everything_else_that_happens_is_logged_too(tmp_path: Path) -> None:
    log, _ = new_log(tmp_path)
    log(RolledBack(Unreachable("nobody listens")))
    log(Evicted(Eviction((), aged=0, clamped=0, before=2000, after=1100, limit=1500)))
    log(Proposed(ProposedCommand("make")))
    log(Declined(ProposedCommand("make")))
    log.summary("what was said", turns=4)
    log.note("reset")
    kinds = [record.get("event") for record in records(log)]
    assert kinds == [None, "rolled_back", "cut", "proposed", "declined", "summary", "reset"]


def test_commands_say_who_ran_them_and_private_ones_are_absent(tmp_path: Path) -> None:
    log, _ = new_log(tmp_path)
    log(Ran(ExecResult("ls", 0, "a\n", 0.1234, "/tmp")))
    log(Approved("make"))
    log(Ran(ExecResult("make", 2, "error"), by="ai"))
    log(Ran(ExecResult("make", 0, "typed")))
    log(Ran(ExecResult(" secret", 0, "hidden", private=True)))
    ran = [record for record in records(log) if record.get("event") == "ran"]
    assert [(record["command"], record["by"]) for record in ran] == [
        ("ls", "user"),
        ("make", "ai"),
        ("make", "user"),
    ]
    assert (ran[0]["seconds"], ran[0]["cwd"], ran[1]["status"]) == (0.123, "/tmp", 2)
    assert "secret" not in log.path.read_text()


def test_approvals_and_answers_are_durable(tmp_path: Path) -> None:
    disk = Recorder()
    log, _ = new_log(tmp_path, disk)
    log(ASKED)
    assert disk.calls == ["write"]
    log(REPLIED)
    log(Approved("make"))
    assert disk.calls == ["write", "write", "sync", "write", "sync"]


@pytest.mark.parametrize("operation", ["open", "write", "sync", "make_directory"])
@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO, errno.EMFILE, errno.EROFS])
def test_a_disk_that_refuses_is_told_once_and_nothing_is_missing_later(
    tmp_path: Path, operation: str, code: int
) -> None:
    disk = FaultyDisk(operation, code, forever=True)
    log, told = new_log(tmp_path, disk)
    log(ASKED)
    log(REPLIED)
    log(ASKED)
    assert len(told) == 1
    assert "was not saved" in told[0]
    disk.heal()
    log(REPLIED)
    assert told[1:] == ["20260513-190101-abcdef.jsonl is saved again; nothing is missing"]
    roles = [record.get("role") for record in records(log)]
    assert roles == [None, "user", "assistant", "user", "assistant"]


def test_a_command_does_not_run_when_its_approval_cannot_be_logged(tmp_path: Path) -> None:
    disk = FaultyDisk("sync", errno.ENOSPC, forever=True)
    log, told = new_log(tmp_path, disk)
    with pytest.raises(StoreError, match="does not run"):
        log(Approved("rm -r build"))
    assert told
    disk.heal()
    log(ASKED)  # the conversation goes on, and the yes that did not count is not in it
    assert [record.get("role") for record in records(log)] == [None, "user"]


def test_what_waits_in_memory_is_bounded(tmp_path: Path) -> None:
    disk = FaultyDisk("write", errno.ENOSPC, forever=True)
    log, _ = new_log(tmp_path, disk)
    for number in range(12):
        log.turn(Turn("user", f"{number}" + "x" * (3 << 20)))
    disk.heal()
    log.turn(Turn("user", "last"))
    assert records(log)[-1]["content"] == "last"
    assert log.path.stat().st_size < 20 << 20


class Interrupted(Disk):
    """A disk whose user once loses patience."""

    patience = 0

    def sync(self, descriptor: int) -> None:
        self.patience += 1
        if self.patience == 1:
            raise KeyboardInterrupt


def test_an_answer_is_not_logged_twice_when_ctrl_c_ends_the_wait_for_the_disk(
    tmp_path: Path,
) -> None:
    log, _ = new_log(tmp_path, Interrupted())
    log(ASKED)
    with pytest.raises(KeyboardInterrupt):
        log(REPLIED)
    log(ASKED)
    assert [record.get("role") for record in records(log)] == [None, "user", "assistant", "user"]
