"""shfmt as a parser: one process per text, the next one started before it is needed."""

from __future__ import annotations

import contextlib
import os
import select
import subprocess
import sys
from pathlib import Path

from aish.core.shellsyntax.tree import DEEPEST, Script, UnreadableCommand, from_json

SECONDS = 2.0
LARGEST = 64 << 20
KEPT = 256
# It reads one text and ends: collecting garbage on the way costs a third of its time.
LEAN = {"GOGC": "off", "GOMEMLIMIT": "512MiB"}


def program() -> str:
    """Where shfmt is: beside this Python, or wherever the system has it."""
    beside = Path(sys.executable).parent / "shfmt"
    return str(beside) if beside.exists() else "shfmt"


class Shfmt:
    """Parses commands; a spare process waits, so that a text costs its parsing and no start."""

    def __init__(self, path: str = "") -> None:
        self._command = [path or program(), "-ln=bash", "--to-json"]
        self._spare: subprocess.Popen[bytes] | None = None
        self._known: dict[str, Script] = {}

    def __call__(self, text: str) -> Script:
        """The tree of a command.

        Raises: UnreadableCommand.
        """
        if text in self._known:
            return self._known[text]
        if nesting(text) > DEEPEST:
            raise UnreadableCommand("it is nested too deeply")
        script = from_json(self._parsed(text.encode("utf-8", "replace")))
        if len(self._known) >= KEPT:
            self._known.clear()
        self._known[text] = script
        return script

    def forget(self) -> None:
        """Drop the trees that are kept, to measure without them."""
        self._known.clear()

    def warm(self) -> None:
        """Have a process ready."""
        if self._spare is None:
            with contextlib.suppress(UnreadableCommand):
                self._spare = self._start()

    def close(self) -> None:
        """End the process that waits."""
        if self._spare is not None:
            with contextlib.suppress(OSError, subprocess.TimeoutExpired):
                self._spare.communicate(b"", timeout=SECONDS)
            self._spare = None

    def _start(self) -> subprocess.Popen[bytes]:
        try:
            return subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
                env={**os.environ, **LEAN},
            )
        except OSError as error:
            raise UnreadableCommand("shfmt, which reads commands, is not installed") from error

    def _parsed(self, text: bytes) -> bytes:
        process, self._spare = self._spare or self._start(), None
        try:
            rest = _given(process, text)
            self._spare = self._start()  # while that one reads
            out, err = process.communicate(rest, timeout=SECONDS)
        except (subprocess.TimeoutExpired, OSError) as error:
            process.kill()
            process.communicate()
            raise UnreadableCommand("reading it took too long") from error
        if process.returncode != 0 or not out or len(out) > LARGEST:
            said = err.decode("utf-8", "replace").strip().splitlines()
            raise UnreadableCommand(said[0][:120] if said else "its syntax is broken")
        return out


def _given(process: subprocess.Popen[bytes], text: bytes) -> bytes | None:
    """Hand over a text that a pipe surely takes at once; what is left to hand over.

    Raises: OSError.
    """
    if len(text) > select.PIPE_BUF or process.stdin is None:
        return text
    process.stdin.write(text)
    process.stdin.close()
    process.stdin = None
    return None


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
