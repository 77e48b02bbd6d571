"""What remembering needs from the parts beside it."""

from __future__ import annotations

from typing import Protocol

from aish.engine.ports import Model


class Models(Protocol):
    """The presets."""

    def named(self, name: str) -> Model:
        """One preset by its name; the one in use for "".

        Raises: UsageError for a name that is no preset.
        """
        ...
