"""What a request used and what it cost, in whole micro-dollars.

None is not zero: None means that nobody bills for it (a local model), or that nobody knows.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import ceil
from typing import Any

from aish.core.messages import Usage
from aish.core.values import dataclass

MICRO = 1_000_000  # micro-dollars in a dollar
NANO_PER_MICRO = 1000
# What providers and proxies call the dollars of a request, beside its tokens or inside of "cost".
_COSTS = ("cost", "total_cost", "cost_usd", "estimated_cost", "response_cost")
TICKS = 1e10  # of which xAI counts so many in a dollar
_AMOUNT = re.compile(r"[0-9]{1,12}(?:\.[0-9]{1,30})?(?:[eE]-?[0-9]{1,2})?")


@dataclass(frozen=True, slots=True)
class Price:
    """Nano-dollars per token, which is thousandths of a dollar per million tokens."""

    prompt: int
    output: int
    cache_read: int
    cache_write: int
    request: int = 0  # nano-dollars that a request costs whatever its length

    @classmethod
    def per_million(
        cls,
        prompt: float,
        output: float,
        cache_read: float | None = None,
        cache_write: float | None = None,
        request: float = 0.0,
    ) -> Price:
        """A price as providers quote it: dollars per million tokens.

        Without a price of its own a cache costs what it can cost at most: reading as much as
        no cache, writing a quarter more (only providers that bill for it report it). `request` is
        in dollars.
        """
        read = prompt if cache_read is None else cache_read
        write = prompt * 1.25 if cache_write is None else cache_write
        fee = _round_up(request * MICRO * NANO_PER_MICRO)
        return cls(_nano(prompt), _nano(output), _nano(read), _nano(write), fee)


@dataclass(frozen=True, slots=True)
class Tariff:
    """How a model is billed: not at all, at a price, or at a price nobody here knows.

    `seen`: micro-dollars that the server reported for its dearest request beyond all prices known
    here; the next one may cost as much. `proven`: it has answered without a cost lately.
    """

    billed: bool
    price: Price | None = None
    seen: int = 0
    proven: bool = False


UNBILLED = Tariff(billed=False, proven=True)


def _nano(dollars_per_million: float) -> int:
    return _round_up(dollars_per_million * 1000)


def _round_up(value: float) -> int:
    """The next whole number; what binary fractions add at the far end is no amount."""
    return ceil(round(value, 6))


def usage_from(raw: Any) -> Usage | None:
    """The usage any provider reports, in one shape; None when it reports nothing usable.

    OpenAI counts cached tokens inside the prompt, Anthropic beside it; some providers count
    reasoning inside the completion, others only in the total.
    """
    if not isinstance(raw, Mapping):
        return None
    read = _first(
        _in(raw, "prompt_tokens_details", "cached_tokens"),
        _in(raw, "input_tokens_details", "cached_tokens"),
        raw.get("cache_read_input_tokens"),
        raw.get("prompt_cache_hit_tokens"),
    )
    write = _first(
        _in(raw, "prompt_tokens_details", "cache_write_tokens"),
        raw.get("cache_creation_input_tokens"),
    )
    prompt = _first(raw.get("prompt_tokens"), raw.get("input_tokens"))
    if prompt is not None and "prompt_tokens" not in raw and "input_tokens_details" not in raw:
        prompt += (_count(raw.get("cache_read_input_tokens")) or 0) + (
            _count(raw.get("cache_creation_input_tokens")) or 0
        )
    completion = _first(raw.get("completion_tokens"), raw.get("output_tokens"))
    reasoning = _first(
        _in(raw, "completion_tokens_details", "reasoning_tokens"),
        _in(raw, "output_tokens_details", "reasoning_tokens"),
        raw.get("reasoning_tokens"),
    )
    if completion is not None and reasoning is not None and reasoning > completion:
        completion += reasoning  # more than there was in all: it was counted beside the answer
    total = _count(raw.get("total_tokens"))
    prompt, completion = _from_total(prompt, completion, total, read)
    usage = Usage(prompt, completion, read, _cost(raw), write, reasoning, total)
    return None if usage == Usage() else usage


def _from_total(
    prompt: int | None, completion: int | None, total: int | None, read: int | None
) -> tuple[int | None, int | None]:
    """The parts, with what only the total shows: some count reasoning nowhere else."""
    if total is None or (prompt is None and completion is None):
        return prompt, completion
    if prompt is None or completion is None:
        rest = max(0, total - (prompt or 0) - (completion or 0))
        return (rest, completion) if prompt is None else (prompt, rest)
    more = total - prompt - completion
    if more <= 0:
        return prompt, completion
    if more == read:  # what came from a cache was counted beside the prompt
        return prompt + more, completion
    return prompt, completion + more


def _cost(raw: Mapping[str, Any]) -> float | None:
    """What was billed; with a key of one's own, the provider behind it bills too."""
    told = [_dollars(raw.get(name)) for name in _COSTS]
    told += [_dollars(_in(raw, "cost", name)) for name in _COSTS]
    told.append(_dollars(raw.get("cost_in_usd_ticks"), TICKS))
    cost = max((dollars for dollars in told if dollars is not None), default=None)
    behind = _dollars(_in(raw, "cost_details", "upstream_inference_cost"))
    if cost is None:
        return behind
    return cost + (behind or 0.0) if raw.get("is_byok") is True else cost


