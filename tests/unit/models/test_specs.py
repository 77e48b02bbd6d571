"""What a preset becomes once its window is known."""

from __future__ import annotations

import threading

import pytest

from aish.config.schema import Config, ContextConfig, ModelConfig
from aish.models.pricing import tariff_of
from aish.models.secrecy import on_this_machine
from aish.models.specs import spec_of, with_window


def reserve(window: int, *, preset: int = 0, shared: int = 0) -> int:
    config = Config(
        models={"fast": ModelConfig(endpoint="http://127.0.0.1:1", reserve=preset)},
        context=ContextConfig(reserved_output_tokens=shared),
    )
    return with_window(spec_of("fast", config, {}), window, config).reserve


def test_a_time_out_of_thousands_of_years_is_one_the_system_can_wait_for() -> None:
    ever = ModelConfig(endpoint="http://127.0.0.1:1", timeout_ms=10**15, connect_timeout_ms=10**15)
    spec = spec_of("fast", Config(models={"fast": ever}), {})
    assert max(spec.idle_timeout, spec.connect_timeout) < threading.TIMEOUT_MAX


@pytest.mark.parametrize(
    ("window", "kept"), [(512, 128), (1024, 256), (4096, 1024), (131072, 1024)]
)
def test_a_small_window_leaves_room_for_a_question_by_itself(window: int, kept: int) -> None:
    assert reserve(window) == kept


def test_what_the_user_says_counts_whatever_the_window() -> None:
    assert reserve(1024, preset=900) == 900
    assert reserve(1024, shared=2000) == 2000


@pytest.mark.parametrize("endpoint", ["http://[::1", "http://[", "http://h:port"])
def test_an_address_that_cannot_be_read_is_elsewhere(endpoint: str) -> None:
    preset = ModelConfig(endpoint=endpoint)
    spec = spec_of("a", Config(models={"a": preset}), {})
    assert not on_this_machine(endpoint)
    assert tariff_of(spec, preset, None).billed


@pytest.mark.parametrize(
    "pasted", ["sk-1 ", "Bearer sk-1", "bearer  sk-1\n", "Authorization: Bearer sk-1"]
)
def test_a_key_may_be_pasted_as_it_stands_in_a_header(pasted: str) -> None:
    config = Config(models={"a": ModelConfig(endpoint="http://h", api_key_env="KEY")})
    assert spec_of("a", config, {"KEY": pasted}).api_key == "sk-1"


def test_the_published_price_is_not_that_of_another_tier() -> None:
    for options, known in (
        ({"reasoning_effort": "low"}, True),
        ({"service_tier": "priority"}, False),
    ):
        preset = ModelConfig(endpoint="https://api.openai.com/v1", model="gpt-5", options=options)
        tariff = tariff_of(spec_of("a", Config(models={"a": preset}), {}), preset, None)
        assert tariff.billed and (tariff.price is not None) == known
