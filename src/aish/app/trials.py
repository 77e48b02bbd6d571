"""Trials, undo and the sandbox, put together from the configuration."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from aish.config.places import cache_dir, config_file, data_dir

if TYPE_CHECKING:
    from aish.config.schema import Config
    from aish.sandbox.jail import Jail
    from aish.sandbox.trials import Trials


def trials_for(
    config: Config, mask: Callable[[str], str], session: Callable[[], str] = lambda: ""
) -> Trials:
    """Where commands are tried, and their old files kept; the commands without secrets."""
    from aish.sandbox.trials import Trials

    limit = config.safety.undo_mb * 1_000_000
    return Trials(data_dir(), limit, os.environ.get("HOME", ""), session, mask)


def jail_for(workspace: str) -> Jail:
    """The sandbox around a folder; aish's own files stay out of a command's reach."""
    from aish.sandbox.jail import Jail

    own = (str(config_file().parent), str(data_dir()), str(cache_dir()))
    return Jail(workspace, own, os.environ.get("HOME", ""))
