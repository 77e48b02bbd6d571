"""When the embedded model's server starts before anybody has asked it."""

from __future__ import annotations

from contextlib import suppress
from math import inf
from typing import TYPE_CHECKING

from aish.core.errors import AishError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from aish.models.embedded import Embedded

PATIENT = 3  # starts in a row that no question followed, until aish waits for one
AGAIN = 30.0  # seconds until a machine that had nothing to spare is looked at again


class Unasked:
    """How often in a row a server was started ahead for nobody; all sessions count together."""

    def __init__(self, file: Path) -> None:
        self._file = file

    @property
    def times(self) -> int:
        from aish.local.places import note

        try:
            return int(note(self._file))
        except (OSError, ValueError):
            return 0

    def add(self) -> None:
        with suppress(OSError):
            self._file.write_text(f"{self.times + 1}\n", "ascii")

    def clear(self) -> None:
        """Somebody asks."""
        with suppress(OSError):
            self._file.unlink(missing_ok=True)


class Ahead:
    """Starts the server while nobody types, so that the first answer comes as fast as the tenth."""

    def __init__(
        self, embedded: Embedded, when: str, can_spare: Callable[[Path], bool] | None = None
    ) -> None:
        """`when`: as `local.ahead` in the configuration."""
        self._embedded = embedded
        self._when = when
        self._can_spare = can_spare
        self._started: Path | None = None

    def typing(self) -> None:
        """A question is being typed."""
        if self._when != "never":
            self._embedded.start_ahead()

    def idle(self) -> float:
        """Nobody types. Returns the seconds until it is worth calling again."""
        if self._when not in ("auto", "idle"):
            return inf
        try:
            return self._start()
        except AishError:  # said when a question is asked
            return inf

    def _start(self) -> float:
        embedded = self._embedded
        model = embedded.model_file()
        if model != self._started:
            if embedded.supervisor.status() is None:
                if embedded.unasked.times >= PATIENT:
                    return inf
                if self._when == "auto" and not self._spares(model):
                    return AGAIN
                embedded.unasked.add()
            embedded.start_ahead()
            self._started = model
        return AGAIN if embedded.arrives() else inf

    def _spares(self, model: Path) -> bool:
        from aish.local.machine_load import can_spare

        return (self._can_spare or can_spare)(model)
