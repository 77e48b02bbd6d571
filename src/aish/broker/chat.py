"""Streaming chat completions: a request in, deltas out, the server's refusals as typed errors."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import closing
from typing import TYPE_CHECKING, Any

import msgspec

from aish.broker.http import HttpClient, pieces
from aish.broker.sse import SseDecoder
from aish.core.errors import BrokerError, Empty, Garbled, Overflow, Rejected
from aish.core.messages import Delta, ModelSpec, Request, ToolCallPiece, Usage

if TYPE_CHECKING:
    from urllib3.response import BaseHTTPResponse

ERROR_BODY = 64 * 1024
_decode = msgspec.json.Decoder().decode
_encode = msgspec.json.Encoder().encode


class ChatClient:
    """Talks to any OpenAI-compatible server."""

    def __init__(self, http: HttpClient) -> None:
        self._http = http

    def stream(self, request: Request) -> Generator[Delta, None, None]:
        """Yield the answer as it arrives; closing the iterator drops the connection.

        Raises: BrokerError.
        """
        spec = request.spec
        with self._http.open(
            "POST",
            api_url(spec.endpoint, "chat/completions"),
            body=_encode(payload(request)),
            headers={
                "Content-Type": "application/json",
                "Accept": "text/event-stream",
                **auth_headers(spec.api_key),
            },
            connect_timeout=spec.connect_timeout,
            idle_timeout=spec.idle_timeout,
        ) as response:
            if response.status != 200:
                raise refusal(response.status, response.read(ERROR_BODY), spec)
            with closing(_deltas(response, spec)) as deltas:
                yield from deltas


def api_url(endpoint: str, path: str) -> str:
    """`path` under the OpenAI root of an endpoint given with or without its /v1."""
    base = endpoint.rstrip("/")
    return f"{base}/{path}" if base.endswith("/v1") else f"{base}/v1/{path}"


def server_url(endpoint: str, path: str) -> str:
    """`path` under the server's own root, beside /v1."""
    return f"{endpoint.rstrip('/').removesuffix('/v1').rstrip('/')}/{path}"


def auth_headers(api_key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {api_key}"} if api_key else {}


def payload(request: Request) -> dict[str, Any]:
    """The body of a chat completion request."""
    body: dict[str, Any] = {
        "model": request.spec.model,
        "messages": request.messages,
        "max_tokens": request.max_tokens,
        "stream": True,
        "stream_options": {"include_usage": True},
        **request.spec.options,
    }
    if request.tools:
        body["tools"] = request.tools
    return body


def _deltas(response: BaseHTTPResponse, spec: ModelSpec) -> Generator[Delta, None, None]:
    """Decode the event stream; it must say how it ended, or it was cut."""
    decoder = SseDecoder()
    finished = False
    said_anything = False
    for piece in pieces(response):
        for data in decoder.feed(piece):
            if data == b"[DONE]":
                finished = True
                continue
            delta = delta_from(data, spec)
            if delta.finish is not None:
                finished = True
            said_anything = said_anything or bool(delta.text or delta.reasoning or delta.tool_calls)
            yield delta
    if not finished:
        raise Garbled(
            "the answer was cut off before its end",
            "the server may have died or been restarted; ask again",
        )
    if not said_anything:
        raise Empty(f"{spec.model} gave an empty answer", "ask again, or choose another `:model`")


def delta_from(data: bytes, spec: ModelSpec) -> Delta:
    """One decoded event.

    Raises: Garbled for what is not JSON, Rejected or Overflow for an error object.
    """
    try:
        event = _decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Garbled(f"the server sent broken JSON: {error}", "ask again") from error
    if not isinstance(event, dict):
        raise Garbled("the server sent an event that is not an object", "ask again")
    if event.get("error"):
        raise _error_object(event["error"], 0, spec)
    choices = event.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    usage = usage_from(event.get("usage"))
    if not isinstance(choice, dict):
        return Delta(usage=usage)
    delta = choice.get("delta") or choice.get("message") or {}
    if not isinstance(delta, dict):
        raise Garbled("the server sent a delta that is not an object", "ask again")
    finish = choice.get("finish_reason")
    return Delta(
        text=_text(delta.get("content")),
        reasoning=_text(delta.get("reasoning_content") or delta.get("reasoning")),
        tool_calls=_tool_pieces(delta.get("tool_calls")),
        usage=usage,
        finish=finish if isinstance(finish, str) else None,
        model=_text(event.get("model")) if finish else "",
    )


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _tool_pieces(calls: Any) -> tuple[ToolCallPiece, ...]:
    if not isinstance(calls, list):
        return ()
    found = []
    for position, call in enumerate(calls):
        if not isinstance(call, dict):
            continue
        function = call.get("function")
        function = function if isinstance(function, dict) else {}
        index = call.get("index")
        found.append(
            ToolCallPiece(
                index=index if isinstance(index, int) else position,
                id=_text(call.get("id")),
                name=_text(function.get("name")),
                arguments=_text(function.get("arguments")),
            )
        )
    return tuple(found)


def usage_from(usage: Any) -> Usage | None:
    """Usage as the server reports it; None when it reports nothing usable."""
    if not isinstance(usage, dict):
        return None
    details = usage.get("prompt_tokens_details")
    cached = details.get("cached_tokens") if isinstance(details, dict) else None
    cost = usage.get("cost")
    return Usage(
        prompt_tokens=_count(usage.get("prompt_tokens")),
        completion_tokens=_count(usage.get("completion_tokens")),
        cached_tokens=_count(cached),
        cost=float(cost) if isinstance(cost, int | float) else None,
    )


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and value >= 0 else None


def refusal(status: int, body: bytes, spec: ModelSpec) -> BrokerError:
    """The error for an answer that is not a stream."""
    try:
        decoded = _decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError):
        decoded = None
    if isinstance(decoded, dict):
        return _error_object(decoded.get("error") or decoded, status, spec)
    return _rejected(status, "", spec)


