"""Prices of the best-known hosted models, as their providers published them.

Only what is certain is here. Any other model gets its price from `price_in` and `price_out` of
its preset, or from the provider, who may report the cost itself.
"""

from __future__ import annotations

import re

from aish.core.money.cost import Price, Tariff

_p = Price.per_million
# Dollars per million tokens: prompt, output, read from the cache, written to the cache.
# As they were in November 2025.
PRICES: dict[str, dict[str, Price]] = {
    "api.openai.com": {
        "gpt-5": _p(1.25, 10.00, 0.125),
        "gpt-5-mini": _p(0.25, 2.00, 0.025),
        "gpt-5-nano": _p(0.05, 0.40, 0.005),
        "gpt-4.1": _p(2.00, 8.00, 0.50),
        "gpt-4.1-mini": _p(0.40, 1.60, 0.10),
        "gpt-4.1-nano": _p(0.10, 0.40, 0.025),
        "gpt-4o": _p(2.50, 10.00, 1.25),
        "gpt-4o-2024-05-13": _p(5.00, 15.00),
        "gpt-4o-mini": _p(0.15, 0.60, 0.075),
        "o1": _p(15.00, 60.00, 7.50),
        "o3": _p(2.00, 8.00, 0.50),
        "o3-mini": _p(1.10, 4.40, 0.55),
        "o4-mini": _p(1.10, 4.40, 0.275),
    },
    "api.anthropic.com": {
        "claude-opus-4-5": _p(5.00, 25.00, 0.50, 6.25),
        "claude-opus-4-1": _p(15.00, 75.00, 1.50, 18.75),
        "claude-opus-4": _p(15.00, 75.00, 1.50, 18.75),
        "claude-sonnet-4-5": _p(3.00, 15.00, 0.30, 3.75),
        "claude-sonnet-4": _p(3.00, 15.00, 0.30, 3.75),
        "claude-3-7-sonnet": _p(3.00, 15.00, 0.30, 3.75),
        "claude-haiku-4-5": _p(1.00, 5.00, 0.10, 1.25),
        "claude-3-5-haiku": _p(0.80, 4.00, 0.08, 1.00),
    },
}
_SNAPSHOT = re.compile(r"-(?:\d{4}-\d{2}-\d{2}|\d{8}|latest|0)$")


def listed_price(host: str, model: str) -> Price | None:
    """The published price of a model at its own provider; dated snapshots cost what it costs."""
    models = PRICES.get(host.lower(), {})
    return models.get(model) or models.get(_SNAPSHOT.sub("", model))


def tariff_for(
    host: str,
    model: str,
    *,
    loopback: bool,
    price_in: float | None = None,
    price_out: float | None = None,
    offered: Price | None = None,
    seen: int = 0,
    as_listed: bool = True,
) -> Tariff:
    """How a preset is billed: its configured price, the server's offer, the list, or unknown.

    A server on this machine bills nobody unless the configuration gives it a price, or it reported
    a cost (`seen`), which counts whatever the configuration says. Half a price is no price.
    `as_listed`: nothing in its requests has a price of its own.
    """
    if price_in is not None and price_out is not None:
        return Tariff(True, Price.per_million(price_in, price_out), seen)
    half = price_in is not None or price_out is not None
    if loopback and not half:
        return Tariff(seen > 0, None, seen)
    listed = listed_price(host, model) if as_listed else None
    known = None if half else offered or listed
    return Tariff(True, known, seen)
