"""Counting by a model's own server: what it may not see, it does not count either."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aish.broker.count import ServerCount, ServerCounter
    from aish.core.messages import Message, ModelSpec, ToolSchemas
    from aish.models.secrecy import Secrecy
    from aish.models.servers import Connection


class Counting:
    """Asks the servers that count; each is remembered with the way it knows."""

    def __init__(self, connection: Connection, secrecy: Secrecy, *, allowed: bool) -> None:
        self._connection = connection
        self._secrecy = secrecy
        self.allowed = allowed

    def chat(
        self, spec: ModelSpec, messages: Sequence[Message], tools: ToolSchemas = ()
    ) -> ServerCount | None:
        """A whole request; None when its server cannot say now."""
        if not self.allowed:
            return None
        policy = self._secrecy.policy_of(spec)
        if policy != "off":
            hide = self._secrecy.redactor.redact_request
            messages, tools = hide(messages, map(dict, tools), policy)
        return self._counter.count(spec, messages, tools)

    def text(self, spec: ModelSpec, text: str) -> int | None:
        """One text by itself, without what a chat template adds."""
        if not self.allowed:
            return None
        policy = self._secrecy.policy_of(spec)
        if policy != "off":
            text = self._secrecy.redactor.redact(text, policy)
        return self._counter.count_text(spec, text)

    @cached_property
    def _counter(self) -> ServerCounter:
        from aish.broker.count import ServerCounter, posting

        return ServerCounter(posting(self._connection.http))
