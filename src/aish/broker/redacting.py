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
            request = self._redacted(request, policy)
        with closing(self._source.stream(request)) as deltas:
            if not self._redactor.secrets:
                yield from deltas
                return
            as_json = "response_format" in request.spec.options
            unsealed = _Restoring(self._redactor, as_json=as_json)
            for delta in deltas:
                yield unsealed.restored(delta)
            if rest := unsealed.rest():
                yield rest

    def _redacted(self, request: Request, policy: Policy) -> Request:
        hide, form = self._redactor.redact_request, request.spec.options.get("response_format")
        forms = [form] if form else []  # it may quote the definitions of tools
        messages, others = hide(request.messages, (*forms, *request.tools), policy)
        if form:
            options = {**request.spec.options, "response_format": others[0]}
            request = replace(request, spec=replace(request.spec, options=options))
        tools = others[len(forms) :]
        return replace(request, messages=tuple(messages), tools=tuple(tools))


class _Restoring:
    """One answer on its way back: text, thinking and each tool call are streams of their own."""

    def __init__(self, redactor: Redactor, *, as_json: bool) -> None:
        self._redactor = redactor
        self._text: Restorer | _Whole = _Whole(redactor) if as_json else redactor.restorer()
        self._reasoning = redactor.restorer()
        self._calls: dict[int, _Whole] = {}

    def restored(self, delta: Delta) -> Delta:
        if delta.retract:
            self._text.begin_again()
        text = self._text.feed(delta.text)
        reasoning = self._reasoning.feed(delta.reasoning)
        calls = tuple(map(self._held_call, delta.tool_calls))
        if delta.finish is not None:  # nothing follows, so nothing is held back any more
            text += self._text.finish()
            reasoning += self._reasoning.finish()
            calls += self._restored_calls()
        return replace(delta, text=text, reasoning=reasoning, tool_calls=calls)

    def rest(self) -> Delta | None:
        """What a source that never says it has finished still leaves."""
        text, reasoning, calls = (
            self._text.finish(),
            self._reasoning.finish(),
            self._restored_calls(),
        )
        return Delta(text, reasoning, calls) if text or reasoning or calls else None

    def _held_call(self, piece: ToolCallPiece) -> ToolCallPiece:
        held = self._calls.setdefault(piece.index, _Whole(self._redactor))
        held.tool += piece.name
        return replace(piece, arguments=held.feed(piece.arguments))

    def _restored_calls(self) -> tuple[ToolCallPiece, ...]:
        whole = ((index, held.finish()) for index, held in self._calls.items())
        return tuple(ToolCallPiece(index, arguments=text) for index, text in whole if text)


class _Whole:
    """JSON, which is restored when all of it is there: what a value may be depends on the whole."""

    def __init__(self, redactor: Redactor) -> None:
        self._redactor = redactor
        self._pieces: list[str] = []
        self.tool = ""  # that it is for

    def feed(self, piece: str) -> str:
        self._pieces.append(piece)
        return ""

    def finish(self) -> str:
        text = "".join(self._pieces)
        self._pieces.clear()
        return self._redactor.restore_json(text, self.tool)

    def begin_again(self) -> None:
        self._pieces.clear()