def _error_object(error: Any, status: int, spec: ModelSpec) -> BrokerError:
    fields: Mapping[str, Any] = error if isinstance(error, dict) else {"message": error}
    message = _text(fields.get("message")) or _text(fields.get("detail"))
    kind = f"{fields.get('type')} {fields.get('code')}"
    if "exceed_context_size" in kind or "context_length_exceeded" in kind:
        return Overflow(
            f"{spec.model} says the prompt is too long",
            "`:reset` starts afresh; a smaller `window` in the config keeps it from happening",
            prompt_tokens=_count(fields.get("n_prompt_tokens")) or 0,
            window=_count(fields.get("n_ctx")) or 0,
        )
    code = fields.get("code")
    return _rejected(status or (code if isinstance(code, int) else 0), message, spec)


def _rejected(status: int, message: str, spec: ModelSpec) -> Rejected:
    said = f": {_one_line(message)}" if message else ""
    match status:
        case 401 | 403:
            return Rejected(
                f"{spec.name}: the server refuses the API key ({status}){said}",
                "set api_key_env of this model to the variable that holds a valid key",
                status=status,
            )
        case 404:
            return Rejected(
                f"{spec.name}: no such model or address ({status}){said}",
                f"check endpoint and model ({spec.model!r}) in the config; `:models` lists them",
                status=status,
            )
        case 429:
            return Rejected(
                f"{spec.name}: too many requests ({status}){said}",
                "wait a little, or choose another `:model`",
                status=status,
            )
        case _ if 300 <= status < 400:
            return Rejected(
                f"{spec.name}: the server redirects elsewhere ({status})",
                "set the endpoint in the config to the final address",
                status=status,
            )
        case _ if status >= 500:
            return Rejected(
                f"{spec.name}: the server failed ({status}){said}",
                "ask again; if it goes on, look at the server's log",
                status=status,
            )
        case _:
            label = f" ({status})" if status else ""
            return Rejected(
                f"{spec.name}: the server rejects the request{label}{said}",
                "`aish doctor` checks every endpoint",
                status=status,
            )


def _one_line(text: str) -> str:
    """The server's words, on one line, without control characters, bounded."""
    line = " ".join(text.split())
    return "".join(ch for ch in line if ch.isprintable())[:200]
