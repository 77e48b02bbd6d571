"""Asking a server what it is: reachable, which models, how large a window, who counts tokens.

What it says is advice. A server that does not say is asked its question all the same.
"""

from __future__ import annotations

import time
from dataclasses import replace

from aish.broker.address import address_of, headers_for
from aish.broker.count import TEXT_ONLY, ServerCounter, posting
from aish.broker.http_client import HttpClient
from aish.broker.refusal import refusal
from aish.broker.servers import HINTS, KNOWN_HOSTS, SERVERS, Facts, Server, listed_models, offer
from aish.core.errors import BrokerError, Rejected, Timeout
from aish.core.messages import ModelSpec
from aish.core.money.cost import Price
from aish.core.values import dataclass

PROBE_TIMEOUT = 2.0  # for all that is asked together
EXACT = "exact, by the server"
OF_TEXT = "by the server, the template estimated"
ESTIMATE = "estimate"
FIRST_REFUSAL, NO_CREDIT = 400, 402
_SAMPLE = ({"role": "user", "content": "hello"},)


@dataclass(frozen=True, slots=True)
class Probe:
    """What one endpoint answered; `error` is set when it did not."""

    reachable: bool
    window: int = 0  # 0 = it did not say
    counting: str = ""  # who counted the sample; "" when none was sent
    latency_ms: float = 0.0
    models: tuple[str, ...] = ()
    error: BrokerError | None = None
    server: str = ""  # "llama.cpp", "vLLM", …; "" when it did not say
    price: Price | None = None  # only where the server lists prices

    @property
    def may_answer(self) -> bool:
        """Whether a question may still be answered although the list was not."""
        error = self.error
        if isinstance(error, Rejected):
            return error.status >= FIRST_REFUSAL and error.status != NO_CREDIT
        return error is None or isinstance(error, Timeout)


def probe(
    http: HttpClient, spec: ModelSpec, *, timeout: float = PROBE_TIMEOUT, count: bool = False
) -> Probe:
    """Ask the endpoint about itself; never raises, never sends a prompt of the user's.

    `count` has it count a sample, so that nobody claims what was not seen.
    """
    started = time.monotonic()
    listed: list[dict[str, object]] = []
    error: BrokerError | None = None
    reachable = True
    try:
        status, body = http.fetch(
            "GET", address_of(spec).api("models"), headers=headers_for(spec), timeout=timeout
        )
        if status == 200:
            listed = listed_models(body)
        else:
            error = refusal(status, body, spec)
    except BrokerError as failed:
        error, reachable = failed, False
    latency = (time.monotonic() - started) * 1000
    facts = _facts(Server(http, spec, started + timeout), listed) if reachable else Facts()
    names = tuple(str(entry["id"]) for entry in listed if entry.get("id"))
    counting = _counting(http, spec) if count and reachable else ""
    return Probe(
        reachable, facts.window, counting, latency, names, error, facts.server, facts.price
    )


def _counting(http: HttpClient, spec: ModelSpec) -> str:
    """Who counts, as just seen."""
    found = ServerCounter(posting(http)).count(spec, _SAMPLE)
    if found is None:
        return ESTIMATE
    return OF_TEXT if found.method == TEXT_ONLY else EXACT


def _facts(server: Server, listed: list[dict[str, object]]) -> Facts:
    """What the list of models says, and what the server's own addresses add to it."""
    spec = server.spec
    facts = offer(listed, spec.model)
    if known := KNOWN_HOSTS.get(address_of(spec).host):
        return replace(facts, server=known.name, window=facts.window or known.window(spec.model))
    owners = {str(entry.get("owned_by", "")).lower() for entry in listed}
    hinted = [SERVERS[HINTS[owner]] for owner in owners if owner in HINTS]
    for look in hinted or SERVERS.values():
        if found := look(server, facts):
            return replace(found, price=found.price or facts.price)
    return facts
