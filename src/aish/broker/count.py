"""Asking a server how many tokens a chat is: whichever way it knows, probed once, never slow."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from aish.core.context.log import calls_of, text_of
from aish.core.errors import BrokerError
from aish.core.messages import Message

# Posts JSON and returns (status, body). Raises OSError or BrokerError when nothing comes back.
Post = Callable[[str, Mapping[str, Any], float], tuple[int, bytes]]
Tools = Sequence[Mapping[str, Any]]

LIMIT_SECONDS = 2.0  # counting is quick or not worth waiting for
_NOT_SUPPORTED = (404, 405, 501)  # a time-out, an overload or a bad key says nothing about support


@dataclass(frozen=True, slots=True)
class ServerCount:
    tokens: int
    method: str  # who counted, and how
    window: int = 0  # what the server says of its window on the way, 0 if nothing


@dataclass(frozen=True, slots=True)
class Chat:
    """What is to be counted."""

    root: str  # the endpoint without /v1
    model: str
    messages: Sequence[Message]
    tools: Tools = ()

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

    def __init__(self, post: Post, limit: float) -> None:
        self._post = post
        self._until = time.monotonic() + limit

    def ask(self, url: str, body: Mapping[str, Any]) -> dict[str, Any]:
        left = self._until - time.monotonic()
        if left <= 0:
            raise NotNow
        try:
            status, answer = self._post(url, body, left)
        except (OSError, BrokerError) as error:
            raise NotNow from error
        if status in _NOT_SUPPORTED:
            raise NotSupported
        if status != 200:
            raise NotNow
        try:
            read = json.loads(answer)
        except ValueError as error:
            raise NotNow from error
        return read if isinstance(read, dict) else {}


def _whole_chat(line: _Line, chat: Chat) -> ServerCount | None:
    answer = line.ask(f"{chat.root}/v1/chat/completions/input_tokens", chat.body())
    return _counted(answer.get("input_tokens"), "server: whole chat")


def _tokenize_messages(line: _Line, chat: Chat) -> ServerCount | None:
    body = chat.body() | {"add_generation_prompt": True}
    answer = line.ask(f"{chat.root}/tokenize", body)
    # llama.cpp answers this with an empty list: it looks for "content" only.
    found = answer.get("count") or _length(answer.get("tokens"))
    return _counted(found, "server: tokenize", answer.get("max_model_len"))


def _chat_tokenize(line: _Line, chat: Chat) -> ServerCount | None:
    answer = line.ask(f"{chat.root}/chat_tokenize", chat.body())
    return _counted(_length(answer.get("tokenize_response")), "server: chat_tokenize")


def _template_and_tokenize(line: _Line, chat: Chat) -> ServerCount | None:
    prompt = line.ask(f"{chat.root}/apply-template", chat.body()).get("prompt")
    if not isinstance(prompt, str):
        return None
    body = {"content": prompt, "add_special": True, "parse_special": True}
    answer = line.ask(f"{chat.root}/tokenize", body)
    return _counted(_length(answer.get("tokens")), "server: template and tokenize")


def _anthropic(line: _Line, chat: Chat) -> ServerCount | None:
    answer = line.ask(f"{chat.root}/v1/messages/count_tokens", anthropic_body(chat))
    return _counted(answer.get("input_tokens"), "server: count_tokens")


def _kobold(line: _Line, chat: Chat) -> ServerCount | None:
    """KoboldCpp counts text, not chats; its template's share is added as ChatML's."""
    text = "\n".join(f"{m.get('role')}\n{text_of(m.get('content'))}" for m in chat.messages)
    if chat.tools:
        text += json.dumps(list(chat.tools))
    answer = line.ask(f"{chat.root}/api/extra/tokencount", {"prompt": text})
    tokens = answer.get("value")
    if not isinstance(tokens, int) or tokens <= 0:
        return None
    return ServerCount(tokens + 4 * len(chat.messages) + 3, "server: text and template")


_WAYS: tuple[Callable[[_Line, Chat], ServerCount | None], ...] = (
    _whole_chat,
    _tokenize_messages,
    _template_and_tokenize,
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
        self, endpoint: str, model: str, messages: Sequence[Message], tools: Tools = ()
    ) -> ServerCount | None:
        """The server's own count of a whole chat, or None if it cannot say (now or ever)."""
        chat = Chat(root_of(endpoint), model, messages, tools)
        ways = self._left.setdefault((chat.root, model), list(range(len(_WAYS))))
        line = _Line(self._post, self._limit)
        for way in list(ways):
            try:
                counted = _WAYS[way](line, chat)
            except NotSupported:
                ways.remove(way)
                continue
            except NotNow:
                continue  # not remembered: busy today may be ready tomorrow
            if counted is not None:
                ways[:] = [way]
                return counted
        return None

    def supported(self, endpoint: str, model: str) -> bool | None:
        """Whether the server counts: None while nobody has asked or it never answered."""
        ways = self._left.get((root_of(endpoint), model))
        if ways is None or len(ways) > 1:
            return None
        return bool(ways)

    def count_text(self, endpoint: str, model: str, text: str) -> int | None:
        """The tokens of one text on a server with a plain /tokenize, or None."""
        body = {"content": text, "prompt": text, "model": model}
        try:
            answer = _Line(self._post, self._limit).ask(f"{root_of(endpoint)}/tokenize", body)
        except (NotSupported, NotNow):
            return None
        found = answer.get("count") or _length(answer.get("tokens"))
        return found if isinstance(found, int) and (found > 0 or not text) else None


def root_of(endpoint: str) -> str:
    """An endpoint without its slash and /v1: where the extra endpoints live."""
    return endpoint.rstrip("/").removesuffix("/v1").rstrip("/")


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
