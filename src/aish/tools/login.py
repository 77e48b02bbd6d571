"""Logging in to a server with OAuth: an address for the user's browser, and a callback on loopback.

Nothing is begun by itself: without a login of before the server only says that it wants one.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, Protocol
from urllib.parse import parse_qs, urlsplit

import anyio
import httpx2
from anyio.abc import SocketAttribute, SocketStream
from mcp.client.auth import OAuthClientProvider
from mcp.shared.auth import (
    AuthorizationCodeResult,
    OAuthClientInformationFull,
    OAuthClientMetadata,
    OAuthToken,
)

from aish.core.user import User
from aish.tools.web import NeedsLogin

PAGE = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n"
    b"aish has what it needs. You can close this page.\n"
)
LONGEST_REQUEST = 16 * 1024
WAIT = 600.0  # seconds the user has for the browser


class Logins(Protocol):
    """What is kept of logins, by the name and the address of a server."""

    def load(self, server: str) -> dict[str, Any]: ...

    def save(self, server: str, kept: Mapping[str, Any]) -> None:
        """Raises: StoreError."""
        ...


class Login:
    """The right to use one server."""

    def __init__(self, url: str, logins: Logins | None, user: User) -> None:
        """`logins`: None where a token is configured, or nothing can be kept."""
        self._url = url
        self._logins = logins
        self._user = user
        self.wanted = False  # the user asked for it

    @property
    def possible(self) -> bool:
        return self._logins is not None

    @asynccontextmanager
    async def ready(self, limit: anyio.CancelScope) -> AsyncIterator[httpx2.Auth | None]:
        """What proves who asks; None where nothing is known and nobody asked to log in."""
        if self._logins is None or not (self.wanted or self._logins.load(self._url)):
            yield None
            return
        listening = await anyio.create_tcp_listener(local_host="127.0.0.1", local_port=0)
        async with listening:
            listener = listening.listeners[0]
            port = listener.extra(SocketAttribute.local_port)  # noqa: S610
            kept = _Kept(self._url, self._logins, anew=self.wanted)

            async def redirect(address: str) -> None:
                if not self.wanted:
                    raise NeedsLogin("the login is no longer good")
                limit.deadline = anyio.current_time() + WAIT
                self._user.tell(f"open this in a browser to log in: {address}")

            async def callback() -> AuthorizationCodeResult:
                found = await _called_back(listener)
                self.wanted = False
                return found

            yield OAuthClientProvider(
                server_url=self._url,
                client_metadata=_about(port),
                storage=kept,
                redirect_handler=redirect,
                callback_handler=callback,
            )


def _about(port: int) -> OAuthClientMetadata:
    return OAuthClientMetadata.model_validate(
        {
            "client_name": "aish",
            "redirect_uris": [f"http://127.0.0.1:{port}/callback"],
            "grant_types": ["authorization_code", "refresh_token"],
            "response_types": ["code"],
            "token_endpoint_auth_method": "none",
        }
    )


async def _called_back(listener: Any) -> AuthorizationCodeResult:
    """What the browser brings back; other visitors get nothing for their trouble."""
    while True:
        stream: SocketStream = await listener.accept()
        async with stream:
            with anyio.move_on_after(10):
                target = await _target(stream)
                await stream.send(PAGE)
                found = {name: values[0] for name, values in parse_qs(target.query).items()}
                if target.path == "/callback" and "code" in found:
                    return AuthorizationCodeResult(
                        code=found["code"], state=found.get("state"), iss=found.get("iss")
                    )
                if target.path == "/callback" and "error" in found:
                    raise NeedsLogin(f"the login was refused: {found['error'][:100]}")


async def _target(stream: SocketStream) -> Any:
    data = b""
    while b"\r\n" not in data and len(data) < LONGEST_REQUEST:
        data += await stream.receive()
    words = data.split(b"\r\n")[0].decode("latin-1").split(" ")
    return urlsplit(words[1] if len(words) > 1 else "/")


class _Kept:
    """The SDK's token storage over what is kept of logins."""

    def __init__(self, url: str, logins: Logins, *, anew: bool) -> None:
        self._url = url
        self._logins = logins
        self._data: dict[str, Any] = {} if anew else dict(logins.load(url))

    async def get_tokens(self) -> OAuthToken | None:
        found = self._data.get("tokens")
        return OAuthToken.model_validate(found) if found else None

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self._set("tokens", tokens.model_dump(mode="json", exclude_none=True))

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        found = self._data.get("client")
        return OAuthClientInformationFull.model_validate(found) if found else None

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self._set("client", client_info.model_dump(mode="json", exclude_none=True))

    def _set(self, name: str, value: Any) -> None:
        self._data[name] = value
        if "tokens" in self._data:  # a registration alone is no login
            self._logins.save(self._url, self._data)
