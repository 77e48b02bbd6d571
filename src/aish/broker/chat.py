"""Streaming chat completions: a request in, deltas out, the server's refusals as typed errors."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Collection, Generator, Iterator
from contextlib import closing, nullcontext
from typing import TYPE_CHECKING, Any

import msgspec

from aish.broker.delta import delta_from, deltas_of_body
from aish.broker.http import Dropped, HttpClient, ending_within, pieces
from aish.broker.refusal import Unsupported, refusal
from aish.broker.retry import Patience, Retry, retry_after, wait_before_retry
from aish.broker.said import one_line
from aish.broker.sse import MAX_EVENT_BYTES, SseDecoder
from aish.core.errors import BrokerError, Empty, Garbled, Timeout
from aish.core.messages import Delta, ModelSpec, Request

if TYPE_CHECKING:
    from urllib3.response import BaseHTTPResponse

ERROR_BODY = 64 * 1024
USAGE_GRACE = 2.0  # seconds the closing facts may take once the answer itself is over
END_GRACE = 0.2  # seconds the connection may take to end after [DONE]
_encode = msgspec.json.Encoder().encode


class ChatClient:
    """Talks to any OpenAI-compatible server."""

    def __init__(
        self,
        http: HttpClient,
        *,
        patience: Patience | None = None,
        pause: Callable[[float], None] = time.sleep,
        jitter: Callable[[], float] = random.random,
        notice: Callable[[Retry], None] = lambda _: None,
    ) -> None:
        self._http = http
        self._patience = patience or Patience()
        self._pause = pause
        self._jitter = jitter
        self._notice = notice
        self._unknown: dict[tuple[str, str], frozenset[str]] = {}  # parameters a model rejects

    def stream(self, request: Request) -> Generator[Delta, None, None]:
        """Yield the answer as it arrives; closing the iterator drops the connection.

        A request is repeated only while nothing of an answer has arrived.

        Raises: BrokerError.
        """
        attempt = 1
        while True:
            begun = False
            try:
                with closing(self._once(request)) as deltas:
                    for delta in deltas:
                        begun = begun or says_something(delta)
                        yield delta
                return
            except Unsupported as error:
                if begun or not self._do_without(error.parameter, request.spec):
                    raise
                continue
            except BrokerError as error:
                wait = wait_before_retry(error, attempt, self._patience, self._jitter())
                if begun or wait is None:
                    raise
                self._notice(Retry(error, attempt, wait))
            self._pause(wait)
            attempt += 1

    def _do_without(self, parameter: str, spec: ModelSpec) -> bool:
        """Remember a parameter the model rejects; False when leaving it out did not help."""
        key = spec.endpoint, spec.model
        known = self._unknown.get(key, frozenset())
        self._unknown[key] = known | {parameter}
        return parameter not in known

    def _once(self, request: Request) -> Generator[Delta, None, None]:
        spec = request.spec
        with self._http.open(
            "POST",
            api_url(spec.endpoint, "chat/completions"),
            body=_encode(payload(request, self._unknown.get((spec.endpoint, spec.model), ()))),
            headers={
                "Content-Type": "application/json",
                "Accept": "text/event-stream",
                **auth_headers(spec.api_key),
            },
            connect_timeout=spec.connect_timeout,
            idle_timeout=spec.idle_timeout,
        ) as response:
            if response.status != 200:
                raise _refused(response, spec)
            yield from _answer(response, spec)


def says_something(delta: Delta) -> bool:
    return bool(delta.text or delta.reasoning or delta.tool_calls)


def api_url(endpoint: str, path: str) -> str:
    """`path` under the OpenAI root of an endpoint given with or without its /v1."""
    base = endpoint.rstrip("/")
    return f"{base}/{path}" if base.endswith("/v1") else f"{base}/v1/{path}"


def server_url(endpoint: str, path: str) -> str:
    """`path` under the server's own root, beside /v1."""
    return f"{endpoint.rstrip('/').removesuffix('/v1').rstrip('/')}/{path}"


def auth_headers(api_key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {api_key}"} if api_key else {}


def payload(request: Request, without: Collection[str] = ()) -> dict[str, Any]:
    """The body of a chat completion request, without the parameters the model rejects."""
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
    if "max_tokens" in without:  # newer OpenAI models call it by another name
        body["max_completion_tokens"] = request.max_tokens
    return {name: value for name, value in body.items() if name not in without}


def _refused(response: BaseHTTPResponse, spec: ModelSpec) -> BrokerError:
    wait = retry_after(response.headers, time.time())
    try:
        body = response.read(ERROR_BODY)
    except _transport_errors():
        body = b""  # the status alone says what matters
    return refusal(response.status, body, spec, wait)


def _answer(response: BaseHTTPResponse, spec: ModelSpec) -> Generator[Delta, None, None]:
    """The deltas of a response, whatever form it has; an answer without words is an error."""
    said_anything = False
    kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind in ("", "text/event-stream", "application/octet-stream", "text/plain"):
        deltas: Iterator[Delta] = _streamed(response, spec)
    elif kind == "application/json":
        deltas = deltas_of_body(_whole(response), spec)
    else:
        raise Garbled(
            f"{spec.name}: the server answers with {one_line(kind)}, not with a chat completion",
            "check the endpoint of this model in the config",
        )
    for delta in deltas:
        said_anything = said_anything or says_something(delta)
        yield delta
    if not said_anything:
        raise Empty(f"{spec.name}: the answer is empty", "ask again, or choose another `:model`")


def _streamed(response: BaseHTTPResponse, spec: ModelSpec) -> Generator[Delta, None, None]:
    """Decode the event stream; it must say how it ended, or it was cut."""
    decoder = SseDecoder()
    finished = False
    body = pieces(response)
    while True:
        try:
            with ending_within(response, USAGE_GRACE) if finished else nullcontext():
                piece = next(body, b"")
        except _transport_errors():
            if finished:
                return  # all that is missing is the usage
            raise
        if not piece:
            break
        for data in decoder.feed(piece):
            if data == b"[DONE]":
                _read_end(response)
                return
            delta = delta_from(data, spec)
            finished = finished or delta.finish is not None
            yield delta
    if not finished:
        raise Dropped(
            f"{spec.name}: the answer was cut off before its end",
            "the server may have died or been restarted; ask again",
        )


def _read_end(response: BaseHTTPResponse) -> None:
    """Read what follows [DONE], so that the connection can serve the next question."""
    try:
        with ending_within(response, END_GRACE):
            for _ in pieces(response):
                pass
    except _transport_errors():
        return


def _whole(response: BaseHTTPResponse) -> bytes:
    """The body of an answer that is not streamed.

    Raises: Garbled, when it is too large to be one.
    """
    found = bytearray()
    for piece in pieces(response):
        found += piece
        if len(found) > MAX_EVENT_BYTES:
            raise Garbled("the answer is larger than any answer", "is this a chat server?")
    return bytes(found)


def _transport_errors() -> tuple[type[Exception], ...]:
    """What reading a response can raise before it is mapped."""
    from urllib3.exceptions import HTTPError

    return (HTTPError, Timeout, Dropped)
