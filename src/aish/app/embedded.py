"""The embedded model as a preset: its server is found or started when a question needs it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from aish.config.schema import EMBEDDED, LocalConfig
from aish.core.errors import LocalModelError
from aish.core.messages import ModelSpec
from aish.ui.session import ModelRow


class Embedded:
    def __init__(
        self, config: LocalConfig, *, data: Path, cache: Path, notice: Callable[[str], None]
    ) -> None:
        self._config = config

    def spec(self) -> ModelSpec:
        raise LocalModelError("not yet")

    def in_use(self) -> AbstractContextManager[None]:
        return nullcontext()

    def warm(self) -> None:
        pass

    def row(self) -> ModelRow:
        return ModelRow(EMBEDDED, "smollm2", False)
