"""Where a server is, read from an endpoint as people paste it.

http://localhost:8080                               the API is below /v1
https://host/v1beta/openai/, https://host/api/v3    any version in the path: as given
https://host/v1/chat/completions?api-version=1      the end is taken off, the query stays
https://user:password@host/v1                       a login, sent as a header
"""

from __future__ import annotations

import re
from base64 import b64encode
from functools import lru_cache
from urllib.parse import parse_qsl, quote_plus, unquote, urlencode, urlsplit

from aish.core.errors import Rejected
from aish.core.messages import ModelSpec
from aish.core.secrets.glance import is_dummy, names_a_key
from aish.core.values import dataclass, field

WITHOUT_V1 = "/v1"  # what is left out when a server turned out to have no such path
_VERSION = re.compile(r"v\d+(?:\.\d+)?(?:[a-z]+\d*)?", re.IGNORECASE)
_PASTED = ("/chat/completions", "/completions", "/responses")
_BELOW_VERSION = re.compile(
    r"(/v\d[^/]*)/(?:chat|messages|embeddings|models(?:/[^/]+:\w+)?)$", re.IGNORECASE
)
_OLLAMA = ("/api/chat", "/api/generate", "/api/tags")  # its own API; ours is beside it
_SECRET_LENGTH = 12  # shorter values of headers and queries are names and versions
_AZURE = re.compile(r".+\.(?:openai|cognitiveservices|services\.ai)\.azure\.(?:com|us|cn)")
_API_OF = {  # where the API is on hosts that are pasted without its whole path
    "openrouter.ai": "/api/v1",
    "api.groq.com": "/openai/v1",
    "generativelanguage.googleapis.com": "/v1beta/openai",
    "api.fireworks.ai": "/inference/v1",
    "api.deepinfra.com": "/v1/openai",
    "dashscope.aliyuncs.com": "/compatible-mode/v1",
    "dashscope-intl.aliyuncs.com": "/compatible-mode/v1",
    "api.cohere.com": "/compatibility/v1",
    "api.cohere.ai": "/compatibility/v1",
    "open.bigmodel.cn": "/api/paas/v4",
}


class NotSent(Rejected):
    """The request cannot be made at all, so that no server has seen it."""

    worked = False


@dataclass(frozen=True, slots=True)
class Address:
    """One server: where its OpenAI API is, and where its own addresses are."""

    base: str  # what `chat/completions` follows
    root: str  # what `props`, `tokenize` and the like follow
    guessed: bool  # the /v1 in `base` is ours, not the user's
    host: str
    query: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    login: str = field(default="", repr=False)

    def api(self, path: str, without: frozenset[str] = frozenset()) -> str:
        base = self.base
        if self.guessed and WITHOUT_V1 in without:
            base = base.removesuffix("/v1")
        return self._with_query(f"{base}/{path}")

    def own(self, path: str) -> str:
        return self._with_query(f"{self.root}/{path}")

    def _with_query(self, url: str) -> str:
        return f"{url}?{urlencode(self.query)}" if self.query else url


def address_of(spec: ModelSpec) -> Address:
    """The address of a model's server, with the query of its preset.

    Raises: NotSent, for what is no http address.
    """
    found = read_address(spec.endpoint)
    if not spec.query:
        return found
    query = {**dict(found.query), **spec.query}
    return Address(
        found.base, found.root, found.guessed, found.host, tuple(query.items()), found.login
    )


@lru_cache(maxsize=64)
def read_address(endpoint: str) -> Address:
    """Raises: NotSent, for what is no http address."""
    try:
        parts = urlsplit(endpoint.strip())
        usable = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise NotSent("the endpoint is not an http address", "set the model's endpoint")
    server = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
    path, exact = _api_path(parts.path or "/", parts.hostname or "")
    segments = path.split("/")
    version = next((i for i, segment in enumerate(segments) if _VERSION.fullmatch(segment)), None)
    exact = exact or version is not None or "deployments" in segments
    root = path if version is None else "/".join(segments[:version])
    login = f"{unquote(parts.username or '')}:{unquote(parts.password or '')}"
    return Address(
        server + (path if exact else f"{path}/v1"),
        server + root,
        not exact,
        parts.hostname or "",
        tuple(parse_qsl(parts.query, keep_blank_values=True)),
        login if login != ":" else "",
    )


def _api_path(path: str, host: str) -> tuple[str, bool]:
    """The path without what was pasted too much, and whether that shows where the API is."""
    path, exact = _without_end(re.sub("/{2,}", "/", path).rstrip("/"), host)
    known = "/openai/v1" if _AZURE.fullmatch(host) and not path else _API_OF.get(host, "")
    parts = set(path.split("/")) - {""}
    version_alone = len(parts) == 1 and all(map(_VERSION.fullmatch, parts))
    if known and (version_alone or parts <= set(known.split("/"))):
        return known, True
    return path, exact


def _without_end(path: str, host: str) -> tuple[str, bool]:
    for ends, exact in ((_OLLAMA, False), (_PASTED, True)):
        for end in ends:
            if path.lower().endswith(end):
                return path[: -len(end)].rstrip("/"), exact
    if below := _BELOW_VERSION.search(path):
        return path[: below.end(1)], True
    # Azure has its API below an address of that name; others only their list.
    if path.endswith("/models"):
        return (path, True) if _AZURE.fullmatch(host) else (path.removesuffix("/models"), True)
    return path, False


def host_of(endpoint: str) -> str:
    """The host of an address; "" for what is none."""
    try:
        return urlsplit(endpoint.strip()).hostname or ""
    except ValueError:
        return ""


def shown_address(endpoint: str) -> str:
    """An endpoint for the screen: no login, and no query, which may hold a key."""
    try:
        parts = urlsplit(endpoint.strip())
        return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
    except ValueError:
        return "an address that cannot be read"


def headers_for(spec: ModelSpec) -> dict[str, str]:
    """Who asks: the preset's own headers, its key, or the login in its endpoint."""
    found = address_of(spec)
    headers: dict[str, str] = {}
    if spec.api_key and _AZURE.fullmatch(found.host):
        headers["api-key"] = spec.api_key
    elif spec.api_key:
        headers["Authorization"] = f"Bearer {spec.api_key}"
    elif found.login:
        headers["Authorization"] = f"Basic {b64encode(found.login.encode()).decode()}"
    own = {name.lower() for name in spec.headers}
    return {n: v for n, v in headers.items() if n.lower() not in own} | dict(spec.headers)


def signs_in(spec: ModelSpec) -> bool:
    """Whether a request says who asks: by a key, a login, or a header or query for one."""
    found = address_of(spec)
    names = (*spec.headers, *(name for name, _ in found.query))
    return bool(spec.api_key or found.login or any(map(names_a_key, names)))


def secrets_of(spec: ModelSpec) -> list[str]:
    """What no message may repeat: the key, the login, and what headers and query carry."""
    try:
        found = address_of(spec)
    except NotSent:
        return [] if is_dummy(spec.api_key) else [spec.api_key]
    carried = [*spec.headers.values(), *(value for _, value in found.query)]
    carried += [value.partition(" ")[2] for value in spec.headers.values()]
    user, _, password = found.login.partition(":")
    login = [found.login, password or user]  # a name that stands alone is a token
    values = [value for value in (spec.api_key, *login) if not is_dummy(value)]
    values += [value for value in carried if len(value) >= _SECRET_LENGTH]
    values += [quote_plus(value) for value in values]  # as they stand in an address,
    values.append(b64encode(found.login.encode()).decode() if found.login else "")  # and a header
    return sorted({value for value in values if value}, key=len, reverse=True)
