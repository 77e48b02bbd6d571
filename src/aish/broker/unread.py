"""What stands in the events of an answer beside its words: it was written, and is billed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from aish.core.money.received import CHARACTERS

ENVELOPE = 500  # characters of an event that are names, numbers and judgements, not an answer

TextPlace = tuple[str | int | None, ...]


class UnreadText:
    """Counts it from event to event; what one says again of those before was written once.

    Some name their sources in every event or every other one, or repeat the answer so far.
    """

    def __init__(self) -> None:
        self._before: dict[TextPlace, str] = {}

    def count(self, event: dict[str, Any], read: int, *, closes: bool = False) -> int:
        """Characters that stand elsewhere in an event.

        A piece of an answer without a word in it stands for a token that is not shown.
        """
        texts = dict(_texts(event))
        anew = sum(_growth(text, self._before.get(place, "")) for place, text in texts.items())
        self._before |= texts
        silent = not read and not closes and event.get("choices")
        return max(CHARACTERS if silent else 0, anew - read - ENVELOPE)


def _growth(text: str, before: str) -> int:
    return len(text) - len(before) if text.startswith(before) else len(text)


def _texts(event: dict[str, Any]) -> Iterator[tuple[TextPlace, str]]:
    """All texts within, with where they stand; a name can be one too."""
    rest: list[tuple[TextPlace, Any]] = [((), event)]
    while rest:
        place, value = rest.pop()
        if isinstance(value, str):
            yield place, value
        elif isinstance(value, dict):
            yield from (((*place, name, None), name) for name in value)
            rest += (((*place, name), each) for name, each in value.items())
        elif isinstance(value, list):
            rest += (((*place, number), each) for number, each in enumerate(value))
