"""What the prompt needs from the parts below it, as Protocols."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from aish.core.messages import ModelSpec
from aish.engine.ports import Model, Shell


@dataclass(frozen=True)
class ModelRow:
    """One preset as `:models` shows it."""

    name: str
    model: str
    ok: bool
    window: int = 0
    detail: str = ""


class Models(Model, Protocol):
    """The presets, one of which is in use."""

    current: str

    @property
    def known_window(self) -> int:
        """The window of the model in use, as far as it is known without asking; else 0."""
        ...

    def expected(self) -> ModelSpec:
        """The model in use, as far as it is known without asking."""
        ...

    def names(self) -> list[str]: ...

    def use(self, name: str) -> None:
        """Raises: UsageError for a name that is no preset."""
        ...

    def look(self) -> Iterable[ModelRow]:
        """Ask every preset's server how it is."""
        ...

    def warm(self) -> None:
        """Get ready for a question in the background; never blocks."""
        ...


class UserShell(Shell, Protocol):
    """The shell as the prompt sees it."""

    @property
    def cwd(self) -> str: ...

    @property
    def status(self) -> int: ...

    @property
    def ended(self) -> object | None:
        """How the shell itself ended; None while it lives."""
        ...
