"""Trials, undo and the sandbox, put together from the configuration."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from aish.config.places import cache_dir, config_file, data_dir
from aish.core.logged import Logged, Unlogged
from aish.sandbox.safeguards import Safeguards

if TYPE_CHECKING:
    from aish.config.schema import SafetyConfig
    from aish.core.mask import Mask


def safeguards_for(
    config: SafetyConfig, mask: Mask, conversation: Logged | None = None
) -> Safeguards:
    """`conversation`: the one that undo belongs to."""
    return Safeguards(
        data_dir(),
        config.undo_mb,
        os.environ.get("HOME", ""),
        (str(config_file().parent), str(data_dir()), str(cache_dir())),
        conversation=conversation or Unlogged(),
        mask=mask,
    )
