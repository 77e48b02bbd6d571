"""Whoever sits at this terminal: told in a dim line, asked with yes or no."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from aish.ui.keys import CTRL_C, answer_key, unbuffered, waiting_input
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
        """True for `y` alone; what runs behind the prompt has no keyboard to ask at."""
        import threading

        if threading.current_thread() is not threading.main_thread() or not self.present:
            return False
        self._screen.still()
        descriptor = sys.stdin.fileno()
        with unbuffered(descriptor):
            asked = self._screen.worded(f"{harmless(question)} {KEYS}")
            self._screen.err.write(asked.removesuffix(KEYS))
            self._screen.err.flush()
            waiting_input(descriptor)  # what was typed before the question is no answer to it
            self._screen.err.write(KEYS)
            self._screen.err.flush()
            key = answer_key(descriptor)[0].lower()
        self._screen.err.write("yes\n" if key == "y" else "no\n")
        self._screen.err.flush()
        if key == CTRL_C:  # not only no, but no more of this
            raise KeyboardInterrupt
        return key == "y"
