"""A rehearsal: command after command in one trial, with one list of changes at the end.

    with trials.rehearse(cwd) as rehearsal:        # nothing outside changes from here on
        rehearsal.run("cd src && make")            # an ExecResult: status, output, where it ended
        rehearsal.run("make test", timeout=600)    # goes on in src, sees what the first one wrote
        found = rehearsal.changes()                # a Scan of everything so far, as one difference
        rehearsal.apply(found, "build it")         # all of it, or only=paths; one step for undo
                                                   # leaving the block throws the rest away

It is a shell to whoever needs one: `cwd`, `enter` and `run` are those of a live shell. As there,
the working directory and the exported variables last from command to command. What does not: shell
functions, options and unexported variables, and processes, which end with the command that
started them. A command has no terminal. Changes may be looked at after every command, and applied
bit by bit from the last look; but after the first that was applied no more commands run.
`trial` is for the question at the end (`ui.trying.TryFace.settle`). `as_text` takes terminal codes
out of the output, as `shell.fold` does for the live shell.
"""

from __future__ import annotations

import fcntl
import os
import selectors
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from types import TracebackType
from typing import TYPE_CHECKING

from aish.core.context.clamp import whole_head, whole_tail
from aish.core.errors import SandboxError
from aish.core.messages import ExecResult

if TYPE_CHECKING:
    from aish.sandbox.applying import Applied
    from aish.sandbox.changes import Scan
    from aish.sandbox.trial import Trial
    from aish.sandbox.trials import Trials

TIMED_OUT = 124
GRACE = 2.0  # seconds between asking a command to end and ending it
MOST_KEPT = 256 * 1024  # bytes of output: half from the start, half from the end
MOST_STATE = 1 << 20
_CHUNK = 1 << 16
TICK = 0.25  # seconds: a Ctrl-C just before a wait would else be noticed after it

# Written when bash ends, however it does: where it is, then the exported variables. Never to what
# the command itself has opened: those variables would stand in a file of the user's.
_TELL = (
    'trap \'{{ set +x; }} 2>/dev/null; [[ ! -p /dev/fd/{0} ]] || {{ printf "%s\\0" "$PWD"; '
    'compgen -e | while IFS= read -r _n; do printf "%s=%s\\0" "$_n" "${{!_n}}"; done; '
    "}} >&{0} 2>/dev/null' EXIT\n"
)
_FAR = 900  # a descriptor from here on is one that no command opens by its number


def plain_text(data: bytes) -> str:
    """What was printed, as text."""
    return data.decode("utf-8", "replace")


