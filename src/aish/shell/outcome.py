"""How a command's bytes and a shell's end become what the caller is told."""

from __future__ import annotations

import os
import re

from aish.core.context.clamp import whole_head, whole_tail
from aish.shell.capture import Capture
from aish.shell.fold import fold
from aish.shell.values import Job, ShellEnd

_JOB = re.compile(r"\[(\d+)\]([ +-]) +(\d+) (.{23}) ?(.*)")
_LEAVES = re.compile(r"\b(exit|logout|exec)\b")
_ERREXIT = re.compile(r"\bset\s+(-\w*e|-o\s+errexit)")


def captured_text(command: str, capture: Capture, size: tuple[int, int]) -> str:
    """What the command printed, as text for a reader."""
    if capture.full_screen:
        return f"[ran {(command.split() or ['a program'])[0]}]"
    rows, columns = size
    head, tail, cut = capture.parts()
    if not cut:
        return fold(head + tail, columns, rows)
    capture.look_through()
    # Neither half of a character nor half of an escape sequence survives a cut at lines, and in one
    # long line not half of a word: it may be a secret.
    first = head[: head.rfind(b"\n") + 1] or head
    last = tail[tail.find(b"\n") + 1 :] or tail
    cut += len(head) + len(tail) - len(first) - len(last)
    before, after = fold(first, columns, rows), fold(last, columns, rows)
    before = whole_head(before) if first is head else before
    after = whole_tail(after) if last is tail else after
    return f"{before.rstrip()}\n[... {cut} bytes cut ...]\n{after}"


def shell_end(wait_status: int, command: str, flags: str) -> ShellEnd:
    """Why the shell ended, from its wait status, its last command and its options before that."""
    code = os.waitstatus_to_exitcode(wait_status)
    if code < 0:
        return ShellEnd(128 - code, "signal")
    errexit = "e" in flags or _ERREXIT.search(command)
    if errexit and not _LEAVES.search(command):
        return ShellEnd(code, "errexit")
    return ShellEnd(code, "exit")


def listed_jobs(text: str) -> tuple[Job, ...]:
    """The jobs in what `jobs -l` printed."""
    found = (_JOB.match(line) for line in text.splitlines())
    return tuple(
        Job(int(m[1]), int(m[3]), m[4].strip(), m[5].strip(), m[2] == "+") for m in found if m
    )
