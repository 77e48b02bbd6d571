"""Notes on what leaves the prompt, by the model that was chosen to write them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aish.config.schema import ContextConfig
    from aish.core.context.eviction import Eviction
    from aish.engine.notes import IsStopped
    from aish.engine.ports import NamedModels


class ModelNotes:
    """Asks for the model anew each time: another one may be in use by then."""

    def __init__(self, models: NamedModels, config: ContextConfig) -> None:
        self._models = models
        self._config = config

    def adopt(self, config: ContextConfig) -> None:
        """Another model or another length from now on."""
        self._config = config

    @property
    def wanted(self) -> bool:
        return self._config.summarize_on_evict

    def write(self, prior: str, eviction: Eviction, stopped: IsStopped) -> str | None:
        """Raises: UsageError for a model that is no longer there."""
        from aish.engine.summarise import summariser

        model = self._models.named(self._config.summarizer_model)
        return summariser(model, self._config.max_summary_chars, stopped)(prior, eviction)
