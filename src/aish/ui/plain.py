"""Lines from a pipe or a file: no prompt, no editing."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, TextIO

from aish.ui.repl import Repl

if TYPE_CHECKING:
    from aish.ui.face import Face
    from aish.ui.kinds import LineKinds


def run_lines(face: Face, kinds: LineKinds) -> int:
    """Run every line of standard input, none where it is closed; returns the exit code."""
    gc.enable()
    if sys.stdin is None:
        return 0
    reader = PlainReader(sys.stdin, kinds.waits_for)
    return Repl(face, reader, kinds.entered, NothingTyped()).run()


class PlainReader:
    """Reads line after line until the end; a command that is not finished goes on in the next."""

    def __init__(self, stdin: TextIO, waits_for: Callable[[str], str]) -> None:
        """`waits_for`: what a command lacks to be finished, "" when nothing."""
        self._stdin = stdin
        self._waits_for = waits_for

    def read(self, default: str = "", typed: str = "") -> tuple[str, str]:
        """Raises: EOFError."""
        del default, typed
        line = self._line()
        if not line:
            raise EOFError
        while waiting := self._waits_for(line):
            more = self._here_document(waiting[2:]) if waiting[:2] == "<<" else self._line()
            if not more:
                break
            line += more
        return line.rstrip("\r\n"), ""

    def _line(self) -> str:
        return self._stdin.readline()

    def _here_document(self, delimiter: str) -> str:
        """Up to its end, in one go: looking at a long one line by line would be slow."""
        lines = []
        while line := self._line():
            lines.append(line)
            if line.strip() == delimiter:
                break
        return "".join(lines)


class NothingTyped:
    """Where there is no keyboard, nothing is typed ahead."""

    def text(self) -> str:
        return ""

    def keys(self) -> str:
        return ""
