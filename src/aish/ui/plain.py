"""Lines from a pipe or a file: no prompt, no editing."""

from __future__ import annotations

from typing import TextIO


class PlainReader:
    """Reads line after line until the end."""

    def __init__(self, stdin: TextIO) -> None:
        self._stdin = stdin

    def read(self, default: str = "", typed: str = "") -> tuple[str, str]:
        """Raises: EOFError."""
        del default, typed
        line = self._stdin.readline()
        if not line:
            raise EOFError
        return line.rstrip("\r\n"), ""


class NothingTyped:
    """Where there is no keyboard, nothing is typed ahead."""

    def text(self) -> str:
        return ""

    def keys(self) -> str:
        return ""
