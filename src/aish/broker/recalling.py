"""A server's own answers, sent back with what it wants to see of them again.

Some reject a conversation in which an answer of theirs lacks its thinking (DeepSeek, Kimi), or a
call what they signed it with (Gemini). It is kept as it came, and goes to nobody else.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import closing
from dataclasses import replace
from threading import Lock
from typing import TYPE_CHECKING, Any

from aish.core.messages import UNSIGNED, UNTHOUGHT, Delta, Message, ModelSpec, Request

if TYPE_CHECKING:
    from aish.broker.redacting import Source

KEPT = 200  # names of answers, of which each has up to two
NO_THOUGHT = " "  # in place of one that is not known here; nothing at all is rejected, too
_WORDS = ("text", "summary", "data")

_Key = tuple[str, str, int]  # server, model, and what tells one answer from another


class Recalling:
    """Keeps what came with the answers of a source, for those who ask for it."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._answers: dict[_Key, _Answer] = {}
        self._keeping = Lock()  # notes are written beside a question

    def stream(self, request: Request) -> Generator[Delta, None, None]:
        """As the source does it.

        Raises: BrokerError.
        """
        answer = _Answer()
        with closing(self._source.stream(self._recalled(request))) as deltas:
            for delta in deltas:
                answer.take(delta)
                yield delta
        ids, said = answer.ids(), answer.said()
        for calls in (ids, answer.calls()):  # those without ids are told apart by what they ask
            self._keep(_key(request.spec, calls, said), answer)

    def _keep(self, key: _Key, answer: _Answer) -> None:
        with self._keeping:
            self._answers[key] = answer
            while len(self._answers) > KEPT:
                del self._answers[next(iter(self._answers))]

    def _recalled(self, request: Request) -> Request:
        if not request.without & {UNTHOUGHT, UNSIGNED}:
            return request
        return replace(request, messages=tuple(self._whole(m, request) for m in request.messages))

    def _whole(self, message: Message, request: Request) -> Message:
        if message.get("role") != "assistant":
            return message
        ids = [str(call.get("id")) for call in message.get("tool_calls") or ()]
        calls = [_asked(call) for call in message.get("tool_calls") or ()]
        keys = (_key(request.spec, names, message.get("content")) for names in (calls, ids))
        found = next(filter(None, map(self._answers.get, keys)), None) or _Answer()
        if UNTHOUGHT in request.without:
            message = {**message, "reasoning_content": found.thought() or NO_THOUGHT}
        return found.signed(message) if UNSIGNED in request.without else message


class _Answer:
    """What arrived of one answer beside its words."""

    def __init__(self) -> None:
        self._text: list[str] = []
        self._reasoning: list[str] = []
        self._ids: dict[int, str] = {}
        self._asked: dict[int, list[tuple[str, str]]] = {}  # names and arguments, in pieces
        self._signatures: dict[int, dict[str, Any]] = {}
        self._details: list[Mapping[str, Any]] = []

    def take(self, delta: Delta) -> None:
        if delta.retract:
            self._text.clear()
        self._text.append(delta.text)
        self._reasoning.append(delta.reasoning)
        for piece in delta.tool_calls:
            self._ids[piece.index] = self._ids.get(piece.index) or piece.id
            self._asked.setdefault(piece.index, []).append((piece.name, piece.arguments))
            self._signatures.setdefault(piece.index, {}).update(piece.signed)
        for part in delta.details:
            self._add(part)

    def said(self) -> str:
        """Its words, which are not kept."""
        text = "".join(self._text)
        self._text.clear()
        return text

    def thought(self) -> str:
        return "".join(self._reasoning)

    def ids(self) -> list[str]:
        return [found or f"call_{number}" for number, found in sorted(self._ids.items())]

    def calls(self) -> list[str]:
        """What each asks; that is not kept."""
        asked = [
            map("".join, zip(*pieces, strict=True)) for _, pieces in sorted(self._asked.items())
        ]
        self._asked.clear()
        return [_call(found, *words) for found, words in zip(self.ids(), asked, strict=True)]

    def signed(self, message: Message) -> Message:
        """The calls of this answer as their server signed them."""
        if not self._signatures:
            return message
        calls = zip(message["tool_calls"], sorted(self._signatures.items()), strict=True)
        details = {"reasoning_details": self._details} if self._details else {}
        return {
            **message,
            "tool_calls": [{**call, **signature} for call, (_, signature) in calls],
            **details,
        }

    def _add(self, part: Mapping[str, Any]) -> None:
        """A piece of the thinking; those of one number belong together."""
        last = self._details[-1] if self._details else {}
        names = ("type", "index")
        if part.get("index") is None or any(last.get(n) != part.get(n) for n in names):
            self._details.append(part)
            return
        said = {name: value for name, value in part.items() if value is not None}
        for name in _WORDS:
            if isinstance(last.get(name), str) and isinstance(said.get(name), str):
                said[name] = last[name] + said[name]
        self._details[-1] = {**last, **said}


def _asked(call: Mapping[str, Any]) -> str:
    function = call.get("function") or {}
    return _call(call.get("id"), function.get("name"), function.get("arguments"))


def _call(call_id: object, name: object, arguments: object) -> str:
    return f"{call_id} {name} {arguments}"


def _key(spec: ModelSpec, ids: list[str], content: object) -> _Key:
    words = content.strip() if isinstance(content, str) else ""
    return spec.endpoint, spec.model, hash(tuple(ids) or words)
