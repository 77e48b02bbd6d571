"""Commands one at a time, each in a shell of its own that remembers the directory."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
import time
from pathlib import Path

from aish.core.errors import ShellError
from aish.core.messages import ExecResult

_ESCAPES = re.compile(rb"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b[@-_]|\r")
_WRAPPER = 'eval "$AISH_LINE"; s=$?; pwd > "$AISH_PWD"; exit $s'


class SimpleShell:
    """Runs each command in a new shell, on a terminal of its own where there is one."""

    def __init__(self, program: str = "bash", capture_bytes: int = 16_384) -> None:
        self._program = program
        self._limit = capture_bytes
        self.cwd = str(Path.cwd())
        self.status = 0

    def run(self, command: str) -> ExecResult:
        """Raises: ShellError."""
        started = time.monotonic()
        report = Path(f"/proc/self/fd/{os.memfd_create('pwd')}")
        captured = bytearray()
        environment = {
            **os.environ,
            "AISH_LINE": command,
            "AISH_PWD": f"/proc/{os.getpid()}/fd/{report.name}",
        }
        try:
            status = self._relay([self._program, "-c", _WRAPPER], environment, captured)
            if new := report.read_text().strip():
                os.chdir(new)
                self.cwd = new
        except OSError as error:
            raise ShellError(f"cannot run {self._program}: {error.strerror}") from error
        finally:
            os.close(int(report.name))
        self.status = status
        text = _ESCAPES.sub(b"", bytes(captured)).decode("utf-8", "replace")
        return ExecResult(command, status, text, time.monotonic() - started, self.cwd)

    def _relay(self, argv: list[str], environment: dict[str, str], captured: bytearray) -> int:
        def keep(data: bytes) -> bytes:
            if len(captured) < self._limit:
                captured.extend(data[: self._limit - len(captured)])
            return data

        if sys.stdin.isatty() and sys.stdout.isatty():
            os.environ.update(environment)
            code = os.waitstatus_to_exitcode(pty.spawn(argv, lambda fd: keep(os.read(fd, 65536))))
        else:
            child = subprocess.Popen(
                argv,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
            )
            assert child.stdout is not None  # noqa: S101
            for data in iter(lambda: os.read(child.stdout.fileno(), 65536), b""):
                os.write(1, keep(data))
            code = child.wait()
        return 128 - code if code < 0 else code
