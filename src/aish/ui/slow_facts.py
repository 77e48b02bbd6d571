"""A fact for the prompt that may be slow to find: shown when it is there, never waited for."""

from __future__ import annotations

import threading
from collections.abc import Callable


class SlowFact:
    """Finds a value in a thread; what comes too late for this prompt is told when it comes."""

    def __init__(self, find: Callable[[str], str], patience: float) -> None:
        self._find = find
        self._patience = patience
        self._known: dict[str, str] = {}
        self._asked = 0
        self.tell: Callable[[str], None] = lambda _: None

    def __call__(self, about: str) -> str:
        """The value, or what it was the last time."""
        self._asked += 1
        number, done = self._asked, threading.Event()
        late = threading.Event()

        def find() -> None:
            value = self._find(about)
            self._known = {about: value}
            done.set()
            if late.is_set() and number == self._asked:
                self.tell(value)

        threading.Thread(target=find, daemon=True).start()
        if not done.wait(self._patience):
            late.set()
        return self._known.get(about, "")
