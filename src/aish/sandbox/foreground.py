"""A child that leads its own process group, with the terminal while it runs.

In our own group its `kill 0` would reach us and everyone in our pipeline.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from types import TracebackType


class Foreground:
    """Hands the terminal to a child and takes it back; Ctrl-Z stops us with it."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self._descriptor = _terminal()

    def __enter__(self) -> Foreground:
        self._give(self._process.pid)
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _value: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self._give(os.getpgrp())

    def wait(self) -> int:
        """Its status, 128 and the signal's number where one ended it."""
        while True:
            try:
                _, status = os.waitpid(self._process.pid, os.WUNTRACED)
            except KeyboardInterrupt:
                self._signal(signal.SIGINT)  # it has no terminal to get it from
                continue
            if not os.WIFSTOPPED(status):
                break
            self._give(os.getpgrp())
            os.kill(os.getpid(), signal.SIGSTOP)
            self._give(self._process.pid)
            self._signal(signal.SIGCONT)
        code = os.waitstatus_to_exitcode(status)
        self._process.returncode = code
        return code if code >= 0 else 128 - code

    def _signal(self, number: int) -> None:
        try:
            os.killpg(self._process.pid, number)
        except ProcessLookupError:
            return

    def _give(self, group: int) -> None:
        if self._descriptor < 0:
            return
        before = signal.signal(signal.SIGTTOU, signal.SIG_IGN)
        try:
            os.tcsetpgrp(self._descriptor, group)
        except OSError:
            return
        finally:
            signal.signal(signal.SIGTTOU, before)
        if group == self._process.pid:
            self._signal(signal.SIGCONT)  # it may have read too early


def _terminal() -> int:
    """The terminal of standard input, when it is ours to give; else -1."""
    try:
        descriptor = sys.stdin.fileno()
        return descriptor if os.tcgetpgrp(descriptor) == os.getpgrp() else -1
    except (OSError, ValueError, AttributeError):
        return -1
