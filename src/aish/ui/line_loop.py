"""The event loop under the line editor, kept from line to line."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

_T = TypeVar("_T")


class _Loop(asyncio.SelectorEventLoop):
    """One that takes a signal's number as it is: to check it, asyncio lists all that there are,
    four times for every line."""

    def _check_signal(self, sig: int) -> None:
        """Only the editor's own signals come here."""


class LineLoop:
    """Runs one thing after another; what was cut short leaves nothing behind that goes on."""

    def __init__(self) -> None:
        self._loop: _Loop | None = None

    def run(self, work: Coroutine[Any, Any, _T]) -> _T:
        """Wait for this. Raises: whatever it raises, KeyboardInterrupt at any moment."""
        if self._loop is None:
            self._loop = _Loop()
        try:
            return self._loop.run_until_complete(work)
        finally:
            if asyncio.all_tasks(self._loop):
                self._give_up(self._loop)

    def _give_up(self, loop: _Loop) -> None:
        """An interrupt left tasks half done: end them, and take another loop for what follows."""
        self._loop = None
        left = asyncio.all_tasks(loop)
        for task in left:
            task.cancel()
        loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
        loop.close()
