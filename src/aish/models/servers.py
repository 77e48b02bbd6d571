"""The way to the servers: hidden, paid attempt by attempt, repeated, restarted."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from functools import cached_property
from typing import TYPE_CHECKING

from aish.config.schema import EMBEDDED

if TYPE_CHECKING:
    from aish.broker.chat import ChatClient
    from aish.broker.http_client import HttpClient
    from aish.broker.metered import Prices
    from aish.broker.redacting import Source
    from aish.core.messages import Delta, Request
    from aish.core.user import User
    from aish.models.embedded import Embedded
    from aish.models.secrecy import Secrecy
    from aish.models.server_cache import KnownServers
    from aish.models.wallet import Spending


def way_to_servers(
    servers: Servers,
    spending: Spending,
    secrecy: Secrecy,
    known: KnownServers,
    *,
    prices: Prices,
    user: User,
) -> Source:
    """From the inside out: one request, its price, its repetitions, its secrets."""
    from aish.broker.persistent import Persistent
    from aish.broker.recalling import Recalling
    from aish.broker.retry import ToldPause

    paid = Recalling(spending.metered(servers, prices))
    return secrecy.redacted(Persistent(paid, quirks=known, pause=ToldPause(user)))


class Connection:
    """The one HTTP client of a process; what it needs is loaded with the first request."""

    def __init__(self, http: HttpClient | None = None) -> None:
        self._given = http

    @cached_property
    def http(self) -> HttpClient:
        if self._given is not None:
            return self._given
        from aish.broker.http_client import HttpClient

        return HttpClient()


class Servers:
    """The servers themselves; the embedded one is kept alive while it answers."""

    def __init__(self, http: HttpClient, embedded: Embedded) -> None:
        self._http = http
        self._embedded = embedded

    def stream(self, request: Request) -> Generator[Delta, None, None]:
        """Raises: BrokerError."""
        if request.spec.name == EMBEDDED:
            return self._kept_alive(request)
        return self._client.stream(request)

    def _kept_alive(self, request: Request) -> Generator[Delta, None, None]:
        with self._embedded.in_use():
            yield from self._from_embedded(request)

    def _from_embedded(self, request: Request) -> Generator[Delta, None, None]:
        """A server that died before it said anything is started again, once.

        Raises: BrokerError, LocalModelError.
        """
        from dataclasses import replace

        from aish.broker.http_client import Dropped
        from aish.broker.stream import says_something
        from aish.core.errors import Unreachable

        begun = False
        try:
            with closing(self._client.stream(request)) as deltas:
                for delta in deltas:
                    begun = begun or says_something(delta)
                    yield delta
            return
        except (Dropped, Unreachable):
            if begun:
                raise
        yield from self._client.stream(replace(request, spec=self._embedded.spec()))

    @cached_property
    def _client(self) -> ChatClient:
        from aish.broker.chat import ChatClient

        return ChatClient(self._http)
