"""The HTTP client: one connection pool, the usual environment variables, errors mapped once."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any
from urllib.parse import SplitResult, unquote, urlsplit

from aish.broker.address import NotSent, host_of
from aish.broker.error_text import innermost
from aish.broker.lookup import check_name
from aish.core.errors import BrokerError, Garbled, Timeout, Unreachable
from aish.core.loopback import is_loopback as is_loopback_host

if TYPE_CHECKING:
    import urllib3
    from urllib3.response import BaseHTTPResponse

BLOCK = 64 * 1024
SMALL_ANSWER = 64 * BLOCK
TO_SAY_SO = 0.1  # seconds a request that is over its limit has to say so itself
CA_VARIABLES = ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE")  # OpenSSL itself reads SSL_CERT_FILE
SHORTEST_KEY = 12
PACKINGS = ("br", "zstd", "compress", "x-compress")  # nobody asks for any
OFFLINE = "AISH_OFFLINE"  # nothing beyond this machine is contacted
_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
NO_TLS = ("wrong version number", "record layer failure", "http request")  # OpenSSL's words
PROXIES = "check the variables http_proxy, https_proxy, all_proxy and no_proxy"
DOCTOR = "is the server running? `aish doctor` checks every endpoint"


class Dropped(Garbled):
    """The connection broke; nothing says that the server minds being asked again."""


class HttpClient:
    """A lazily built urllib3 pool; nothing heavy is imported before the first request."""

    def __init__(
        self,
        environ: Mapping[str, str] = os.environ,
        look_up: Callable[[str, int, float], None] = check_name,
    ) -> None:
        self._environ = environ
        self._look_up = look_up
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

        Raises: Unreachable, Timeout, Garbled (Dropped), NotSent.
        """
        import urllib3

        where = urlsplit(url)
        _check_headers(headers or {})
        response: BaseHTTPResponse | None = None
        finished = False
        try:
            response = self._pool_for(where, connect_timeout).request(
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
            begun = response is not None
            sent = _secrets_in(where, headers or {})
            waited = connect_timeout, idle_timeout
            raise _mapped(error, where, waited, begun=begun, sent=sent) from error
        finally:
            if response is not None:
                if finished and _read_to_its_end(response):
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
        """A whole small answer, all of it within the limit: its status and body.

        Raises: BrokerError.
        """

        def ask() -> tuple[int, bytes]:
            opened = self.open(
                method,
                url,
                body=body,
                headers=headers,
                connect_timeout=timeout,
                idle_timeout=timeout,
            )
            with opened as response, ending_within(response, timeout + 1):  # then nobody waits
                return response.status, response.read(SMALL_ANSWER)

        return _within(timeout, ask, urlsplit(url))

    def _pool_for(self, where: SplitResult, connect_timeout: float) -> urllib3.PoolManager:
        if self._environ.get(OFFLINE) and not is_loopback_host(where.hostname or ""):
            raise Unreachable(  # a proxy on this machine leads away from it, too
                f"{where.hostname} is not asked: {OFFLINE} is set",
                "unset it, or use a model on this machine",
            )
        proxy = proxy_for(where, self._environ)
        host, port = _host_and_port(proxy) if proxy else (where.hostname, where.port)
        if host and not is_loopback_host(host):
            try:
                self._look_up(host, port or 443, connect_timeout)
            except Unreachable as error:
                raise _proxy_fails(_server(where), error.message) if proxy else error from None
        if proxy not in self._pools:
            self._pools[proxy] = _pool(proxy, self._environ)
        return self._pools[proxy]


def packing(response: BaseHTTPResponse) -> str:
    """How a body is packed that cannot be unpacked here; "" for all others."""
    named = response.headers.get("content-encoding", "").lower().split(",")
    known = response.CONTENT_DECODERS
    return next(
        (name for name in map(str.strip, named) if name in PACKINGS and name not in known), ""
    )


def pieces(response: BaseHTTPResponse) -> Iterator[bytes]:
    """The body as it arrives, whatever the framing."""
    while piece := response.read1(BLOCK, decode_content=True):
        yield piece


def _within(
    seconds: float, ask: Callable[[], tuple[int, bytes]], where: SplitResult
) -> tuple[int, bytes]:
    """An answer that comes in time: one that drips in is never silent, and may never end.

    Raises: Timeout; what asking raises.
    """
    answers: list[tuple[int, bytes]] = []
    raised = _Raised()
    done = threading.Event()

    def work() -> None:
        with raised:
            answers.append(ask())
        done.set()

    threading.Thread(target=work, daemon=True).start()
    if not done.wait(seconds + TO_SAY_SO):
        raise Timeout(
            f"{_server(where)} does not finish its answer in {round(seconds, 1):g} s", DOCTOR
        )
    if raised.error is not None:
        raise raised.error
    return answers[0]


class _Raised:
    """Keeps whatever a block raises, to be raised where it is waited for."""

    error: BaseException | None = None

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        self.error = error
        return True


@contextmanager
def ending_within(response: BaseHTTPResponse, seconds: float) -> Iterator[None]:
    """Cut the connection if its end does not come in time: what matters of it has arrived."""
    timer = threading.Timer(seconds, _cut, (response,))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _cut(response: BaseHTTPResponse) -> None:
    with suppress(ValueError, RuntimeError, OSError):  # it ended meanwhile
        response.shutdown()


def is_loopback(endpoint: str) -> bool:
    """Whether an endpoint is on this machine, so that what is sent to it does not leave."""
    return is_loopback_host(host_of(endpoint))


def proxy_for(where: SplitResult, environ: Mapping[str, str]) -> str:
    """The proxy the environment names for this address, or ""."""
    named = any(key.lower().endswith("_proxy") for key in environ)
    if not named or is_loopback_host(where.hostname or ""):
        return ""
    proxies = {
        key.lower().removesuffix("_proxy"): value
        for key, value in sorted(environ.items())  # the lower-case spelling comes last and wins
        if key.lower().endswith("_proxy") and value
    }
    if _exempt(where.hostname or "", proxies.get("no", "")):
        return ""
    proxy = proxies.get(where.scheme) or proxies.get("all") or ""
    return f"http://{proxy}" if proxy and "://" not in proxy else proxy


def _host_and_port(proxy: str) -> tuple[str | None, int | None]:
    """Raises: NotSent, for what is no address."""
    try:
        parts = urlsplit(proxy)
        return parts.hostname, parts.port
    except ValueError:
        raise NotSent("the proxy that the environment names is no address", PROXIES) from None


def _exempt(host: str, no_proxy: str) -> bool:
    """Whether `no_proxy` names the host or a domain above it."""
    names = [name.strip().lower().lstrip("*").lstrip(".") for name in no_proxy.split(",")]
    if "*" in (name.strip() for name in no_proxy.split(",")):
        return True
    return any(name and (host == name or host.endswith(f".{name}")) for name in names)


def _pool(proxy: str, environ: Mapping[str, str]) -> urllib3.PoolManager:
    import urllib3

    options: dict[str, Any] = {"maxsize": 2}
    ca = next((environ[name] for name in CA_VARIABLES if environ.get(name)), "")
    if ca:
        options["ca_cert_dir" if os.path.isdir(ca) else "ca_certs"] = ca  # noqa: PTH112
    if not proxy:
        return urllib3.PoolManager(**options)
    parts = urlsplit(proxy)
    if parts.username:
        login = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        options["proxy_headers"] = urllib3.make_headers(proxy_basic_auth=login)
    return urllib3.ProxyManager(proxy, **options)


def _check_headers(headers: Mapping[str, str]) -> None:
    """The client below would name the value in its complaint, and it may be a key."""
    for name, value in headers.items():
        if not _TOKEN.fullmatch(name):
            raise NotSent(f"{name!a} is no name of a header", "check the headers of this model")
        if not all(" " <= ch <= "~" for ch in value):
            what = "API key" if name == "Authorization" else f"header {name}"
            raise NotSent(
                f"the {what} has characters that no header can carry",
                "check the variable that api_key_env names for line ends and quotes",
            )


def _secrets_in(where: SplitResult, headers: Mapping[str, str]) -> list[str]:
    """What a request carries that may be a key: the values of its query and its headers."""
    query = [part.partition("=")[2] for part in where.query.split("&")]
    words = [word for value in headers.values() for word in value.split()]
    found = {*query, *map(unquote, query), *words}
    return sorted((value for value in found if len(value) >= SHORTEST_KEY), key=len, reverse=True)


def _read_to_its_end(response: BaseHTTPResponse) -> bool:
    """Whether the connection is clean for the next request."""
    connection = response.connection
    return connection is None or bool(getattr(response, "closed", False))


def _mapped(
    error: urllib3.exceptions.HTTPError,
    where: SplitResult,
    waited: tuple[float, float],
    *,
    begun: bool,
    sent: list[str],
) -> BrokerError:
    """The aish error for what urllib3 raised; `begun` when the answer had begun.

    `sent`: what no message may repeat; what does not speak HTTP may send back what it got.
    """
    from urllib3 import exceptions as u3

    server = _server(where)
    connect_timeout, idle_timeout = waited
    if not begun and _while_connecting(error):
        return _no_connection(error, server, connect_timeout)
    if isinstance(error, u3.ReadTimeoutError):
        return Timeout(
            f"{server} has been silent for {round(idle_timeout, 1):g} s",
            "ask again, or raise timeout_ms of this model in the config",
        )
    if isinstance(error, u3.DecodeError):
        return Garbled(f"{server} sent data that cannot be unpacked", "is a proxy in between?")
    if isinstance(error, u3.LocationValueError):
        return NotSent("the endpoint or its proxy is not an http address", "check both")
    return _dropped(error, server, sent, begun=begun)


def _server(where: SplitResult) -> str:
    return f"{where.scheme}://{where.netloc.rpartition('@')[2]}"


def _while_connecting(error: BaseException) -> bool:
    """Whether nothing was sent yet; later the server may have had the request.

    The kind of an error does not tell: what breaks behind a proxy, at whatever moment, is an error
    of the proxy to urllib3.
    """
    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, BrokerError):  # that is another request's
        frame = cause.__traceback__
        while frame is not None:
            if frame.tb_frame.f_code.co_name == "connect":
                return True
            frame = frame.tb_next
        cause = cause.__cause__ or cause.__context__
    return False


