"""A request that is put to a model by itself, beside the conversation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from aish.core.errors import Overflow
from aish.core.events import Event
from aish.core.messages import Message, ModelSpec


class SingleRequest:
    """A few messages and nothing else; there is nothing in them that could be left out."""

    def __init__(self, messages: Sequence[Message], spec: ModelSpec, longest: int) -> None:
        """`longest`: tokens of the answer."""
        self._messages = list(messages)
        self._longest = min(spec.reserve, longest)

    def messages(self) -> list[Message]:
        return self._messages

    def tools(self) -> Sequence[Mapping[str, Any]]:
        return ()

    def answer_tokens(self) -> int:
        return self._longest

    def expected(self) -> int:
        return 0

    def shorten(self, refused: Overflow) -> None:
        raise refused

    def news(self) -> Iterator[Event]:
        return iter(())
