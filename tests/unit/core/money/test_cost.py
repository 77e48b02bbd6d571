"""Usage in one shape, prices, charges."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aish.core.messages import Usage
from aish.core.money.cost import (
    UNBILLED,
    Price,
    Tariff,
    charge,
    dollar_text,
    micro_dollars,
    uncached_tokens,
    upper_bound,
    usage_from,
)
from aish.core.money.prices import PRICES, listed_price, tariff_for
from support.relaxed import relaxed

PROVIDERS = [
    (
        "openai",
        {
            "prompt_tokens": 1000,
            "completion_tokens": 200,
            "total_tokens": 1200,
            "prompt_tokens_details": {"cached_tokens": 400, "audio_tokens": 0},
            "completion_tokens_details": {"reasoning_tokens": 150},
        },
        Usage(1000, 200, 400, None, None, 150),
    ),
    (
        "openai responses",
        {
            "input_tokens": 1000,
            "output_tokens": 200,
            "input_tokens_details": {"cached_tokens": 400},
            "output_tokens_details": {"reasoning_tokens": 0},
        },
        Usage(1000, 200, 400, None, None, 0),
    ),
    (
        "anthropic counts caches beside the prompt",
        {
            "input_tokens": 100,
            "output_tokens": 20,
            "cache_read_input_tokens": 800,
            "cache_creation_input_tokens": 50,
        },
        Usage(950, 20, 800, None, 50),
    ),
    (
        "openrouter reports the cost",
        {
            "prompt_tokens": 10,
            "completion_tokens": 5,
            "cost": 0.000123,
            "prompt_tokens_details": {"cached_tokens": 3, "cache_write_tokens": 2},
        },
        Usage(10, 5, 3, 0.000123, 2),
    ),
    (
        "deepseek",
        {
            "prompt_tokens": 10,
            "completion_tokens": 5,
            "prompt_cache_hit_tokens": 8,
            "prompt_cache_miss_tokens": 2,
        },
        Usage(10, 5, 8),
    ),
    (
        "xai and gemini leave reasoning out of the completion",
        {
            "prompt_tokens": 10,
            "completion_tokens": 5,
            "total_tokens": 115,
            "completion_tokens_details": {"reasoning_tokens": 100},
        },
        Usage(10, 105, None, None, None, 100),
    ),
    (
        "more reasoning than completion, and no total",
        {
            "prompt_tokens": 10,
            "completion_tokens": 5,
            "completion_tokens_details": {"reasoning_tokens": 100},
        },
        Usage(10, 105, None, None, None, 100),
    ),
    ("llama.cpp", {"prompt_tokens": 7, "completion_tokens": 1, "total_tokens": 8}, Usage(7, 1)),
    ("floats that are whole", {"prompt_tokens": 7.0, "completion_tokens": 1}, Usage(7, 1)),
]


@pytest.mark.parametrize(("name", "raw", "usage"), PROVIDERS)
def test_every_providers_usage_has_one_shape(name: str, raw: object, usage: Usage) -> None:
    found = usage_from(raw)
    assert found is not None
    assert replace(found, total_tokens=None) == usage, name


@pytest.mark.parametrize(
    "raw", [None, {}, [], "x", {"prompt_tokens": -1}, {"prompt_tokens": True}, {"cost": "x"}]
)
def test_usage_that_says_nothing_is_none(raw: object) -> None:
    assert usage_from(raw) is None


@relaxed
@given(
    st.dictionaries(
        st.sampled_from(
            [
                "prompt_tokens",
                "input_tokens",
                "completion_tokens",
                "total_tokens",
                "cost",
                "cache_read_input_tokens",
                "prompt_tokens_details",
                "completion_tokens_details",
            ]
        ),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
            lambda inner: st.dictionaries(st.text(), inner),
            max_leaves=3,
        ),
    )
)
def test_no_usage_however_odd_breaks_the_count(raw: dict[str, object]) -> None:
    usage = usage_from(raw) or Usage()
    micro = charge(usage, Tariff(True, Price.per_million(1, 2)))
    assert micro is None or micro >= 0


def test_each_kind_of_token_has_its_price() -> None:
    price = Price.per_million(3.00, 15.00, 0.30, 3.75)
    usage = Usage(1_000_000, 100_000, 600_000, None, 100_000)
    assert uncached_tokens(usage) == 300_000
    dollars = 0.3 * 3 + 0.6 * 0.3 + 0.1 * 3.75 + 0.1 * 15
    assert charge(usage, Tariff(True, price)) == micro_dollars(dollars)


def test_the_providers_own_word_counts_first() -> None:
    tariff = Tariff(True, Price.per_million(100, 100))
    assert charge(Usage(1000, 1000, cost=0.002), tariff) == 2000
    assert charge(Usage(1000, 1000, cost=0.0), tariff) == 0


def test_unbilled_is_not_zero() -> None:
    usage = Usage(1000, 1000)
    assert charge(usage, UNBILLED) is None
    assert charge(usage, Tariff(True, Price.per_million(0, 0))) == 0
    assert dollar_text(None) == "unbilled"
    assert dollar_text(0) == "$0.00"


def test_an_unknown_price_is_none_and_has_no_bound() -> None:
    assert charge(Usage(10, 10), Tariff(True)) is None
    assert upper_bound(10, 10, Tariff(True)) is None
    assert upper_bound(10, 10, UNBILLED) == 0


def test_amounts_are_rounded_up_but_not_by_binary_fractions() -> None:
    assert micro_dollars(0.1 + 0.2) == 300_000
    assert charge(Usage(1, 0), Tariff(True, Price.per_million(0.05, 0.4))) == 1


@relaxed
@given(
    prompt=st.integers(0, 10**7),
    cached=st.integers(0, 10**7),
    written=st.integers(0, 10**7),
    completion=st.integers(0, 10**6),
    dollars=st.lists(st.floats(0, 100), min_size=4, max_size=4),
)
def test_no_request_within_its_limits_costs_more_than_its_bound(
    prompt: int, cached: int, written: int, completion: int, dollars: list[float]
) -> None:
    tariff = Tariff(True, Price.per_million(*dollars))
    cached = min(cached, prompt)
    usage = Usage(prompt, completion, cached, None, min(written, prompt - cached))
    bound, micro = upper_bound(prompt, completion, tariff), charge(usage, tariff)
    assert bound is not None
    assert micro is not None
    assert micro <= bound


def test_dated_snapshots_cost_what_the_model_costs() -> None:
    assert listed_price("api.openai.com", "gpt-4o-mini-2024-07-18") == Price.per_million(
        0.15, 0.60, 0.075
    )
    assert listed_price("api.openai.com", "gpt-4o-2024-05-13") == Price.per_million(5, 15)
    assert listed_price("api.anthropic.com", "claude-sonnet-4-5-20250929") is not None
    assert listed_price("api.openai.com", "gpt-99") is None
    assert listed_price("proxy.example", "gpt-4o") is None


def test_no_listed_price_is_implausible() -> None:
    for models in PRICES.values():
        for price in models.values():
            assert 0 < price.cache_read <= price.prompt <= price.cache_write
            assert price.prompt < price.output


def test_how_a_preset_is_billed() -> None:
    assert tariff_for("127.0.0.1", "m", loopback=True) == Tariff(False)
    assert tariff_for("h", "m", loopback=False) == Tariff(True, None)
    assert tariff_for("h", "m", loopback=False, price_in=0.0, price_out=0.0) == Tariff(
        True, Price.per_million(0, 0)
    )
    assert tariff_for("127.0.0.1", "m", loopback=True, price_in=1.0, price_out=2.0).billed
    listed = tariff_for("api.openai.com", "gpt-4o", loopback=False)
    assert listed.price == Price.per_million(2.5, 10, 1.25)
    offered = Price.per_million(1, 1)
    assert tariff_for("openrouter.ai", "x", loopback=False, offered=offered).price == offered


@pytest.mark.parametrize("half", [{"price_in": 1.0}, {"price_out": 0.0}])
def test_half_a_price_is_unknown_and_not_free(half: dict[str, Any]) -> None:
    assert tariff_for("h", "m", loopback=False, **half) == Tariff(True, None)
    assert tariff_for("127.0.0.1", "m", loopback=True, **half) == Tariff(True, None)
    assert tariff_for("api.openai.com", "gpt-4o", loopback=False, **half).price is None


def test_a_loopback_server_that_reported_a_cost_may_cost_as_much_again() -> None:
    tariff = tariff_for("127.0.0.1", "m", loopback=True, seen=700)
    assert tariff.billed
    assert upper_bound(10, 10, tariff) == 700


@pytest.mark.parametrize(
    ("raw", "prompt", "completion"),
    [
        ({"total_tokens": 30, "prompt_tokens": 10}, 10, 20),
        ({"total_tokens": 30, "completion_tokens": 12}, 18, 12),
        ({"total_tokens": 30, "prompt_tokens": 10, "completion_tokens": 5}, 10, 20),
        ({"total_tokens": 3, "prompt_tokens": 10, "completion_tokens": 5}, 10, 5),
        ({"total_tokens": 30}, None, None),
        ({"total_tokens": 30, "prompt_tokens": -5, "completion_tokens": float("nan")}, None, None),
    ],
)
def test_what_the_parts_leave_out_is_worked_out_of_the_total(
    raw: dict[str, float], prompt: int | None, completion: int | None
) -> None:
    found = usage_from(raw)
    assert found is not None
    assert (found.prompt_tokens, found.completion_tokens) == (prompt, completion)


def test_with_a_key_of_ones_own_the_provider_behind_is_paid_too() -> None:
    raw = {"cost": 0.01, "is_byok": True, "cost_details": {"upstream_inference_cost": 0.2}}
    found = usage_from(raw)
    assert found is not None and found.cost == pytest.approx(0.21)


@pytest.mark.parametrize(
    "raw",
    [
        {"cost": 0.25},
        {"cost": "0.25"},
        {"cost_usd": "2.5e-1", "cost": "NaN", "total_cost": "-1", "estimated_cost": "0x1"},
        {"cost": {"input_tokens_cost": 0.05, "output_tokens_cost": 0.2, "total_cost": 0.25}},
        {"total_cost": 0.25},
        {"cost_usd": 0.25, "cost": 0},
        {"estimated_cost": 0.25},
        {"response_cost": 0.25},
        {"cost_in_usd_ticks": 2_500_000_000},
        {"cost": None, "cost_details": {"upstream_inference_cost": 0.25}},
    ],
)
def test_a_cost_is_found_under_every_name_that_servers_give_it(raw: dict[str, object]) -> None:
    found = usage_from(raw)
    assert found is not None and found.cost == pytest.approx(0.25)


def test_a_price_is_no_bound_for_a_server_that_reported_more() -> None:
    free = tariff_for("h", "m", loopback=False, price_in=0, price_out=0, seen=500)
    assert upper_bound(1, 1, free) == 500
    priced = tariff_for("h", "m", loopback=True, price_in=1000, price_out=1000, seen=500)
    assert upper_bound(1, 1, priced) == 1250 + 1000
