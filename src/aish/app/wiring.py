"""The parts both the shell and a single question need, put together once."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from aish.app.embedded import Embedded
from aish.app.presets import ASSUMED_WINDOW, Presets
from aish.config.places import cache_dir, data_dir
from aish.config.schema import Config, LocalConfig
from aish.ui.screen import Screen

if TYPE_CHECKING:
    from aish.app.recording import Recorder
    from aish.app.remembering import Remembering
    from aish.core.context import Context


def embedded_for(config: LocalConfig, screen: Screen | None = None) -> Embedded:
    """The embedded model with its directories and settings."""
    return Embedded(
        config,
        data=data_dir(),
        cache=cache_dir(),
        notice=screen.notice if screen else lambda _: None,
    )


def presets_for(config: Config, screen: Screen) -> Presets:
    return Presets(config, embedded_for(config.local, screen), os.environ)


def sessions_dir() -> Path:
    return data_dir() / "sessions"


def memory_path(config: Config) -> Path:
    named = config.memory.path
    return Path(named).expanduser() if named else data_dir() / "memory.jsonl"


def without_secrets(text: str) -> str:
    """A text that may be kept for good.

    Not with a session's placeholders: in another session they would stand for something else.
    """
    from aish.core.redact import Redactor

    for span in reversed(Redactor().find(text, "vault+autodetect")):
        text = f"{text[: span.start]}[secret]{text[span.end :]}"
    return text


def recorder_for(
    config: Config, presets: Presets, screen: Screen, cwd: Callable[[], str]
) -> Recorder:
    from aish.app.recording import Recorder

    return Recorder(
        sessions_dir(),
        model=lambda: presets.current,
        cwd=cwd,
        tell=screen.notice,
        keep_days=config.sessions.keep_days,
    )


def remembering_for(
    config: Config, presets: Presets, screen: Screen, cwd: Callable[[], str]
) -> Remembering:
    from aish.app.remembering import Remembering

    return Remembering(
        memory_path(config),
        models=presets,
        cwd=cwd,
        redact=without_secrets,
        tell=screen.notice,
        max_chars=config.memory.inject_max_chars,
        prune_days=config.memory.prune_older_than_days,
        summarizer=config.memory.summarizer_model,
    )


def new_context(config: Config, window: int) -> Context:
    """An empty conversation, for a model whose window may not be known yet."""
    from aish.core.context import Context
    from aish.core.prompt import BASE
    from aish.core.settings import ContextManagementConfig

    chosen = config.context
    context = Context(
        ContextManagementConfig(
            max_context_tokens=window or ASSUMED_WINDOW,
            max_turns=chosen.max_turns or None,
            token_budget=chosen.token_budget or None,
            preserve_recent_turns=chosen.preserve_recent_turns,
            max_age=chosen.max_age,
            max_tokens_per_output=chosen.max_tokens_per_output,
            max_summary_chars=chosen.max_summary_chars,
        )
    )
    context.set_block("base", BASE)
    return context
