"""Who writes the notes on what leaves the prompt, as the configuration has it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aish.config.schema import Config
    from aish.core.context.eviction import Eviction
    from aish.engine.prompts import Summarise
    from aish.models.presets import Presets


def summariser_for(config: Config, presets: Presets) -> Summarise | None:
    """None unless `summarize_on_evict` is on."""
    chosen = config.context
    if not chosen.summarize_on_evict:
        return None

    def write_notes(prior: str, eviction: Eviction) -> str | None:
        from aish.engine.summarise import summariser

        model = presets.named(chosen.summarizer_model)
        return summariser(model, chosen.max_summary_chars)(prior, eviction)

    return write_notes