def _dropped(
    error: urllib3.exceptions.HTTPError, server: str, sent: list[str], *, begun: bool
) -> Dropped:
    if begun and _cut_short(error):
        return Dropped(
            f"{server} closed the connection in the middle of its answer",
            "the server may have died or been restarted; ask again",
        )
    if _hung_up(error):
        return Dropped(f"{server} closed the connection without an answer", "ask again")
    return Dropped(f"the connection to {server} broke: {innermost(error, sent)}", "ask again")


def _cut_short(error: BaseException) -> bool:
    """Whether the body ended before its announced end."""
    from urllib3 import exceptions as u3

    return "IncompleteRead" in str(error) or isinstance(
        error, u3.IncompleteRead | u3.InvalidChunkLength
    )


def _hung_up(error: BaseException) -> bool:
    return "RemoteDisconnected" in str(error) or "closed connection without" in str(error)


def _proxy_fails(server: str, why: str) -> Unreachable:
    return Unreachable(f"the proxy on the way to {server} fails: {why}", PROXIES)


def _no_connection(
    error: urllib3.exceptions.HTTPError, server: str, connect_timeout: float
) -> Unreachable:
    from urllib3 import exceptions as u3

    if isinstance(error, u3.ProxyError):
        return _proxy_fails(server, innermost(error))
    if isinstance(error, u3.SSLError):
        why = innermost(error)
        hint = "for a private certificate set SSL_CERT_FILE or REQUESTS_CA_BUNDLE"
        if any(words in why for words in NO_TLS):
            hint = "the server speaks plain HTTP there: does its endpoint begin with http://?"
        return Unreachable(f"{server}: the TLS connection failed: {why}", hint)
    refused = isinstance(error, u3.NewConnectionError)  # a time-out to urllib3, not to a user
    if isinstance(error, u3.TimeoutError) and not refused:
        waited = f"{round(connect_timeout, 1):g} s"
        return Unreachable(f"{server} does not answer (waited {waited})", DOCTOR)
    return Unreachable(f"cannot connect to {server}: {innermost(error)}", DOCTOR)
