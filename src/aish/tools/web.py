"""How a server is reached over HTTP: in the protocol it speaks, with the right to, in bounds."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, closing
from typing import TYPE_CHECKING, Any

import anyio
import httpx2
from mcp.client.sse import sse_client
from mcp.client.streamable_http import streamable_http_client

from aish.tools.lines import LONGEST, LineSplitter, NewSpillFile, TooLong
from aish.tools.oversize import stand_in

if TYPE_CHECKING:
    from aish.tools.login import Login

UNAUTHORIZED, BAD = 401, 400
CONNECTING, READING = 30.0, 300.0  # seconds; a server may keep a stream open without a word


_FIELD = re.compile(rb"data: ?")


class NeedsLogin(Exception):
    """The server wants to know who asks, and only the user can say."""


class Web:
    """An address, and which of the two protocols it answered to."""

    def __init__(
        self,
        name: str,
        url: str,
        headers: Mapping[str, str],
        login: Login,
        spill: NewSpillFile = lambda: None,
    ) -> None:
        self._spill = spill
        self._name = name
        self._url = url
        self._headers = dict(headers)
        self.login = login
        self._old = url.rstrip("/").endswith("/sse")  # the protocol before streamable HTTP
        self._status = 0  # of the newest answer

    @asynccontextmanager
    async def streams(self, limit: anyio.CancelScope) -> AsyncIterator[Any]:
        """The two streams of a connection; a login may take longer than the limit."""
        async with self.login.ready(limit) as auth:
            if self._old:
                made = sse_client(
                    self._url, headers=self._headers, httpx_client_factory=self._client, auth=auth
                )
                async with made as streams:
                    yield streams
                return
            async with (
                self._client(self._headers, auth=auth) as http,
                streamable_http_client(self._url, http_client=http) as streams,
            ):
                yield streams

    def learned(self, error: BaseException, why: str) -> str:
        """What to say about a failure; one that answered badly is tried in the other protocol."""
        if isinstance(error, NeedsLogin) or self._status == UNAUTHORIZED:
            token = f"its token is refused (mcp.servers.{self._name})"
            return f"it wants a login: `:mcp login {self._name}`" if self.login.possible else token
        if isinstance(error, httpx2.TransportError | OSError):
            return why
        self._old = not self._old
        return f"{why} (HTTP status {self._status})" if self._status >= BAD else why

    def _client(
        self,
        headers: dict[str, str] | None = None,
        timeout: httpx2.Timeout | None = None,
        auth: httpx2.Auth | None = None,
    ) -> httpx2.AsyncClient:
        return httpx2.AsyncClient(
            headers={"Accept-Encoding": "identity", **(headers or {})},
            timeout=timeout or httpx2.Timeout(CONNECTING, read=READING),
            auth=auth,
            event_hooks={"response": [self._answered]},
        )

    async def _answered(self, response: httpx2.Response) -> None:
        self._status = response.status_code
        if isinstance(response.stream, httpx2.AsyncByteStream):
            kind = response.headers.get("content-type", "")
            events = kind.startswith("text/event-stream")
            response.stream = _Body(response.stream, self._spill, events=events)


class _Body(httpx2.AsyncByteStream):
    """A body in bounds: of a message that is too long only the ends are handed on.

    In a stream of events a message is a line; a body of JSON is one, whatever lines it has.
    """

    def __init__(
        self, stream: httpx2.AsyncByteStream, spill: NewSpillFile, *, events: bool
    ) -> None:
        self._stream = stream
        self._spill = spill
        self._events = events

    async def __aiter__(self) -> AsyncIterator[bytes]:
        with closing(LineSplitter(spill=self._spill)) as lines:
            size = 0  # of the event under way
            async for piece in self._stream:
                for line in lines.feed(piece if self._events else piece.replace(b"\n", b" ")):
                    made = _handed_on(line)
                    size = size + len(made) if len(made) > 2 else 0
                    if size > 2 * LONGEST:
                        raise httpx2.ReadError("an event without end")
                    yield made
            yield _handed_on(lines.take()).removesuffix(b"\n")

    async def aclose(self) -> None:
        await self._stream.aclose()


def _handed_on(line: bytes | TooLong) -> bytes:
    """Raises: ReadError, where nobody is known who waits for a message that is too long."""
    if not isinstance(line, TooLong):
        return line + b"\n"
    made = stand_in(line)
    if made is None:
        raise httpx2.ReadError(f"an answer of {line.size:,} bytes; ask for less")
    field = _FIELD.match(line.head)
    text = made.model_dump_json(by_alias=True, exclude_unset=True)
    return (field[0] if field else b"") + text.encode() + b"\n"
