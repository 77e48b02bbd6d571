"""Streaming chat completions: a request in, deltas out, the server's refusals as typed errors."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator
from contextlib import nullcontext
from typing import TYPE_CHECKING

import msgspec

from aish.broker.address import address_of, headers_for
from aish.broker.body import at_its_address, payload
from aish.broker.delta import delta_from, deltas_of_body
from aish.broker.heard import Heard
from aish.broker.http import Dropped, HttpClient, ending_within, pieces
from aish.broker.refusal import readable, refusal
from aish.broker.retry import retry_after
from aish.broker.said import one_line
from aish.broker.sse import MAX_EVENT_BYTES, SseDecoder
from aish.broker.thinking import Thoughts
from aish.core.errors import BrokerError, Garbled, Timeout
from aish.core.messages import Delta, ModelSpec, Request

if TYPE_CHECKING:
    from urllib3.response import BaseHTTPResponse

ERROR_BODY = 64 * 1024
USAGE_GRACE = 2.0  # seconds the closing facts may take once the answer itself is over
END_GRACE = 0.2  # seconds the connection may take to end after [DONE]
_encode = msgspec.json.Encoder().encode


class ChatClient:
    """Talks to any OpenAI-compatible server; one request for one call, never more."""

    def __init__(self, http: HttpClient) -> None:
        self._http = http

    def stream(self, request: Request) -> Generator[Delta, None, None]:
        """Yield the answer as it arrives; closing the iterator drops the connection.

        Raises: BrokerError.
        """
        spec, without = request.spec, request.without
        with self._http.open(
            "POST",
            address_of(spec).api("chat/completions", without),
            body=_encode(payload(request)),
            headers={
                "Content-Type": "application/json",
                "Accept": "application/json" if "stream" in without else "text/event-stream",
                **headers_for(spec),
            },
            connect_timeout=spec.connect_timeout,
            idle_timeout=spec.idle_timeout,
        ) as response:
            if response.status != 200:
                raise _refused(response, request)
            yield from _answer(response, request)


def says_something(delta: Delta) -> bool:
    return bool(delta.text or delta.reasoning or delta.tool_calls or delta.refusal)


def _refused(response: BaseHTTPResponse, request: Request) -> BrokerError:
    wait = retry_after(response.headers, time.time())
    try:
        body = response.read(ERROR_BODY)
    except _transport_errors():
        body = b""  # the status alone says what matters
    return at_its_address(refusal(response.status, body, request.spec, wait), request)


def _answer(response: BaseHTTPResponse, request: Request) -> Generator[Delta, None, None]:
    """The deltas of a response, whatever form it has; an answer without words is an error."""
    heard, thoughts = Heard(), Thoughts()
    for delta in _deltas(response, request.spec):
        apart = thoughts.apart(delta)
        heard.take(apart)
        yield apart
    if rest := thoughts.rest():
        heard.take(rest)
        yield rest
    if nothing := heard.nothing(request):
        raise nothing


def _deltas(response: BaseHTTPResponse, spec: ModelSpec) -> Iterator[Delta]:
    kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind in ("", "text/event-stream", "application/octet-stream", "text/plain"):
        return _streamed(response, spec)
    if kind == "application/json":
        return deltas_of_body(_whole(response), spec)
    raise Garbled(
        f"{spec.name}: the server answers with {one_line(kind)}, not with a chat completion"
        f'{_first_words(response)}',
        "check the endpoint of this model in the config",
    )


def _first_words(response: BaseHTTPResponse) -> str:
    try:
        words = one_line(readable(response.read(ERROR_BODY)))
    except _transport_errors():
        return ""
    return f': "{words}"' if words else ""


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
