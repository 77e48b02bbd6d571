"""Asking a server what it is: reachable, which models, how large a window, who counts tokens.

What it says is advice. A server that does not say is asked its question all the same.
"""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import replace

from aish.broker.address import WITHOUT_V1, address_of, headers_for
from aish.broker.count import TEXT_ONLY, ServerCounter, posting
from aish.broker.http_client import HttpClient
from aish.broker.refusal import quoted_body, refusal
from aish.broker.servers import HINTS, KNOWN_HOSTS, SERVERS, Facts, Server, listed_models, offer
from aish.core.errors import BrokerError, Rejected, Timeout
from aish.core.messages import ModelSpec
from aish.core.money.cost import Price
from aish.core.values import dataclass

PROBE_TIMEOUT = 2.0  # for all that is asked together
EXACT = "exact, by the server"
OF_TEXT = "by the server, the template estimated"
ESTIMATE = "estimate"
OK, FIRST_REFUSAL, NO_CREDIT = 200, 400, 402
FORBIDDEN = (401, 403)
NO_SUCH_PATH = (404, 405)
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
    cut_short: bool = False  # it did not come to say all that it may have to say

    @property
    def may_answer(self) -> bool:
        """Whether a question may still be answered although the list was not."""
        error = self.error
        if isinstance(error, Rejected):
            refused = error.status >= FIRST_REFUSAL and error.status != NO_CREDIT
            return refused or error.status == OK
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
        status, body = _list_of_models(http, spec, started + timeout)
        found = listed_models(body) if status == OK else None
        listed = found or []
        error = _no_list(status, body, spec) if found is None else None
    except BrokerError as failed:
        error, reachable = failed, False
    latency = (time.monotonic() - started) * 1000
    server = Server(http, spec, started + timeout)
    facts = _facts(server, listed) if reachable else Facts()
    no_list = not listed and not _never_lists(error)
    names = tuple(str(entry["id"]) for entry in listed if entry.get("id"))
    counting = _counting(http, spec) if count and reachable else ""
    return Probe(
        reachable=reachable,
        window=facts.window,
        counting=counting,
        latency_ms=latency,
        models=names,
        error=error,
        server=facts.server,
        price=facts.price,
        cut_short=no_list or bool(server.unanswered and not facts.server),
    )


def _list_of_models(http: HttpClient, spec: ModelSpec, until: float) -> tuple[int, bytes]:
    """What the server says to that; a /v1 that nobody gave may only be ours.

    Raises: BrokerError.
    """
    address = address_of(spec)
    found = http.fetch(
        "GET",
        address.api("models"),
        headers=headers_for(spec),
        timeout=until - time.monotonic(),
    )
    left = until - time.monotonic()
    if found[0] not in NO_SUCH_PATH or not address.guessed or left <= 0:
        return found
    with suppress(BrokerError):
        plain = address.api("models", frozenset({WITHOUT_V1}))
        other = http.fetch("GET", plain, headers=headers_for(spec), timeout=left)
        if other[0] == OK and listed_models(other[1]):
            return other
    return found


def _no_list(status: int, body: bytes, spec: ModelSpec) -> BrokerError:
    """Why there is no list. That there is none says nothing about questions."""
    if status not in (OK, *NO_SUCH_PATH):
        return refusal(status, body, spec)
    return Rejected(
        f"{spec.name}: there is no list of models ({status}){quoted_body(body, spec)}",
        "questions may work; set `window` of this preset",
        status=status,
    )


def _never_lists(error: BrokerError | None) -> bool:
    """Whether a server says no to that, rather than that it is busy or something in between."""
    return isinstance(error, Rejected) and error.status in (*FORBIDDEN, *NO_SUCH_PATH)


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
