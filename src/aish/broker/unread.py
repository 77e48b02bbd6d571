"""What stands in the events of an answer beside its words: it was written, and is billed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from aish.core.money.received import CHARACTERS

ENVELOPE = 500  # characters of an event that are names, numbers and judgements, not an answer

TextPlace = tuple[str | int, ...]


class UnreadText:
    """Counts it from event to event; what one says again of the one before was written once.

    Some name their sources in every event, or repeat the answer so far.
    """

    def __init__(self) -> None:
        self._before: dict[TextPlace, str] = {}

    def count(self, event: dict[str, Any], read: int, *, closes: bool = False) -> int:
        """Characters that stand elsewhere in an event.

        A piece of an answer without a word in it stands for a token that is not shown.
        """
        before, self._before = self._before, dict(_texts(event))
        anew = sum(_growth(text, before.get(place, "")) for place, text in self._before.items())
        silent = not read and not closes and event.get("choices")
        return max(CHARACTERS if silent else 0, anew - read - ENVELOPE)


def _growth(text: str, before: str) -> int:
    return len(text) - len(before) if text.startswith(before) else len(text)


def _texts(event: dict[str, Any]) -> Iterator[tuple[TextPlace, str]]:
    """All texts within, with where they stand."""
    rest: list[tuple[TextPlace, Any]] = [((), event)]
    while rest:
        place, value = rest.pop()
        if isinstance(value, str):
            yield place, value
        elif isinstance(value, dict | list):
            inner = value.items() if isinstance(value, dict) else enumerate(value)
            rest += (((*place, key), each) for key, each in inner)
