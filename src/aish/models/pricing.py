"""How the configured models are billed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aish.models.secrecy import on_this_machine

if TYPE_CHECKING:
    from aish.config.schema import ModelConfig
    from aish.core.messages import ModelSpec
    from aish.core.money.cost import Price, Tariff


# Options that make a request cost something else than its tokens do by the published price.
_PRICED_APART = ("service_tier", "web_search_options", "modalities", "audio", "speed")


def tariff_of(
    spec: ModelSpec,
    preset: ModelConfig | None,
    offered: Price | None,
    seen: int = 0,
    *,
    was_free: bool = False,
) -> Tariff:
    """The tariff of a model; without a preset it is the embedded one."""
    from dataclasses import replace

    from aish.broker.address import host_of
    from aish.core.money.cost import UNBILLED
    from aish.core.money.prices import tariff_for

    if preset is None:
        return UNBILLED
    tariff = tariff_for(
        host_of(spec.endpoint),
        spec.model,
        loopback=on_this_machine(spec.endpoint) and not preset.forwards,
        price_in=preset.price_in if preset.price_in >= 0 else None,
        price_out=preset.price_out if preset.price_out >= 0 else None,
        offered=offered,
        seen=seen,
        as_listed=not any(name in spec.options for name in _PRICED_APART),
    )
    return replace(tariff, proven=was_free)


def stated_price(preset: ModelConfig | None) -> str:
    """The price in a preset as one word; "" where there is none."""
    if preset is None or max(preset.price_in, preset.price_out) < 0:
        return ""
    return f"{preset.price_in:g}/{preset.price_out:g}"


def price_text(tariff: Tariff) -> str:
    """What a model costs, for the screen."""
    from aish.core.money.cost import MICRO, NANO_PER_MICRO

    if not tariff.billed:
        return "unbilled"
    if tariff.price is None:
        return "price unknown"
    prompt, output = tariff.price.prompt, tariff.price.output
    fee = tariff.price.request / NANO_PER_MICRO / MICRO
    more = f" and ${fee:g} a request" if fee else ""
    return f"${prompt / NANO_PER_MICRO:g}/${output / NANO_PER_MICRO:g} per M{more}"
