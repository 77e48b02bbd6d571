"""A sign of life while nothing else can be shown."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

from aish.ui.screen import Screen
from aish.ui.style import DIM, escaped, one_line

FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
DELAY = 0.08  # an answer that comes at once needs no sign
PERIOD = 0.1


class Spinner:
    """Draws a turning sign with a word on the current line until it is told to stop."""

    def __init__(self, screen: Screen, word: str = "thinking") -> None:
        self._screen = screen
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self.word = word

    @property
    def turns(self) -> bool:
        return self._thread is not None

    def start(self) -> None:
        if self._screen.terminal and self._screen.colours and self._thread is None:
            self._stop.clear()
            self._screen.sign = self
            self._thread = threading.Thread(target=self._turn, daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Leave the line as it was before."""
        if self._thread is not None:
            self._stop.set()
            self._thread.join()
            self._thread = None

    def _turn(self) -> None:
        if self._stop.wait(DELAY):
            return
        started = time.monotonic() - DELAY
        frame = 0
        while True:
            seconds = time.monotonic() - started
            text = f"{FRAMES[frame % len(FRAMES)]} {one_line(self.word)}"
            text += f" {seconds:.0f} s" if seconds >= 1 else ""
            shown = self._screen.paint(text[: self._screen.width - 1], DIM)
            self._screen.control(f"\r{shown}\x1b[K")
            frame += 1
            if self._stop.wait(PERIOD):
                break
        self._screen.control("\r\x1b[K")


@contextmanager
def turning(screen: Screen, word: str) -> Iterator[Callable[[str], None]]:
    """A sign while something is done; what is told of its progress follows the word."""
    spinner = Spinner(screen, word)

    def tell(progress: str) -> None:
        spinner.word = f"{word}: {escaped(' '.join(progress.split()))[:80]}"

    outer = screen.sign if screen.sign is not None and screen.sign.turns else None
    screen.still()  # one sign at a time
    spinner.start()
    try:
        yield tell
    finally:
        spinner.stop()
        if outer is not None:
            outer.start()


class SpinnerSign:
    """Signs on one screen, for parts that do not know it."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen

    def turning(self, words: str) -> AbstractContextManager[Callable[[str], None]]:
        return turning(self._screen, words)
