"""One command beside the user's shell: no terminal, its output bounded, and an end in time."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress

from aish.core.errors import ShellError
from aish.core.handed_command import script_from
from aish.core.messages import ExecResult
from aish.shell.capture import Capture, LookThrough, unseen
from aish.shell.handing import handed
from aish.shell.outcome import captured_text

TIMED_OUT = 124
TICK = 0.2  # seconds between looks whether it is still wanted
_BLOCK = 65536


def run_aside(
    program: str,
    command: str,
    cwd: str,
    *,
    seconds: float,
    kept: int,
    stopped: Callable[[], bool] = lambda: False,
    look: LookThrough = unseen,
) -> ExecResult:
    """Run it to its end; after its time it is ended with all it started, and its status is 124.

    So it is as soon as it is `stopped`. `look` gets an output that is not kept whole.

    Raises: ShellError.
    """
    began, capture = time.monotonic(), Capture(kept, look)
    try:
        with handed(command) as held:
            process = subprocess.Popen(
                [program, "-c", script_from(held)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                cwd=cwd,
                pass_fds=(held,),
                start_new_session=True,
            )
    except (OSError, ValueError) as error:
        raise ShellError(f"cannot run {program}: {error}") from error
    status = _followed(process, capture, _Limit(began + seconds, stopped))
    text = captured_text(command, capture, (24, 0))
    return ExecResult(command, status, text, time.monotonic() - began, cwd)


class _Limit:
    """How long a command may still run."""

    def __init__(self, deadline: float, stopped: Callable[[], bool]) -> None:
        self._deadline = deadline
        self._stopped = stopped

    def left(self) -> float:
        """Seconds until the next look; 0 when it is over."""
        return 0.0 if self._stopped() else max(0.0, min(TICK, self._deadline - time.monotonic()))


def _followed(process: subprocess.Popen[bytes], capture: Capture, limit: _Limit) -> int:
    """Read until the command is over, or its time."""
    with process:
        try:
            while process.stdout is not None and _speaks(process.stdout.fileno(), limit):
                data = os.read(process.stdout.fileno(), _BLOCK)
                if not data:
                    break
                capture.add(data)
            code = _ended(process, limit)
        finally:
            if process.returncode is None:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
    if code is None:
        return TIMED_OUT
    return 128 - code if code < 0 else code


def _speaks(descriptor: int, limit: _Limit) -> bool:
    """Wait for output; False when the time is over."""
    while left := limit.left():
        if select.select([descriptor], [], [], left)[0]:
            return True
    return False


def _ended(process: subprocess.Popen[bytes], limit: _Limit) -> int | None:
    """Wait for its end; None when the time is over."""
    while left := limit.left():
        with suppress(subprocess.TimeoutExpired):
            return process.wait(left)
    return process.poll()
