"""One answer out of a stream of several: no piece of another is mixed into it."""

from __future__ import annotations

from typing import Any

from aish.core.messages import Delta
from aish.core.money.received import CHARACTERS


class OneAnswer:
    """Takes in the pieces of all answers in their order, and gives those of the first.

    Some servers number the pieces of their one answer instead. Then no number comes again; the
    first piece with another number is held back until the next one shows what the numbers mean.
    """

    def __init__(self) -> None:
        self._first = self._last = -1
        self._several = False  # a number came again, or one after the end of the first answer
        self._counts_pieces = False
        self._held: list[Delta] = []

    def pieces(self, number: Any, delta: Delta) -> list[Delta]:
        """What is known to be of the answer by now; of another, only what it used."""
        if type(number) is not int:
            return [delta]
        if self._last < 0:
            self._first = self._last = number
        elif number <= self._last:
            self._several = True
        self._last = number
        if number == self._first or self._several:
            held = list(map(_of_another, self._rest()))
            own = delta if number == self._first else _of_another(delta)
            self._several = self._several or delta.finish is not None
            return [*held, own]
        self._counts_pieces = self._counts_pieces or bool(self._held)
        self._held.append(delta)
        return self._rest() if self._counts_pieces else []

    def rest(self) -> list[Delta]:
        """Nothing follows: no number came again."""
        return self._rest()

    def _rest(self) -> list[Delta]:
        held, self._held = self._held, []
        return held


def _of_another(delta: Delta) -> Delta:
    """What nobody reads of it was written, and is billed."""
    calls = sum(len(call.name) + len(call.arguments) for call in delta.tool_calls)
    said = len(delta.text) + len(delta.reasoning) + len(delta.refusal) + calls
    return Delta(usage=delta.usage, unread=max(CHARACTERS, said + delta.unread))
