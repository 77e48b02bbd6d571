"""A preset of the configuration as the value a request needs; keys come from the environment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from aish.config.schema import seconds_of
from aish.config.variables import bare_key, filled, variable

if TYPE_CHECKING:
    from aish.config.schema import Config, ModelConfig
    from aish.core.context.settings import Compress
    from aish.core.messages import ModelSpec

RESERVE = 1024  # tokens kept free for the answer where nobody says how many


def spec_of(
    name: str, config: Config, environ: Mapping[str, str], *, needs_key: bool = True
) -> ModelSpec:
    """Raises: ConfigError, when a variable that is needed is not set."""
    from aish.core.messages import ModelSpec

    preset, key = config.models[name], f"models.{name}"
    return ModelSpec(
        name=name,
        endpoint=preset.endpoint,
        model=preset.model,
        window=preset.window,
        reserve=preset.reserve or config.context.reserved_output_tokens or RESERVE,
        api_key=_key(name, preset, environ) if needs_key else "",
        connect_timeout=seconds_of(preset.connect_timeout_ms),
        idle_timeout=seconds_of(preset.timeout_ms),
        token_budget=config.context.token_budget or None,
        tool_role=preset.tool_role,
        vision=preset.vision,
        compress=_compress(config) if preset.local_compress else None,
        options=preset.options,
        headers=filled(preset.headers, environ, f"{key}.headers") if needs_key else preset.headers,
        query=filled(preset.query, environ, f"{key}.query") if needs_key else preset.query,
    )


def with_window(spec: ModelSpec, window: int, config: Config) -> ModelSpec:
    """A preset and its window; of a small one the answer gets a quarter where nobody says more."""
    from dataclasses import replace

    chosen = config.models[spec.name].reserve or config.context.reserved_output_tokens
    reserve = chosen or min(spec.reserve, max(1, window // 4))
    return replace(spec, window=window, reserve=reserve)


def budgeted(spec: ModelSpec, config: Config) -> ModelSpec:
    """The embedded model, with the room for answers, the budget and the short view of all."""
    from dataclasses import replace

    chosen = config.local.reserve or config.context.reserved_output_tokens
    budget = config.context.token_budget or None
    compress = _compress(config) if config.local.local_compress else None
    reserve = chosen or spec.reserve
    return replace(spec, reserve=reserve, token_budget=budget, compress=compress)


def _compress(config: Config) -> Compress:
    from aish.core.context.settings import Compress

    how = config.context.compress
    return Compress(how.keep_turns, how.max_turn_chars)


def _key(name: str, preset: ModelConfig, environ: Mapping[str, str]) -> str:
    if not preset.api_key_env:
        return ""
    return bare_key(variable(preset.api_key_env, environ, f"models.{name}.api_key_env"))