class Rehearsal:
    """Several commands on one set of overlays, from open to applied or thrown away."""

    def __init__(
        self,
        trials: Trials,
        trial: Trial,
        as_text: Callable[[bytes], str] = plain_text,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        """`environment` is what the first command finds; None: that of aish itself."""
        self.trial = trial
        self.cwd = trial.cwd
        self.commands: list[str] = []
        self.over = False  # the real files are no longer those the commands saw
        self._trials = trials
        self._as_text = as_text
        self._environment = dict(environment) if environment else None  # as the last left it

    def __enter__(self) -> Rehearsal:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _value: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self.discard()

    def enter(self, line: str) -> ExecResult:
        """The same as `run`. Raises: SandboxError."""
        return self.run(line)

    def run(
        self,
        command: str,
        *,
        timeout: float = 0.0,
        show: Callable[[bytes], object] | None = None,
        stopped: Callable[[], bool] = lambda: False,
    ) -> ExecResult:
        """Run it to its end and return what it printed; `show` gets that as it comes.

        After `timeout` seconds (0: never), or as soon as it is `stopped`, it is ended with all it
        started, and its status is 124.

        Raises: SandboxError, when it could not be started; KeyboardInterrupt, when it has ended.
        """
        if self.over:
            raise SandboxError("this rehearsal is over", "a new one begins with what was applied")
        began = time.monotonic()
        heard = _Heard(show)
        with _Pipe() as output, _Pipe() as state:
            state.write_far_off()
            process = self._start(command, output.writing, state.writing)
            output.only_read()
            state.only_read()
            readers = {output.reading: heard.printed, state.reading: heard.said}
            try:
                status = _follow(process, readers, heard, timeout, stopped)
            except BaseException:  # a Ctrl-C between two looks, or `show` failed
                process.kill()  # what is inside ends with it
                process.wait()
                raise
        self.trial.check()
        self.commands.append(command)
        self._go_on_from(heard.state)
        text = heard.text(self._as_text)
        result = ExecResult(command, status, text, time.monotonic() - began, self.cwd)
        if heard.interrupted:
            raise KeyboardInterrupt
        return result

    def changes(self) -> Scan:
        """What all commands together changed. Raises: SandboxError."""
        return self._trials.scan(self.trial)

    def apply(self, found: Scan, about: str, only: Collection[str] | None = None) -> Applied:
        """Make it real, all or what is at the paths of `only`; `about` is said by :changes.

        Raises: StoreError, then nothing is changed.
        """
        self.over = True
        return self._trials.apply(self.trial, found, about, only)

    def discard(self) -> None:
        """Throw away what was not applied, and the trial; a second time does nothing."""
        self.over = True
        self.trial.discard()

    def _start(self, command: str, output: int, state: int) -> subprocess.Popen[bytes]:
        """`state` is where the command is to say how it left off."""
        bash = shutil.which("bash") or "bash"
        argv = self.trial.argv(
            [bash, "-c", _TELL.format(state) + command],
            environment=self._environment,
            at=self.cwd,
            keep=state,
        )
        return subprocess.Popen(
            argv,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            pass_fds=(state,),
            start_new_session=True,  # no terminal to wait at; a Ctrl-C is passed on by us
        )

    def _go_on_from(self, state: bytes) -> None:
        """The next command begins where this one ended, if it said."""
        parts = state.split(b"\0")
        if len(parts) < 2:
            return  # it became another program, or was killed
        self.cwd = os.fsdecode(parts[0])
        pairs = (os.fsdecode(part).partition("=") for part in parts[1:-1])
        found = {name: value for name, _, value in pairs if name}
        self._environment = found or self._environment


class _Heard:
    """What came out of a command: its output within a bound, and how it left off."""

    def __init__(self, show: Callable[[bytes], object] | None) -> None:
        self._show = show
        self._head = b""
        self._tail = b""
        self._total = 0
        self.state = b""
        self.interrupted = False

    def printed(self, piece: bytes) -> None:
        if self._show is not None:
            self._show(piece)
        self._total += len(piece)
        room = MOST_KEPT // 2 - len(self._head)
        self._head += piece[:room]
        self._tail = (self._tail + piece[room:])[-MOST_KEPT // 2 :]

    def said(self, piece: bytes) -> None:
        self.state = (self.state + piece)[:MOST_STATE]

    def text(self, as_text: Callable[[bytes], str]) -> str:
        cut = self._total - len(self._head) - len(self._tail)
        if not cut:
            return as_text(self._head + self._tail)
        # At lines, or in one long line at words: half a secret is not known as one.
        head = self._head[: self._head.rfind(b"\n") + 1] or self._head
        tail = self._tail[self._tail.find(b"\n") + 1 :] or self._tail
        cut = self._total - len(head) - len(tail)
        before, after = as_text(head), as_text(tail)
        before = whole_head(before) if head is self._head else before
        after = whole_tail(after) if tail is self._tail else after
        return f"{before}\n[... {cut} bytes cut ...]\n{after}"


class _Pipe:
    """A pipe whose ends are closed in any case."""

    def __enter__(self) -> _Pipe:
        self.reading, self.writing = os.pipe()
        return self

    def write_far_off(self) -> None:
        """Let the end that is written to have a number which is in nobody's way."""
        near = self.writing
        with suppress(OSError):  # a process may be allowed fewer
            self.writing = fcntl.fcntl(near, fcntl.F_DUPFD_CLOEXEC, _FAR)
            os.close(near)

    def only_read(self) -> None:
        os.close(self.writing)
        self.writing = -1

    def __exit__(self, *_: object) -> None:
        for end in (self.reading, self.writing):
            if end >= 0:
                os.close(end)


def _follow(
    process: subprocess.Popen[bytes],
    readers: Mapping[int, Callable[[bytes], None]],
    heard: _Heard,
    timeout: float,
    stopped: Callable[[], bool],
) -> int:
    """Its status, when it and all it started have ended."""
    until = time.monotonic() + timeout if timeout else None
    late = False
    with selectors.DefaultSelector() as waiting:
        for reading, reader in readers.items():
            waiting.register(reading, selectors.EVENT_READ, reader)
        while waiting.get_map():
            try:
                if not _listen(waiting, until) or (not late and stopped()):
                    late, until = True, None
                    process.kill()  # what is inside ends with it
            except KeyboardInterrupt:
                until = time.monotonic() + (0 if heard.interrupted else GRACE)
                heard.interrupted = True
                process.send_signal(signal.SIGINT)
    code = process.wait()
    if heard.interrupted:
        return 128 + signal.SIGINT
    if late:
        return TIMED_OUT
    return code if code >= 0 else 128 - code


def _listen(waiting: selectors.BaseSelector, until: float | None) -> bool:
    """Hand on what came; False when it is too late."""
    left = TICK if until is None else min(TICK, max(0.0, until - time.monotonic()))
    ready = waiting.select(left)
    for key, _ in ready:
        piece = b""
        with suppress(OSError):
            piece = os.read(key.fd, _CHUNK)
        if piece:
            key.data(piece)
        else:
            waiting.unregister(key.fileobj)
    return until is None or time.monotonic() < until
