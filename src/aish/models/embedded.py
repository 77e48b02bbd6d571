"""The embedded model as a preset: its server is found or started when a question needs it."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from aish.config.schema import EMBEDDED, LocalConfig
from aish.core.errors import AishError, LocalModelError

if TYPE_CHECKING:
    from aish.core.messages import ModelSpec
    from aish.local.supervisor import Supervisor
    from aish.models.reports import ModelRow

RESERVE = 512  # tokens kept free for the answer where nobody says how many
INSTALL = "run `aish local install` (93 MB, once), or set [local] model to a GGUF file of yours"


class Embedded:
    """The model behind the preset `local`."""

    def __init__(
        self, config: LocalConfig, *, data: Path, cache: Path, notice: Callable[[str], None]
    ) -> None:
        self._config = config
        self._data = data
        self._cache = cache
        self._notice = notice

    @cached_property
    def supervisor(self) -> Supervisor:
        """Raises: LocalModelError, when the model file is not there."""
        from aish.local.places import Settings
        from aish.local.supervisor import Supervisor

        settings = Settings(
            model=self.model_file(),
            n_ctx=self._config.context,
            threads=self._config.threads,
            idle_seconds=self._config.idle_minutes * 60,
        )
        return Supervisor(runtime_dir(self._cache), self._cache / "logs", settings)

    def model_file(self) -> Path:
        """The GGUF file to serve.

        Raises: LocalModelError.
        """
        from aish.local.weights import installed

        if self._config.model:
            return Path(self._config.model).expanduser()
        found = installed(self._data)
        if found is None:
            raise LocalModelError("the embedded model is not installed", INSTALL)
        return found

    def spec(self) -> ModelSpec:
        """The running server; started when there is none.

        Raises: LocalModelError.
        """
        from dataclasses import replace

        running = self.supervisor.ensure()
        return replace(
            self.expected(),
            endpoint=running.base_url,
            model=running.model,
            window=running.window,
            api_key=running.api_key,
        )

    def expected(self) -> ModelSpec:
        """What is known of the model while its server may not run."""
        from aish.core.messages import ModelSpec
        from aish.local.manner import EXAMPLES, SAMPLING

        own_file = bool(self._config.model)  # of a model named by the user nothing is known
        return ModelSpec(
            name=EMBEDDED,
            endpoint="",
            model="",
            window=self._config.context,
            reserve=self._config.reserve or RESERVE,
            examples=() if own_file else EXAMPLES,
            options={} if own_file else SAMPLING,
        )

    def in_use(self) -> AbstractContextManager[None]:
        return self.supervisor.in_use()

    def warm(self) -> None:
        """Start the server ahead of the question; what fails here is said when one is asked."""
        try:
            self.supervisor.ensure()
        except AishError:
            return

    def row(self) -> ModelRow:
        from aish.models.reports import ModelRow

        try:
            name = self.model_file().stem
            running = self.supervisor.status()
        except AishError as error:
            return ModelRow(EMBEDDED, "", False, detail=f"{error.message}: {error.hint}")
        detail = "running" if running else "starts with the first question"
        return ModelRow(EMBEDDED, name, True, self._config.context, detail)


def runtime_dir(cache: Path) -> Path:
    """Where the server and its clients meet: the session's own directory where there is one."""
    base = os.environ.get("XDG_RUNTIME_DIR", "")
    return Path(base) / "aish" if base.startswith("/") and Path(base).is_dir() else cache / "run"
