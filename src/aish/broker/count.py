"""Asking a server how many tokens a chat is: whichever way it knows, probed once, never slow."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from aish.broker.address import Address, address_of, headers_for
from aish.broker.decoding import UNREADABLE, decoded
from aish.broker.http_client import HttpClient
from aish.core.context.log import calls_of, text_of
from aish.core.errors import BrokerError
from aish.core.messages import Message, ModelSpec, ToolSchemas
from aish.core.values import dataclass

# Posts JSON to a model's server and returns (status, body).
# Raises OSError or BrokerError when nothing comes back.
Post = Callable[[ModelSpec, str, Mapping[str, Any], float], tuple[int, bytes]]

_encode = msgspec.json.Encoder().encode
TEXT_ONLY = "server: text and template"
LIMIT_SECONDS = 2.0  # counting is quick or not worth waiting for
TEMPLATE = 4096  # tokens that a template may add of its own; of a text none is less than a byte
_NOT_SUPPORTED = (404, 405, 501)  # a time-out, an overload or a bad key says nothing about support


@dataclass(frozen=True, slots=True)
class ServerCount:
    tokens: int
    method: str  # who counted, and how
    window: int = 0  # what the server says of its window on the way, 0 if nothing


@dataclass(frozen=True, slots=True)
class Chat:
    """What is to be counted."""

    model: str
    messages: Sequence[Message]
    tools: ToolSchemas = ()

    def body(self) -> dict[str, Any]:
        body: dict[str, Any] = {"model": self.model, "messages": list(self.messages)}
        if self.tools:
            body["tools"] = list(self.tools)
        return body


class NotSupported(Exception):
    """The server said that it has no such endpoint."""


class NotNow(Exception):
    """No answer this time; says nothing about the next."""


class _Line:
    """Requests to one server within one time limit."""

    def __init__(self, post: Post, spec: ModelSpec, limit: float) -> None:
        self._post = post
        self._spec = spec
        self._until = time.monotonic() + limit
        self.address: Address = address_of(spec)

    def ask(self, url: str, body: Mapping[str, Any]) -> dict[str, Any]:
        left = self._until - time.monotonic()
        if left <= 0:
            raise NotNow
        try:
            status, answer = self._post(self._spec, url, body, left)
        except (OSError, BrokerError) as error:
            raise NotNow from error
        if status in _NOT_SUPPORTED:
            raise NotSupported
        if status != 200:
            raise NotNow
        try:
            read = decoded(answer)
        except UNREADABLE as error:
            raise NotNow from error
        return read if isinstance(read, dict) else {}


def _whole_chat(line: _Line, chat: Chat) -> ServerCount | None:
    answer = line.ask(line.address.api("chat/completions/input_tokens"), chat.body())
    return _counted(answer.get("input_tokens"), "server: whole chat")


def _tokenize_messages(line: _Line, chat: Chat) -> ServerCount | None:
    body = chat.body() | {"add_generation_prompt": True}
    answer = line.ask(line.address.own("tokenize"), body)
    # llama.cpp answers this with an empty list: it looks for "content" only.
    found = answer.get("count") or _length(answer.get("tokens"))
    return _counted(found, "server: tokenize", answer.get("max_model_len"))


def _chat_tokenize(line: _Line, chat: Chat) -> ServerCount | None:
    answer = line.ask(line.address.own("chat_tokenize"), chat.body())
    return _counted(_length(answer.get("tokenize_response")), "server: chat_tokenize")


def _template_and_tokenize(line: _Line, chat: Chat) -> ServerCount | None:
    prompt = line.ask(line.address.own("apply-template"), chat.body()).get("prompt")
    if not isinstance(prompt, str):
        return None
    body = {"content": prompt, "add_special": True, "parse_special": True}
    answer = line.ask(line.address.own("tokenize"), body)
    return _counted(_length(answer.get("tokens")), "server: template and tokenize")


def _anthropic(line: _Line, chat: Chat) -> ServerCount | None:
    answer = line.ask(line.address.api("messages/count_tokens"), anthropic_body(chat))
    return _counted(answer.get("input_tokens"), "server: count_tokens")


def _kobold(line: _Line, chat: Chat) -> ServerCount | None:
    answer = line.ask(line.address.own("api/extra/tokencount"), {"prompt": _flat(chat)})
    return _of_text(answer.get("value"), chat)


def _tokenize_text(line: _Line, chat: Chat) -> ServerCount | None:
    """A server that tokenizes a text and nothing else."""
    answer = line.ask(line.address.own("tokenize"), {"content": _flat(chat)})
    return _of_text(_length(answer.get("tokens")) or answer.get("count"), chat)


def _flat(chat: Chat) -> str:
    text = "\n".join(f"{m.get('role')}\n{text_of(m.get('content'))}" for m in chat.messages)
    return text + (json.dumps(list(chat.tools)) if chat.tools else "")


def _of_text(tokens: object, chat: Chat) -> ServerCount | None:
    """The count of a text; the template's share is added as ChatML's."""
    if not isinstance(tokens, int) or isinstance(tokens, bool) or tokens <= 0:
        return None
    return ServerCount(tokens + 4 * len(chat.messages) + 3, TEXT_ONLY)


_WAYS: tuple[Callable[[_Line, Chat], ServerCount | None], ...] = (
    _whole_chat,
    _tokenize_messages,
    _template_and_tokenize,
    _tokenize_text,
    _chat_tokenize,
    _kobold,
    _anthropic,
)


class ServerCounter:
    """Counts chats on the servers that can; remembers which way each (endpoint, model) knows."""

    def __init__(self, post: Post, limit: float = LIMIT_SECONDS) -> None:
        self._post = post
        self._limit = limit
        self._left: dict[tuple[str, str], list[int]] = {}  # ways not yet ruled out, best first

    def count(
        self, spec: ModelSpec, messages: Sequence[Message], tools: ToolSchemas = ()
    ) -> ServerCount | None:
        """The server's own count of a whole chat, or None if it cannot say (now or ever)."""
        chat = Chat(spec.model, messages, tools)
        line = _Line(self._post, spec, self._limit)
        ways = self._left.setdefault((line.address.base, spec.model), list(range(len(_WAYS))))
        for way in list(ways):
            try:
                counted = _WAYS[way](line, chat)
            except NotSupported:
                ways.remove(way)
                continue
            except NotNow:
                continue  # not remembered: busy today may be ready tomorrow
            if counted is not None and counted.tokens <= len(_encode(chat.body())) + TEMPLATE:
                ways[:] = [way]
                return counted
        return None

    def supported(self, spec: ModelSpec) -> bool | None:
        """Whether the server counts: None while nobody has asked or it never answered."""
        ways = self._left.get((address_of(spec).base, spec.model))
        if ways is None or len(ways) > 1:
            return None
        return bool(ways)

    def count_text(self, spec: ModelSpec, text: str) -> int | None:
        """The tokens of one text on a server with a plain /tokenize, or None."""
        body = {"content": text, "prompt": text, "model": spec.model}
        line = _Line(self._post, spec, self._limit)
        try:
            answer = line.ask(line.address.own("tokenize"), body)
        except (NotSupported, NotNow):
            return None
        found = answer.get("count") or _length(answer.get("tokens"))
        believable = isinstance(found, int) and found <= len(_encode(text)) + TEMPLATE
        return found if believable and (found > 0 or not text) else None


