"""What answers ask of other models, collected as a consumer of a question's events."""

from __future__ import annotations

from collections.abc import Iterator

from aish.core.delegate import Delegation, delegations
from aish.core.events import Event, Replied


class Delegations:
    """The delegations of a question's answers, in order."""

    def __init__(self) -> None:
        self._found: list[Delegation] = []

    def __call__(self, event: Event) -> None:
        if isinstance(event, Replied) and event.reply.finish != "interrupted":
            self._found += delegations(event.reply.text, complete=event.reply.complete)

    def __iter__(self) -> Iterator[Delegation]:
        return iter(self._found)
