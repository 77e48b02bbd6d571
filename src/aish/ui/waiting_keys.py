"""Keys that come while a completion is looked for: they wait for it, as in bash."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from itertools import dropwhile
from typing import Any

from prompt_toolkit.application import get_app
from prompt_toolkit.key_binding import KeyPress
from prompt_toolkit.key_binding.key_processor import KeyProcessor
from prompt_toolkit.keys import Keys

PATIENCE = 2.5  # seconds; the shell itself gives a completion up before
_INTERRUPTS = (Keys.ControlC, Keys.SIGINT)


class WaitingKeys(KeyProcessor):
    """Does one key after the other; those after one that is not done yet stay in the queue.

    Ctrl-C does not wait: what is looked for is given up, and the keys before it are dropped.
    """

    def reset(self) -> None:
        super().reset()
        self._give_up: Callable[[], None] | None = None  # what a key waits for
        self._after: list[KeyPress] = []  # keys that came together with the one that is waited for

    def wait_for(self, work: Coroutine[Any, Any, None], give_up: Callable[[], None]) -> None:
        """The key that is handled now is done when this is; to be called by its handler."""
        self._give_up = give_up
        self._after = self.empty_queue()
        app = get_app()
        app.create_background_task(self._finish(app.create_background_task(work)))

    async def _finish(self, work: asyncio.Task[None]) -> None:
        self.process_keys()  # there may be a Ctrl-C among them
        await asyncio.wait({work}, timeout=PATIENCE)
        work.cancel()
        self._wait_no_more()
        self.process_keys()

    def process_keys(self) -> None:
        self.feed_multiple(self._after, first=True)
        self._after = []
        if self._give_up and (kept := list(dropwhile(_waits_too, self.input_queue))):
            self.empty_queue()
            self.feed_multiple(kept)
            self._wait_no_more()
        if not self._give_up:
            super().process_keys()

    def _wait_no_more(self) -> None:
        if self._give_up:
            self._give_up()
            self._give_up = None


def _waits_too(press: KeyPress) -> bool:
    return press.key not in _INTERRUPTS
