"""Processes that write to the store until they are killed, and the one that kills them.

    python store_victims.py kill DIRECTORY KILLS SEED      prints every acknowledgement as JSON
    python store_victims.py append DIRECTORY WRITERS TIMES

It is a program of its own, so that what it forks inherits nothing of the tests.
"""

from __future__ import annotations

import json
import os
import random
import select
import signal
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from aish.core.errors import AishError
from aish.core.messages import ExecResult, Turn
from aish.core.user import Nobody
from aish.store.disk import Disk
from aish.store.history import LineHistory
from aish.store.ledger import Ledger, Use
from aish.store.memory_file import MemoryFile
from aish.store.session_log import About
from aish.store.sessions import Sessions

Ack = Callable[..., None]


class DyingDisk(Disk):
    """The real disk, on which the process sometimes dies in the middle of a call."""

    def __init__(self, dice: random.Random) -> None:
        self._dice = dice

    def _perhaps_die(self, chance: float = 0.02) -> None:
        if self._dice.random() < chance:
            os.kill(os.getpid(), signal.SIGKILL)

    def write(self, descriptor: int, data: bytes) -> int:
        if self._dice.random() < 0.05:
            super().write(descriptor, data[: self._dice.randrange(len(data))])
            self._perhaps_die(1)
        return super().write(descriptor, data)

    def sync(self, descriptor: int) -> None:
        self._perhaps_die()
        super().sync(descriptor)

    def truncate(self, descriptor: int, size: int) -> None:
        self._perhaps_die(0.2)
        super().truncate(descriptor, size)

    def rename(self, old: Path, new: Path) -> None:
        self._perhaps_die(0.2)
        super().rename(old, new)

    def sync_directory(self, path: Path) -> None:
        self._perhaps_die()
        super().sync_directory(path)


def padding(dice: random.Random) -> str:
    """Mostly a sentence; sometimes so much that a write takes long enough to be killed in it."""
    return "é" * (dice.randrange(400_000) if dice.random() < 0.05 else dice.randrange(200))


def write_until_killed(directory: Path, name: str, ack: Ack) -> None:
    dice = random.Random(name)
    disk = DyingDisk(dice)
    memory = MemoryFile(directory / "memory.jsonl", wait=10, disk=disk)
    ledger = Ledger(directory / "ledger.jsonl", disk=disk)
    lines = directory / "history.jsonl"
    history = LineHistory(lines, compacted_at=1 << 20, kept=100_000, disk=disk)
    sessions = Sessions(directory / "sessions", disk=disk)
    log = sessions.start(About(directory=name), Nobody())
    number = 0
    while True:
        number += 1
        tag = f"{name}/{number}/"
        match dice.randrange(6):
            case 0:
                item = memory.add("fact", tag + padding(dice)).item
                ack(to="memory", id=item.id, tag=tag)
                if dice.random() < 0.3:
                    memory.forget(item.id)
                    ack(to="forgotten", id=item.id)
            case 1:
                ledger.record(Use("m", session=tag, micro_dollars=1))
                ack(to="ledger", tag=tag)
            case 2:
                history.add(tag + padding(dice))
                ack(to="history", tag=tag)
            case 3:
                log.ran(ExecResult(tag, 0, padding(dice)))
                ack(to="session", path=str(log.path), tag=tag)
            case 4:
                log.approved(tag)
                ack(to="session", path=str(log.path), tag=tag)
            case 5:
                log.turn(Turn("user", tag + padding(dice)))
                ack(to="session", path=str(log.path), tag=tag)


def _acknowledge(writing: int, **facts: Any) -> None:
    os.write(writing, json.dumps(facts).encode() + b"\n")


def born(work: Callable[[Ack], None]) -> tuple[int, int]:
    """A child at work; its id, and the pipe its acknowledgements come through."""
    reading, writing = os.pipe()
    child = os.fork()
    if child:
        os.close(writing)
        return child, reading
    try:
        work(partial(_acknowledge, writing))
    except AishError as error:
        os.write(writing, json.dumps({"to": "error", "tag": str(error)}).encode() + b"\n")
    finally:
        os._exit(0)


def everything_from(pipe: int) -> bytes:
    data = b""
    while piece := os.read(pipe, 1 << 16):
        data += piece
    os.close(pipe)
    return data


def some_from(pipe: int, acknowledgements: int) -> bytes:
    """What comes until there were so many, or the child is dead."""
    data = b""
    while data.count(b"\n") < acknowledgements and select.select([pipe], [], [], 20)[0]:
        piece = os.read(pipe, 1 << 16)
        if not piece:
            break
        data += piece
    return data


def kill(directory: Path, kills: int, seed: int) -> None:
    dice = random.Random(seed)
    for round_number in range(kills // 4):
        living = []
        for place in range(4):
            name = f"{seed}.{round_number}.{place}"
            child, pipe = born(partial(write_until_killed, directory, name))
            living.append((child, pipe))
        for child, pipe in living:
            seen = some_from(pipe, dice.randrange(4))
            time.sleep(dice.random() * 0.004)
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            sys.stdout.write((seen + everything_from(pipe)).decode())


def append_times(directory: Path, name: str, times: int, ack: Ack) -> None:
    memory = MemoryFile(directory / "memory.jsonl", wait=60)
    history = LineHistory(directory / "history.jsonl")
    for number in range(times):
        if number % 2:
            history.add(f"{name}/{number}")
        else:
            memory.add("fact", f"{name}/{number}")
    ack(to="done", tag=name)


def append(directory: Path, writers: int, times: int) -> None:
    living = [
        born(partial(append_times, directory, str(number), times)) for number in range(writers)
    ]
    for child, pipe in living:
        sys.stdout.write(everything_from(pipe).decode())
        os.waitpid(child, 0)


if __name__ == "__main__":
    what, where, first, second = sys.argv[1:]
    {"kill": kill, "append": append}[what](Path(where), int(first), int(second))