def _in(raw: Mapping[str, Any], outer: str, inner: str) -> Any:
    details = raw.get(outer)
    return details.get(inner) if isinstance(details, Mapping) else None


def _first(*values: Any) -> int | None:
    return next((value for value in map(_count, values) if value is not None), None)


def _count(value: Any) -> int | None:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    usable = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 53
    return value if usable else None


def _dollars(value: Any, unit: float = 1.0) -> float | None:
    if isinstance(value, str) and _AMOUNT.fullmatch(value):  # proxies write decimals as texts
        value = float(value)
    usable = isinstance(value, int | float) and not isinstance(value, bool)
    return value / unit if usable and 0 <= value < 1e6 * unit else None


def uncached_tokens(usage: Usage) -> int:
    """Prompt tokens at the full price."""
    cached = (usage.cached_tokens or 0) + (usage.cache_write_tokens or 0)
    return max(0, (usage.prompt_tokens or 0) - cached)


def charge(usage: Usage, tariff: Tariff) -> int | None:
    """What a request cost in micro-dollars, rounded up; the provider's own word counts first.

    None: unbilled, or billed at a price that is not known.
    """
    if usage.cost is not None and (tariff.billed or usage.cost > 0):
        return _round_up(usage.cost * MICRO)
    price = tariff.price
    known = usage.prompt_tokens is not None or usage.completion_tokens is not None
    if not tariff.billed or price is None or not known:
        return None
    nano = (
        price.request
        + uncached_tokens(usage) * price.prompt
        + (usage.cached_tokens or 0) * price.cache_read
        + (usage.cache_write_tokens or 0) * price.cache_write
        + (usage.completion_tokens or 0) * price.output
    )
    return -(-nano // NANO_PER_MICRO)


def least_charge(prompt_tokens: int, output_tokens: int, price: Price) -> int:
    """The least that so many tokens can cost, all of the prompt from a cache."""
    cheapest = min(price.prompt, price.cache_read)
    tokens = prompt_tokens * cheapest + output_tokens * price.output
    return (price.request + tokens) // NANO_PER_MICRO


def upper_bound(prompt_tokens: int, max_tokens: int, tariff: Tariff) -> int | None:
    """The most a request can cost, before it is made; None when its price is not known."""
    if tariff.price is None or not tariff.billed:
        return tariff.seen or (None if tariff.billed else 0)
    return max(tariff.seen, price_bound(prompt_tokens, max_tokens, tariff.price))


def is_free(tariff: Tariff) -> bool:
    """Whether a request costs nothing, as far as anybody knows."""
    return upper_bound(1, 1, tariff) == 0


def price_bound(prompt_tokens: int, max_tokens: int, price: Price) -> int:
    """The most that so many tokens can cost at a price."""
    dearest = max(price.prompt, price.cache_read, price.cache_write)
    nano = price.request + prompt_tokens * dearest + max_tokens * price.output
    return -(-nano // NANO_PER_MICRO)


def micro_dollars(dollars: float) -> int:
    """Dollars from the configuration as micro-dollars."""
    return _round_up(dollars * MICRO)


def dollar_text(micro: int | None) -> str:
    """An amount for the screen: cents matter little, thousandths of them do."""
    if micro is None:
        return "unbilled"
    dollars = micro / MICRO
    return f"${dollars:.2f}" if dollars >= 1 or micro == 0 else f"${dollars:.4f}"
