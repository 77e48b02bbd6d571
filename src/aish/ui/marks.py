"""Marks for the terminal itself: where prompts and commands are, the directory, the title.

OSC 133 lets a terminal jump between prompts and show how a command ended, OSC 7 lets it open a new
window in the same directory. A terminal that knows none of this shows nothing.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Mapping

from aish.core.mask import Mask, NoMask
from aish.ui.instant import short_directory
from aish.ui.style import harmless

_END = "\x1b\\"
_DEAF = ("", "dumb", "linux", "cons25", "emacs")  # terminals that would show them as text
TITLE_LENGTH = 80


class Marks:
    """Writes the marks; where the terminal does not know them, nothing."""

    def __init__(
        self, write: Callable[[str], None], environ: Mapping[str, str], mask: Mask | None = None
    ) -> None:
        """`mask` knows the lines that are in no title: others may see it, and it may be kept."""
        deaf = environ.get("TERM", "") in _DEAF or "INSIDE_EMACS" in environ
        self._write = (lambda _: None) if deaf else write
        self._mask = mask or NoMask()
        self._open = False  # a command has begun and has not ended

    def prompt(self, cwd: str) -> None:
        """A prompt begins here, in this directory."""
        self.ended(0)
        host, where = _percent(os.fsencode(os.uname().nodename)), _percent(os.fsencode(cwd))
        title = harmless(short_directory(cwd))[:TITLE_LENGTH]
        self._write(f"\x1b]7;file://{host}{where}{_END}\x1b]2;{title}{_END}\x1b]133;A{_END}")

    def began(self, line: str) -> None:
        """What was entered begins; what follows is its output."""
        title = " ".join(harmless(line).split())[:TITLE_LENGTH]
        private = line[:1].isspace() or self._mask.forbids_keeping(line)
        self._write("" if private else f"\x1b]2;{title}{_END}")
        self._write(f"\x1b]133;C{_END}")
        self._open = True

    def ended(self, status: int) -> None:
        """It ended with this status."""
        if self._open:
            self._open = False
            self._write(f"\x1b]133;D;{status}{_END}")

    @staticmethod
    def of_process(mask: Mask) -> Marks:
        """For the terminal on standard output; a write that fails shows nothing."""
        return Marks(_write, os.environ if os.isatty(1) else {}, mask)


def _percent(path: bytes) -> str:
    plain = b"/-._~"
    return "".join(
        chr(byte) if bytes([byte]).isalnum() or byte in plain else f"%{byte:02X}" for byte in path
    )


def _write(text: str) -> None:
    with contextlib.suppress(OSError):
        os.write(1, text.encode("utf-8", "replace"))
