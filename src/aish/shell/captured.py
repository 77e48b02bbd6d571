"""Commands that nobody types into: their output is captured, shown in part, and ends in time."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Protocol

from aish.core.errors import ShellError
from aish.core.handed_command import script_from
from aish.core.messages import ExecResult
from aish.core.values import dataclass
from aish.shell.capture import Capture, LookThrough, unseen
from aish.shell.handing import handed
from aish.shell.outcome import captured_text

INTERRUPTED, TIMED_OUT = 130, 124
GRACE = 2.0  # seconds a command has to end after it was told to
AFTERWARDS = 0.2  # seconds of output after the end of a command that left something behind
BLOCK = 65536
SIZE = (24, 0)  # rows, and columns: none, so that no line is folded
# Programs that would wait for a key or draw for a person do neither.
QUIET = {"PAGER": "cat", "GIT_PAGER": "cat", "TERM": "dumb", "GIT_TERMINAL_PROMPT": "0"}


@dataclass(frozen=True, slots=True)
class Bounds:
    """What of a command's output is kept, and how long it may run; 0 seconds is no limit."""

    capture_bytes: int = 16 * 1024
    seconds: float = 0.0
    look: LookThrough = unseen  # gets the outputs that are not kept whole

    def capture(self) -> Capture:
        return Capture(self.capture_bytes, self.look)

    def text_of(self, data: bytes) -> str:
        """What is kept of an output, as text."""
        capture = self.capture()
        capture.add(data)
        return printed_text("", capture)


class Display(Protocol):
    """Shows what a command prints, line by line."""

    def __call__(self, line: str) -> None: ...

    def end(self) -> None:
        """The command is over."""
        ...


class Nowhere:
    """Shows nothing."""

    def __call__(self, line: str) -> None:
        del line

    def end(self) -> None:
        pass


class CapturedShell:
    """Runs each command in a bash of its own, where the one before it had gone to."""

    def __init__(
        self,
        program: str,
        cwd: str,
        bounds: Bounds,
        show: Display | None = None,
        env: Mapping[str, str] | None = None,
    ) -> None:
        self._program = program
        self._bounds = bounds
        self._show = show or Nowhere()
        self._env = {**(os.environ if env is None else env), **QUIET}
        self.cwd = cwd

    def defines(self, word: str) -> bool:
        """No word: it reads no start file, and every command has a bash of its own."""
        del word
        return False

    def enter(self, line: str) -> ExecResult:
        """Raises: ShellError."""
        return self.run(line)

    def run(self, command: str) -> ExecResult:
        """Run it to its end, its time limit or Ctrl-C, which is its status then.

        Raises: ShellError.
        """
        began, before = time.monotonic(), self.cwd
        ours, theirs = os.pipe()
        capture = self._bounds.capture()
        try:
            status = self._follow(self._start(command, theirs), capture)
        finally:
            os.close(theirs)
            went = _waiting(ours)
            os.close(ours)
        self.cwd = went if went.startswith("/") else before
        text = printed_text(command, capture)
        seconds = time.monotonic() - began
        if status == TIMED_OUT and seconds >= self._bounds.seconds > 0:
            text += f"\n[stopped after {self._bounds.seconds:.0f} seconds]"
        return ExecResult(command, status, text, seconds, before)

    def _start(self, command: str, tell: int) -> subprocess.Popen[bytes]:
        """`tell` is where it is to say which directory it has come to.

        It is opened by its path when the command has ended: a descriptor that the command may not
        have stays with bash as another one, in the way of `exec 10>file`.
        """
        went = f"pwd 2>/dev/null >|/proc/{os.getpid()}/fd/{tell}"
        try:
            with handed(command) as text:
                script = f"{script_from(text)}; s=$?; {went}; exit $s"
                return subprocess.Popen(
                    [self._program, "-c", script],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                    cwd=self.cwd,
                    env=self._env,
                    pass_fds=(text,),
                    start_new_session=True,  # out of reach of the terminal, and it of theirs
                )
        except (OSError, ValueError) as error:
            raise ShellError(f"cannot run {self._program}: {error}") from error

    def _follow(self, process: subprocess.Popen[bytes], capture: Capture) -> int:
        """Read until the command is over, however that comes about; its status."""
        deadline = time.monotonic() + self._bounds.seconds if self._bounds.seconds else None
        shown = WholeLines(self._show)
        if (stream := process.stdout) is None:
            return process.wait()
        with stream:
            try:
                while _goes_on(process, stream.fileno(), deadline):
                    data = os.read(stream.fileno(), BLOCK)
                    if not data:
                        break
                    capture.add(data)
                    shown.add(data)
                code = process.wait(max(0.0, deadline - time.monotonic()) if deadline else None)
            except subprocess.TimeoutExpired:
                _end(process, signal.SIGTERM)
                return TIMED_OUT
            except KeyboardInterrupt:
                _end(process, signal.SIGINT)
                return INTERRUPTED
            finally:
                shown.end()
        return 128 - code if code < 0 else code


def printed_text(command: str, capture: Capture) -> str:
    """What was captured, as text for a reader."""
    return captured_text(command, capture, SIZE)


class WholeLines:
    """Shows whole lines, so that no escape sequence is cut in two."""

    def __init__(self, show: Display) -> None:
        self._show = show
        self._rest = b""

    def add(self, data: bytes) -> None:
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            self._show(line.decode("utf-8", "replace"))
        if len(self._rest) > BLOCK:
            self._show(self._rest.decode("utf-8", "replace"))
            self._rest = b""

    def end(self) -> None:
        if self._rest:
            self._show(self._rest.decode("utf-8", "replace"))
        self._show.end()


def _goes_on(process: subprocess.Popen[bytes], stream: int, deadline: float | None) -> bool:
    """Wait for output; False at the deadline, or when only something left behind is silent."""
    while deadline is None or time.monotonic() < deadline:
        over = not _lives(process)
        if select.select([stream], [], [], AFTERWARDS)[0]:
            return True
        if over:
            return False
    return False


def _lives(process: subprocess.Popen[bytes]) -> bool:
    return process.poll() is None


def _end(process: subprocess.Popen[bytes], gently: signal.Signals) -> None:
    """End a command and all it started, gently first."""
    for how in (gently, signal.SIGKILL):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, how)
        try:
            process.wait(GRACE)
            return
        except (subprocess.TimeoutExpired, KeyboardInterrupt):
            continue


def _waiting(descriptor: int) -> str:
    """What a pipe holds, without waiting for more of it."""
    os.set_blocking(descriptor, False)
    try:
        return os.read(descriptor, BLOCK).decode("utf-8", "surrogateescape").removesuffix("\n")
    except OSError:
        return ""
