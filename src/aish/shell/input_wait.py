"""Whether what runs on a terminal waits for keys: its state is looked at, not the clock."""

from __future__ import annotations

import contextlib
import os
import termios
from collections.abc import Iterator
from pathlib import Path

# Numbers of system calls: those that name the descriptor waited for, and those that do not.
_READ = {"x86_64": (0,), "aarch64": (63,)}
_SELECT = {"x86_64": (23, 270), "aarch64": (72,)}
_POLL = {"x86_64": (7, 271, 232, 281), "aarch64": (73, 22)}


def waits_for_keys(leader: int, master: int, slave: int) -> bool:
    """Whether a process or what it started, in the foreground of its terminal, waits for keys."""
    try:
        group, name = os.tcgetpgrp(master), os.ttyname(slave)
        flags = int(termios.tcgetattr(slave)[3])
    except (OSError, termios.error):
        return False
    changed = not (flags & termios.ICANON and flags & termios.ECHO)
    return any(_waits(pid, name, changed) for pid in _with_children(leader) if _is_of(pid, group))


def _waits(pid: int, terminal: str, changed: bool) -> bool:
    """Of one that waits for many things, or that nobody may look into, it is believed where
    somebody `changed` the terminal to be asked without echo, or key by key."""
    machine = os.uname().machine
    try:
        number, first = map(_number, Path(f"/proc/{pid}/syscall").read_text().split()[:2])
    except (OSError, ValueError):  # the latter: it runs
        return changed and _sleeps(pid)
    if number in _READ.get(machine, ()):
        return _is_terminal(pid, first, terminal)
    if number in _SELECT.get(machine, ()):
        return _is_terminal(pid, first - 1, terminal)  # it is given one more than the highest
    return changed and number in _POLL.get(machine, (number,))


def _number(text: str) -> int:
    return int(text, 0)


def _is_terminal(pid: int, descriptor: int, terminal: str) -> bool:
    with contextlib.suppress(OSError):
        return os.readlink(f"/proc/{pid}/fd/{descriptor}") in (terminal, "/dev/tty")  # noqa: PTH115
    return False


def _sleeps(pid: int) -> bool:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].startswith("S")
    return False


def _with_children(pid: int) -> Iterator[int]:
    yield pid
    with contextlib.suppress(OSError):
        for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
            yield from _with_children(int(child))


def _is_of(pid: int, group: int) -> bool:
    with contextlib.suppress(OSError):
        return os.getpgid(pid) == group
    return False
