"""Where something happens; a shell moves, so its directory is asked for each time."""

from __future__ import annotations

from typing import Protocol

from aish.core.values import dataclass


class Located(Protocol):
    """Whatever is in a directory."""

    @property
    def cwd(self) -> str: ...


@dataclass(frozen=True, slots=True)
class At:
    """A place that stays."""

    cwd: str
