"""Streaming chat completions: a request in, deltas out, the server's refusals as typed errors."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator
from contextlib import nullcontext
from itertools import chain
from math import inf
from typing import TYPE_CHECKING
from urllib.parse import urljoin

import msgspec

from aish.broker.address import address_of, headers_for, secrets_of, shown_address
from aish.broker.body import at_its_address, payload, with_its_options
from aish.broker.delta import delta_from, deltas_of_body
from aish.broker.error_text import one_line
from aish.broker.http_client import (
    BLOCK,
    Dropped,
    HttpClient,
    ending_within,
    packing,
    pieces,
)
from aish.broker.refusal import quoted, readable, refusal
from aish.broker.retry import retry_after
from aish.broker.sse import MAX_EVENT_BYTES
from aish.broker.stream import EventStream, whole_answer
from aish.core.errors import BrokerError, Garbled, Timeout
from aish.core.messages import Delta, Request

if TYPE_CHECKING:
    from urllib3.response import BaseHTTPResponse

ANSWERED = (200, 201, 202, 203)
STREAM = "text/event-stream"
NAMELESS = ("", "application/octet-stream", "text/plain")  # and these may be anything
BOM = b"\xef\xbb\xbf"
FIELDS = (b"data:", b"event:", b"id:", b"retry:", b":")  # how a line of a stream begins
BLANKS = 1 << 20
LOOKS = 100  # at most, whether an answer that comes as a whole is there: each reads all of it
LONGEST_TOKEN = 64  # bytes, with its escapes
ERROR_BODY = 64 * 1024
ERROR_GRACE = 5.0  # seconds the words of a refusal may take after its status
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
        request = with_its_options(request)
        spec, without = request.spec, request.without
        with self._http.open(
            "POST",
            address_of(spec).api("chat/completions", without),
            body=_encode(payload(request)),
            headers={
                "Content-Type": "application/json",
                "Accept": "application/json" if "stream" in without else STREAM,
                **headers_for(spec),
            },
            connect_timeout=spec.connect_timeout,
            idle_timeout=spec.idle_timeout,
        ) as response:
            if response.status not in ANSWERED:
                raise _refused(response, request)
            yield from _answer(response, request)


def _refused(response: BaseHTTPResponse, request: Request) -> BrokerError:
    wait = retry_after(response.headers, time.time())
    body = _moved(response, request) or _error_body(response)
    return at_its_address(refusal(response.status, body, request.spec, wait), request)


def _error_body(response: BaseHTTPResponse) -> bytes:
    """As much of it as comes: the status alone says what matters."""
    body = b""
    try:
        with ending_within(response, ERROR_GRACE):
            while len(body) < ERROR_BODY and (piece := response.read1(ERROR_BODY)):
                body += piece
    except _transport_errors():
        pass
    return body[:ERROR_BODY]


def _moved(response: BaseHTTPResponse, request: Request) -> bytes:
    """Where a redirection points, without what may be a key in it."""
    place = response.headers.get("location", "")
    if not place or not 300 <= response.status < 400:
        return b""
    asked = address_of(request.spec).api("chat/completions", request.without)
    try:
        there = urljoin(asked, place)
    except ValueError:  # it is no address; what the body says counts
        return b""
    return f"it is at {shown_address(there)}".encode()


def _answer(response: BaseHTTPResponse, request: Request) -> Iterator[Delta]:
    """The deltas of a response, whatever form it has: how it begins counts, not what it is called.

    Servers stream under the name of JSON, and answer whole under none or that of a stream.
    """
    kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    if packed := packing(response):
        raise Garbled(
            f"{request.spec.name}: the server packs its answer ({packed}), which nobody asked for",
            "is a proxy in between?",
        )
    body = pieces(response)
    first = _beginning(body)
    start = first.lstrip().removeprefix(BOM)[:8]
    if start[:1] in (b"{", b"["):
        return _unstreamed(response, chain([first], body), request)
    if _is_stream(kind, start):
        return _streamed(response, chain([first], body), request)
    raise Garbled(
        f"{request.spec.name}: the server answers with "
        f"{one_line(kind, secrets_of(request.spec)) or 'something'}, "
        f"not with a chat completion{quoted(_first_words(first, body), request.spec)}",
        "check the endpoint of this model in the config",
    )


def _beginning(body: Iterator[bytes]) -> bytes:
    """What comes first that is not blank; some servers send blanks while they think."""
    first = b""
    while BOM.startswith(first.strip()) and len(first) < BLANKS and (piece := next(body, b"")):
        first += piece
    return first


def _is_stream(kind: str, start: bytes) -> bool:
    """Whether a text is called a stream, or begins as one does, as far as it has arrived."""
    if kind == STREAM or not start:
        return kind in (STREAM, *NAMELESS)
    return any(start.startswith(name) or name.startswith(start) for name in FIELDS)


def _first_words(first: bytes, body: Iterator[bytes]) -> str:
    try:
        while len(first) < ERROR_BODY and (piece := next(body, b"")):
            first += piece
    except _transport_errors():
        pass  # what has arrived is quoted
    return readable(first)


def _streamed(
    response: BaseHTTPResponse, body: Iterator[bytes], request: Request
) -> Generator[Delta, None, None]:
    """Decode the event stream as it arrives.

    Once the answer is over, what still comes has a moment for all of it: signs of life may go on
    for ever.
    """
    events = EventStream(request)
    until = inf
    while not events.over:
        until = min(until, time.monotonic() + USAGE_GRACE) if events.settled else inf
        left = until - time.monotonic()
        if left <= 0:
            break
        try:
            with ending_within(response, left) if events.settled else nullcontext():
                piece = next(body, b"")
        except _transport_errors():
            yield from events.rest()
            if events.settled:
                break  # all that is missing is the usage
            if said := events.complaint():
                raise said from None
            raise
        if not piece:
            break
        yield from events.feed(piece)
        if events.held > _longest(request):
            yield Delta(unread=len(piece))
    if events.over:
        _read_end(response)
    yield from events.end()


def _read_end(response: BaseHTTPResponse) -> None:
    """Read what follows [DONE], so that the connection can serve the next question."""
    try:
        with ending_within(response, END_GRACE):
            for _ in pieces(response):
                pass
    except _transport_errors():
        return


def _unstreamed(
    response: BaseHTTPResponse, body: Iterator[bytes], request: Request
) -> Iterator[Delta]:
    """An answer that comes as a whole; once it is there, its connection need not end.

    Raises: Garbled, when it is too large to be one.
    """
    found, looks = bytearray(), LOOKS
    try:
        for piece in body:
            found += piece
            if len(found) > MAX_EVENT_BYTES:
                raise Garbled("the answer is larger than any answer", "is this a chat server?")
            if len(found) > _longest(request):
                yield Delta(unread=len(piece))
            if looks and piece.rstrip().endswith(b"}"):
                looks -= 1
                if _has_ended(found, request):
                    _read_end(response)
                    break
    except _transport_errors():
        if not _has_ended(found, request):
            raise
    yield from whole_answer(deltas_of_body(_bare(found), request.spec), request)


def _has_ended(found: bytearray, request: Request) -> bool:
    """Whether an answer is whole and says that it has come to its end, or why there is none."""
    try:
        return delta_from(_bare(found), request.spec, whole=True).finish is not None
    except Garbled:
        return False
    except BrokerError:
        return True


def _bare(found: bytearray) -> bytes:
    return bytes(found).lstrip().removeprefix(BOM)


def _longest(request: Request) -> int:
    """Bytes that hold any answer of the length that was asked for: what goes on is counted."""
    return BLOCK + request.max_tokens * LONGEST_TOKEN


def _transport_errors() -> tuple[type[Exception], ...]:
    """What reading a response can raise before it is mapped."""
    from urllib3.exceptions import HTTPError

    return (HTTPError, Timeout, Dropped)
