"""The parts both the shell and a single question need, put together once."""

from __future__ import annotations

import os

from aish.app.embedded import Embedded
from aish.app.presets import Presets
from aish.config.places import cache_dir, data_dir
from aish.config.schema import Config, LocalConfig
from aish.ui.screen import Screen


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
