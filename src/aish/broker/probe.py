"""Asking a server what it is: reachable, which models, how large a window, who counts tokens."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from aish.broker.chat import api_url, auth_headers
from aish.broker.http import HttpClient
from aish.broker.refusal import refusal
from aish.broker.servers import HINTS, KNOWN_HOSTS, SERVERS, Facts, Server, listed_models, offer
from aish.core.errors import BrokerError
from aish.core.messages import ModelSpec
from aish.core.money.cost import Price

PROBE_TIMEOUT = 2.0


@dataclass(frozen=True, slots=True)
class Probe:
    """What one endpoint answered; `error` is set when it did not."""

    reachable: bool
    window: int = 0  # 0 = it did not say
    counting: str = "estimate"
    latency_ms: float = 0.0
    models: tuple[str, ...] = ()
    error: BrokerError | None = None
    server: str = ""  # "llama.cpp", "vLLM", …; "" when it did not say
    price: Price | None = None  # only where the server lists prices


def probe(http: HttpClient, spec: ModelSpec, *, timeout: float = PROBE_TIMEOUT) -> Probe:
    """Ask the endpoint about itself; never raises, never sends a prompt."""
    headers = auth_headers(spec.api_key)
    started = time.monotonic()
    try:
        status, body = http.fetch(
            "GET", api_url(spec.endpoint, "models"), headers=headers, timeout=timeout
        )
    except BrokerError as error:
        return Probe(False, error=error)
    latency = (time.monotonic() - started) * 1000
    if status != 200:
        return Probe(False, latency_ms=latency, error=refusal(status, body, spec))
    listed = listed_models(body)
    facts = _facts(Server(http, spec, headers, timeout), listed)
    names = tuple(str(entry["id"]) for entry in listed if entry.get("id"))
    return Probe(
        True, facts.window, facts.counting, latency, names, None, facts.server, facts.price
    )


def _facts(server: Server, listed: list[dict[str, object]]) -> Facts:
    """What the list of models says, and what the server's own addresses add to it."""
    spec = server.spec
    facts = offer(listed, spec.model)
    host = urlsplit(spec.endpoint).hostname or ""
    if known := KNOWN_HOSTS.get(host):
        return replace(facts, server=known.name, window=facts.window or known.window(spec.model))
    owners = {str(entry.get("owned_by", "")).lower() for entry in listed}
    hinted = [SERVERS[HINTS[owner]] for owner in owners if owner in HINTS]
    for look in hinted or SERVERS.values():
        if found := look(server, facts):
            return found
    return facts


class Probes:
    """Remembers what each endpoint said of a model, so that it is asked once."""

    def __init__(self, http: HttpClient) -> None:
        self._http = http
        self._known: dict[tuple[str, str], Probe] = {}

    def known(self, spec: ModelSpec) -> Probe | None:
        """What was said earlier, if anything; asks nobody."""
        return self._known.get((spec.endpoint, spec.model))

    def of(self, spec: ModelSpec, *, afresh: bool = False) -> Probe:
        """The probe of a model; one that failed is not remembered."""
        key = spec.endpoint, spec.model
        if afresh or key not in self._known:
            found = probe(self._http, spec)
            if found.error is not None:
                return found
            self._known[key] = found
        return self._known[key]
