"""The colon commands, one small file per subject."""

from aish.ui.meta import (  # noqa: F401  (importing registers them)
    configuration,
    context,
    conversation,
    cost,
    general,
    mcp,
    memory,
    models,
    norris,
    pins,
    project,
    route,
    safety,
    secrets,
    sessions,
    trials,
)
from aish.ui.meta.registry import MetaCommand, commands, find, run

__all__ = ["MetaCommand", "commands", "find", "run"]
