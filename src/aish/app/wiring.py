"""The parts both the shell and a single question need, put together once."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from aish.app.embedded import Embedded
from aish.app.presets import ASSUMED_WINDOW, Presets
from aish.config.places import cache_dir, data_dir
from aish.config.schema import Config, LocalConfig
from aish.ui.screen import Screen

if TYPE_CHECKING:
    from aish.core.context import Context


def embedded_for(config: LocalConfig, screen: Screen | None = None) -> Embedded:
    """The embedded model with its directories and settings."""
    return Embedded(
        config,
        data=data_dir(),
        cache=cache_dir(),
        notice=screen.notice if screen else lambda _: None,
    )


def presets_for(config: Config, screen: Screen) -> Presets:
    return Presets(config, embedded_for(config.local, screen), os.environ)


def new_context(config: Config, window: int) -> Context:
    """An empty conversation, for a model whose window may not be known yet."""
    from aish.core.context import Context
    from aish.core.prompt import BASE
    from aish.core.settings import ContextManagementConfig

    chosen = config.context
    context = Context(
        ContextManagementConfig(
            max_context_tokens=window or ASSUMED_WINDOW,
            max_turns=chosen.max_turns or None,
            token_budget=chosen.token_budget or None,
            preserve_recent_turns=chosen.preserve_recent_turns,
            max_age=chosen.max_age,
            max_tokens_per_output=chosen.max_tokens_per_output,
            max_summary_chars=chosen.max_summary_chars,
        )
    )
    context.set_block("base", BASE)
    return context
