"""A model seen through the redactor: placeholders go out, values come back."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from dataclasses import replace
from typing import Protocol

from aish.core.messages import Delta, ModelSpec, Request, ToolCallPiece
from aish.core.secrets.policies import Policy
from aish.core.secrets.redact import Redactor, Restorer


class Source(Protocol):
    """Whatever streams an answer: the chat client, or another wrapper of it."""

    def stream(self, request: Request) -> Generator[Delta, None, None]: ...


class Policies(Protocol):
    """What is hidden from whom."""

    def policy_of(self, spec: ModelSpec) -> Policy:
        """What this model must not see."""
        ...


class Redacting:
    """Hides secrets from a source and restores them in its answer, whatever its pieces."""

    def __init__(self, source: Source, redactor: Redactor, policies: Policies) -> None:
        self._source = source
        self._redactor = redactor
        self._policies = policies

    def stream(self, request: Request) -> Generator[Delta, None, None]:
        """As the source does it.

        Raises: BrokerError.
        """
        policy = self._policies.policy_of(request.spec)
        if policy != "off":
            hide = self._redactor.redact_request
            messages, tools = hide(request.messages, request.tools, policy)
            request = replace(request, messages=tuple(messages), tools=tuple(tools))
        with closing(self._source.stream(request)) as deltas:
            if not self._redactor.secrets:
                yield from deltas
                return
            unsealed = _Restoring(self._redactor)
            for delta in deltas:
                yield unsealed.restored(delta)
            if rest := unsealed.rest():
                yield rest


class _Restoring:
    """One answer on its way back: text, thinking and each tool call are streams of their own."""

    def __init__(self, redactor: Redactor) -> None:
        self._redactor = redactor
        self._text = redactor.restorer()
        self._reasoning = redactor.restorer()
        self._calls: dict[int, Restorer] = {}

    def restored(self, delta: Delta) -> Delta:
        if delta.retract:
            self._text.begin_again()
        text = self._text.feed(delta.text)
        reasoning = self._reasoning.feed(delta.reasoning)
        calls = tuple(map(self._restored_call, delta.tool_calls))
        if delta.finish is not None:  # nothing follows, so nothing is held back any more
            text += self._text.finish()
            reasoning += self._reasoning.finish()
            calls += self._held_calls()
        return replace(delta, text=text, reasoning=reasoning, tool_calls=calls)

    def rest(self) -> Delta | None:
        """What a source that never says it has finished still leaves."""
        text, reasoning, calls = self._text.finish(), self._reasoning.finish(), self._held_calls()
        return Delta(text, reasoning, calls) if text or reasoning or calls else None

    def _restored_call(self, piece: ToolCallPiece) -> ToolCallPiece:
        restorer = self._calls.get(piece.index)
        if restorer is None:
            restorer = self._calls[piece.index] = self._redactor.restorer(json=True)
        return replace(piece, arguments=restorer.feed(piece.arguments))

    def _held_calls(self) -> tuple[ToolCallPiece, ...]:
        held = ((index, restorer.finish()) for index, restorer in self._calls.items())
        return tuple(ToolCallPiece(index, arguments=text) for index, text in held if text)
