"""How a server is reached over HTTP: in the protocol it speaks, with the right to, in bounds."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import anyio
import httpx2
from mcp.client.sse import sse_client
from mcp.client.streamable_http import streamable_http_client

from aish.tools.lines import LONGEST

if TYPE_CHECKING:
    from aish.tools.login import Login

UNAUTHORIZED, BAD = 401, 400
CONNECTING, READING = 30.0, 300.0  # seconds; a server may keep a stream open without a word


class NeedsLogin(Exception):
    """The server wants to know who asks, and only the user can say."""


class Web:
    """An address, and which of the two protocols it answered to."""

    def __init__(self, name: str, url: str, headers: Mapping[str, str], login: Login) -> None:
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
            response.stream = _Bounded(response.stream)


class _Bounded(httpx2.AsyncByteStream):
    """A body of which no line may be longer than a message may be."""

    def __init__(self, stream: httpx2.AsyncByteStream) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        async for piece in self._stream:
            end = piece.rfind(b"\n")
            size = size + len(piece) if end < 0 else len(piece) - end
            if size > LONGEST:
                raise httpx2.ReadError(f"the answer has more than {LONGEST:,} bytes; ask for less")
            yield piece

    async def aclose(self) -> None:
        await self._stream.aclose()
