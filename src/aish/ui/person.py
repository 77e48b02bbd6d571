"""Whoever sits at this terminal: told in a dim line, asked with yes or no."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from aish.ui.asking import STOP, STOPPED, ask_key
from aish.ui.keys import unbuffered
from aish.ui.style import harmless

if TYPE_CHECKING:
    from aish.ui.screen import Screen

KEYS = "[y/N] "


class Person:
    """The user behind a screen; a no to every question where nobody is at a terminal."""

    def __init__(self, screen: Screen, *, quiet: bool = False) -> None:
        """`quiet`: asked where it must be, but told nothing."""
        self._screen = screen
        self._quiet = quiet

    @property
    def present(self) -> bool:
        return bool(sys.stdin and sys.stdin.isatty() and self._screen.err.isatty())

    def tell(self, text: str) -> None:
        if not self._quiet:
            self._screen.interject(text)

    def confirm(self, question: str) -> bool:
        """True for `y` alone; what runs behind the prompt has no keyboard to ask at.

        Raises: KeyboardInterrupt, for a no that ends what the question belongs to.
        """
        import threading

        if threading.current_thread() is not threading.main_thread() or not self.present:
            return False
        self._screen.still()
        descriptor = sys.stdin.fileno()
        with unbuffered(descriptor):
            asked = self._screen.worded(f"{harmless(question)} {KEYS}")
            self._write(asked.removesuffix(KEYS))
            key = ask_key(self._screen, descriptor, KEYS, "yYnN", write=self._write)
        yes = key in ("y", "Y")
        self._write(f"{'yes' if yes else STOPPED if key == STOP else 'no'}\n")
        if key == STOP:
            raise KeyboardInterrupt
        return yes

    def _write(self, text: str) -> None:
        """Beside the answer, which may go to a file."""
        self._screen.beside(text)
