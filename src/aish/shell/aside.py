"""One command beside the user's shell: no terminal, its output bounded, and an end in time."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import time
from contextlib import suppress

from aish.core.errors import ShellError
from aish.core.messages import ExecResult
from aish.shell.capture import Capture
from aish.shell.outcome import captured_text

TIMED_OUT = 124
_BLOCK = 65536


def run_aside(program: str, command: str, cwd: str, *, seconds: float, kept: int) -> ExecResult:
    """Run it to its end; after its time it is ended with all it started, and its status is 124.

    Raises: ShellError.
    """
    began, capture = time.monotonic(), Capture(kept)
    try:
        process = subprocess.Popen(
            [program, "-c", command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=cwd,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        raise ShellError(f"cannot run {program}: {error}") from error
    status = _followed(process, capture, began + seconds)
    text = captured_text(command, capture, (24, 0))
    return ExecResult(command, status, text, time.monotonic() - began, cwd)


def _followed(process: subprocess.Popen[bytes], capture: Capture, deadline: float) -> int:
    """Read until the command is over, or its time."""
    with suppress(subprocess.TimeoutExpired), process:
        try:
            while process.stdout is not None and _speaks(process.stdout.fileno(), deadline):
                data = os.read(process.stdout.fileno(), _BLOCK)
                if not data:
                    break
                capture.add(data)
            code = process.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            raise
        return 128 - code if code < 0 else code
    return TIMED_OUT


def _speaks(descriptor: int, deadline: float) -> bool:
    left = deadline - time.monotonic()
    return left > 0 and bool(select.select([descriptor], [], [], left)[0])
