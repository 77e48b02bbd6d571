"""What remembering needs from the parts beside it."""

from __future__ import annotations

from typing import Protocol

from aish.engine.ports import Model


class Models(Model, Protocol):
    """The presets, one of which is in use."""

    current: str

    def use(self, name: str) -> None:
        """Raises: UsageError for a name that is no preset."""
        ...
