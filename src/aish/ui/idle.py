"""Work for the time when nobody types at the prompt."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from math import inf

QUIET = 3.0  # seconds without a key


class Idle:
    """Calls something in a thread of its own after seconds without a key, and again if it likes.

    The thread ends with the process: nobody who leaves waits for it.
    """

    def __init__(self, work: Callable[[], float], quiet: float = QUIET) -> None:
        """`work` says in how many seconds it is worth calling again; infinity: never."""
        self._work = work
        self._quiet = quiet
        self._touched = 0.0
        self._due = 0.0
        self._thread: threading.Thread | None = None
        self._timer: asyncio.TimerHandle | None = None

    def touch(self) -> None:
        """A key was pressed, or the prompt was painted anew."""
        self._touched = time.monotonic()

    def watch(self) -> None:
        """A prompt comes up, in a running event loop."""
        self.touch()
        if self._timer is not None:
            self._timer.cancel()  # of the prompt before
        self._look_in(self._quiet)

    def _look_in(self, seconds: float) -> None:
        if self._due < inf:
            self._timer = asyncio.get_running_loop().call_later(seconds, self._look)

    def _look(self) -> None:
        now = time.monotonic()
        wait = max(self._touched + self._quiet, self._due) - now
        if wait <= 0 and (self._thread is None or not self._thread.is_alive()):
            self._thread = threading.Thread(target=self._call, daemon=True)
            self._thread.start()
        self._look_in(max(wait, self._quiet))

    def _call(self) -> None:
        self._due = time.monotonic() + self._work()