def posting(http: HttpClient) -> Post:
    """Posts over HTTP, with what the model's server wants to see first."""

    def post(
        spec: ModelSpec, url: str, body: Mapping[str, Any], timeout: float
    ) -> tuple[int, bytes]:
        headers = {"Content-Type": "application/json", **headers_for(spec)}
        data = _encode(body)
        return http.fetch("POST", url, body=data, headers=headers, timeout=timeout)

    return post


def anthropic_body(chat: Chat) -> dict[str, Any]:
    """A chat in Anthropic's shape, for counting."""
    system: list[str] = []
    messages: list[dict[str, Any]] = []
    for message in chat.messages:
        role, text = message.get("role"), text_of(message.get("content"))
        if role in ("system", "developer"):
            system.append(text)
            continue
        blocks: list[dict[str, Any]] = [{"type": "text", "text": text}] if text else []
        if role == "tool":
            result = {"type": "tool_result", "tool_use_id": message.get("tool_call_id", "")}
            blocks = [result | {"content": text}]
        for call in calls_of(message):
            blocks.append({"type": "tool_use", "id": call.id, "name": call.name, "input": {}})
            blocks.append({"type": "text", "text": call.arguments})
        said = "assistant" if role == "assistant" else "user"
        if messages and messages[-1]["role"] == said:
            messages[-1]["content"] += blocks
        else:
            messages.append({"role": said, "content": blocks})
    body: dict[str, Any] = {"model": chat.model, "messages": messages}
    return body | ({"system": "\n\n".join(system)} if system else {})


def _counted(tokens: object, method: str, window: object = 0) -> ServerCount | None:
    if not isinstance(tokens, int) or isinstance(tokens, bool) or tokens <= 0:
        return None
    return ServerCount(tokens, method, window if isinstance(window, int) else 0)


def _length(tokens: object) -> int:
    return len(tokens) if isinstance(tokens, list) else 0
