"""The HTTP client: one connection pool, the usual environment variables, errors mapped once."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from aish.core.errors import Garbled, Rejected, Timeout, Unreachable

if TYPE_CHECKING:
    import urllib3
    from urllib3.response import BaseHTTPResponse

BLOCK = 64 * 1024
LOOPBACK = ("127.0.0.1", "localhost", "::1")


class HttpClient:
    """A lazily built urllib3 pool; nothing heavy is imported before the first request."""

    def __init__(self) -> None:
        self._pools: dict[str, urllib3.PoolManager] = {}

    @contextmanager
    def open(
        self,
        method: str,
        url: str,
        *,
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        connect_timeout: float,
        idle_timeout: float,
    ) -> Iterator[BaseHTTPResponse]:
        """A response whose body is read by the caller; leaving early drops the connection.

        Raises: Unreachable, Timeout, Garbled, Rejected (an address that is none).
        """
        import urllib3

        response: BaseHTTPResponse | None = None
        finished = False
        try:
            response = self._pool_for(url).request(
                method,
                url,
                body=body,
                headers={"User-Agent": "aish", "Accept-Encoding": "identity", **(headers or {})},
                timeout=urllib3.Timeout(connect=connect_timeout, read=idle_timeout),
                preload_content=False,
                retries=False,
                redirect=False,
            )
            yield response
            finished = True
        except urllib3.exceptions.HTTPError as error:
            raise _mapped(error, url, connect_timeout, idle_timeout) from error
        finally:
            if response is not None:
                if finished:
                    response.release_conn()
                else:
                    response.close()

    def fetch(
        self,
        method: str,
        url: str,
        *,
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        timeout: float = 2.0,
    ) -> tuple[int, bytes]:
        """A whole small answer: its status and body."""
        with self.open(
            method,
            url,
            body=body,
            headers=headers,
            connect_timeout=timeout,
            idle_timeout=timeout,
        ) as response:
            return response.status, response.read(BLOCK * 64)

    def _pool_for(self, url: str) -> urllib3.PoolManager:
        proxy = _proxy_for(url)
        if proxy not in self._pools:
            import urllib3

            options: dict[str, Any] = {"maxsize": 2}
            ca = os.environ.get("REQUESTS_CA_BUNDLE") or os.environ.get("CURL_CA_BUNDLE")
            if ca:
                options["ca_certs"] = ca
            self._pools[proxy] = (
                urllib3.ProxyManager(proxy, **options) if proxy else urllib3.PoolManager(**options)
            )
        return self._pools[proxy]


def pieces(response: BaseHTTPResponse) -> Iterator[bytes]:
    """The body as it arrives, whatever the framing."""
    while piece := response.read1(BLOCK, decode_content=True):
        yield piece


def _proxy_for(url: str) -> str:
    """The proxy the environment names for this address, or ""."""
    parts = urlsplit(url)
    if parts.hostname in LOOPBACK:
        return ""
    if not any(name.lower().endswith("_proxy") for name in os.environ):
        return ""
    from urllib.request import getproxies, proxy_bypass

    proxies = getproxies()
    if parts.hostname and proxy_bypass(parts.hostname):
        return ""
    return proxies.get(parts.scheme) or proxies.get("all") or ""


def _mapped(
    error: urllib3.exceptions.HTTPError, url: str, connect_timeout: float, idle_timeout: float
) -> Exception:
    """The aish error for what urllib3 raised."""
    from urllib3 import exceptions as u3

    parts = urlsplit(url)
    where = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
    if isinstance(error, u3.ConnectTimeoutError):
        return Unreachable(
            f"{where} does not answer (waited {connect_timeout:g} s)",
            "is the server running? `aish doctor` checks every endpoint",
        )
    if isinstance(error, u3.ReadTimeoutError):
        return Timeout(
            f"{where} has been silent for {idle_timeout:g} s",
            "ask again, or raise timeout_ms of this model in the config",
        )
    if isinstance(error, u3.SSLError):
        return Unreachable(
            f"{where}: the TLS connection failed: {_short(error)}",
            "for a private certificate set SSL_CERT_FILE or REQUESTS_CA_BUNDLE",
        )
    if isinstance(error, u3.NewConnectionError | u3.ProxyError):
        return Unreachable(
            f"cannot connect to {where}: {_short(error)}",
            "is the server running? `aish doctor` checks every endpoint",
        )
    if isinstance(error, u3.LocationValueError | u3.URLSchemeUnknown):
        return Rejected(f"{url!r} is not an http address", "set the model's endpoint in the config")
    return Garbled(
        f"the connection to {where} broke: {_short(error)}", "the question can be asked again"
    )


def _short(error: BaseException) -> str:
    """The innermost reason, without the object addresses urllib3 prints."""
    while error.__cause__ is not None or error.__context__ is not None:
        error = error.__cause__ or error.__context__  # type: ignore[assignment]
    if isinstance(error, OSError) and error.strerror:
        return error.strerror.lower()
    return str(error).splitlines()[0][:120] if str(error) else type(error).__name__
