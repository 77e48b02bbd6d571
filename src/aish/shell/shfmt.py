"""shfmt as a parser: one process per text, the next one started before it is needed."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
import threading
import time
from pathlib import Path

from aish.core.shellsyntax.plain import plain
from aish.core.shellsyntax.tree import DEEPEST, Script, UnreadableCommand, from_json

SECONDS = 2.0  # of work
LONGEST = 20.0  # seconds in which it may do that work, where others keep the machine busy
LARGEST = 64 << 20
KEPT = 256
PIECE = 1 << 16
# It reads one text and ends: collecting garbage on the way costs a third of its time.
LEAN = {"GOGC": "off", "GOMEMLIMIT": "512MiB", "GOMAXPROCS": "1"}


def program() -> str:
    """Where shfmt is: beside this Python, or wherever the system has it."""
    beside = Path(sys.executable).parent / "shfmt"
    return str(beside) if beside.exists() else "shfmt"


class Shfmt:
    """Parses commands; a spare process waits, so that a text costs its parsing and no start."""

    def __init__(self, path: str = "") -> None:
        self._path = path or program()
        self._spare: _Reading | None = None
        self._lock = threading.Lock()
        self._known: dict[str, Script] = {}

    def __call__(self, text: str) -> Script:
        """The tree of a command.

        Raises: UnreadableCommand.
        """
        if text in self._known:
            return self._known[text]
        if nesting(text) > DEEPEST:
            raise UnreadableCommand("it is nested too deeply")
        script = plain(text) or from_json(self._parsed(text.encode("utf-8", "replace")))
        if len(self._known) >= KEPT:
            self._known.clear()
        self._known[text] = script
        return script

    def forget(self) -> None:
        """Drop the trees that are kept, to measure without them."""
        self._known.clear()

    def warm(self) -> None:
        """Have a process ready."""
        with self._lock, contextlib.suppress(UnreadableCommand):
            self._spare = self._spare or self._start()

    def close(self) -> None:
        """End the process that waits."""
        if (spare := self._taken()) is not None:
            spare.kill()

    def _taken(self) -> _Reading | None:
        """The process that waits, for one text: threads must not share it."""
        with self._lock:
            spare, self._spare = self._spare, None
        return spare

    def _start(self) -> _Reading:
        try:
            return _Reading(self._path)
        except OSError as error:
            raise UnreadableCommand("shfmt, which reads commands, is not installed") from error

    def _parsed(self, text: bytes) -> bytes:
        process = self._taken() or self._start()
        try:
            process.hand(text)
            self.warm()  # while that one reads
            said = process.said()
            status = process.end()
        except OSError as error:
            raise UnreadableCommand("reading it took too long") from error
        finally:
            process.kill()
        if status != 0 or not said or len(said) > LARGEST:
            lines = said[:4096].decode("utf-8", "replace").strip().splitlines()
            raise UnreadableCommand(lines[0][:120] if lines else "its syntax is broken")
        return said


class _Reading:
    """A process that waits for one text, prints its tree or what is wrong with it, and ends.

    Its pipes are read here, because `subprocess` looks for the end of a process every so often
    where it waits no longer than so long: that took as long as the parsing.
    """

    def __init__(self, path: str) -> None:
        """Raises: OSError."""
        stdin, self._to = os.pipe()
        self._from, stdout = os.pipe()
        self._rest = b""
        self._pid = 0
        os.set_blocking(self._to, False)
        try:
            self._pid = _spawned(path, stdin, stdout)
        finally:
            os.close(stdin)
            os.close(stdout)
            if not self._pid:
                self._let_go()

    def hand(self, text: bytes) -> None:
        """Give it the text, or as much of it as the pipe takes.

        Raises: OSError.
        """
        with contextlib.suppress(BlockingIOError):
            text = text[os.write(self._to, text) :]
        self._rest = text
        if not text:
            self._to = _closed(self._to)

    def said(self) -> bytes:
        """All that it prints.

        Raises: OSError; TimeoutError, when that takes too long.
        """
        said: list[bytes] = []
        latest = time.monotonic() + LONGEST
        while True:
            ready = self._stirring(latest)
            if self._to in ready:
                self.hand(self._rest)
            if self._from in ready:
                said.append(os.read(self._from, PIECE))
                if not said[-1]:
                    return b"".join(said)

    def _stirring(self, latest: float) -> list[int]:
        """Wait until it takes or gives something.

        Raises: TimeoutError.
        """
        poll = select.poll()
        poll.register(self._from, select.POLLIN)
        if self._rest:
            poll.register(self._to, select.POLLOUT)
        while not (ready := poll.poll(1000 * min(SECONDS, LONGEST))):
            if time.monotonic() > latest or self._worked() > SECONDS:
                raise TimeoutError
        return [descriptor for descriptor, _ in ready]

    def _worked(self) -> float:
        """Seconds of a processor that it had; on a busy machine they take longer to come."""
        try:
            said = Path(f"/proc/{self._pid}/stat").read_text()
        except OSError:
            return LONGEST
        user, system = said.rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    def end(self) -> int:
        """Wait for the end of one that has said all; its status."""
        self._let_go()
        pid, self._pid = self._pid, 0
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) if pid else 0

    def kill(self) -> None:
        """End it now, unless it has ended."""
        if self._pid:
            os.kill(self._pid, signal.SIGKILL)
            self.end()

    def _let_go(self) -> None:
        self._to, self._from = _closed(self._to), _closed(self._from)


def _spawned(path: str, stdin: int, stdout: int) -> int:
    """Raises: OSError."""
    duplicate = os.POSIX_SPAWN_DUP2
    return os.posix_spawnp(
        path,
        [path, "-ln=bash", "--to-json"],
        {**os.environ, **LEAN},
        file_actions=[(duplicate, stdin, 0), (duplicate, stdout, 1), (duplicate, stdout, 2)],
        setsid=True,
        setsigdef=[signal.SIGPIPE, signal.SIGXFSZ],
    )


def _closed(descriptor: int) -> int:
    """Close what is open; what stands for nothing."""
    if descriptor >= 0:
        os.close(descriptor)
    return -1


def nesting(text: str) -> int:
    """How deeply brackets stand in brackets, at most; counts those in quotes too."""
    depth = deepest = 0
    for char in text:
        if char in "({[":
            depth += 1
            deepest = max(deepest, depth)
        elif char in ")}]" and depth:
            depth -= 1
    return max(deepest, text.count("`") // 2 if text.count("\\`") > 40 else 0)
