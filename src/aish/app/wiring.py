"""The parts both the shell and a single question need, put together once."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from aish.config.places import cache_dir, config_file, data_dir
from aish.config.schema import Config, LocalConfig
from aish.models.embedded import Embedded
from aish.models.presets import Presets
from aish.models.probing import ASSUMED_WINDOW
from aish.models.secrecy import Secrecy
from aish.models.wallet import Spending
from aish.ui.confirm import Confirm
from aish.ui.screen import Screen

if TYPE_CHECKING:
    from aish.core.context.window import Context
    from aish.journal.recording import Recorder
    from aish.memory.remembering import Remembering


def embedded_for(config: LocalConfig, screen: Screen | None = None) -> Embedded:
    """The embedded model with its directories and settings."""
    return Embedded(
        config,
        data=data_dir(),
        cache=cache_dir(),
        notice=screen.notice if screen else lambda _: None,
    )


def presets_for(config: Config, screen: Screen) -> Presets:
    """The configured models, paying from the one wallet of this process."""
    return Presets(
        config,
        embedded_for(_local(config), screen),
        os.environ,
        cache=cache_dir(),
        spending=spending_for(config, screen),
        secrecy=secrecy_for(config),
        confirm=Confirm(screen),
        notice=screen.interject if screen.terminal else lambda _: None,
    )


def _local(config: Config) -> LocalConfig:
    """The embedded model's section, with the room for answers that all models share."""
    from dataclasses import replace

    reserve = config.local.reserve or config.context.reserved_output_tokens
    return replace(config.local, reserve=reserve)


_spending: dict[Config, Spending] = {}
_secrecy: dict[Config, Secrecy] = {}


def spending_for(config: Config, screen: Screen) -> Spending:
    """One for each configuration, whoever asks: a cap that each asker had anew would be none."""
    if config not in _spending:
        _spending[config] = Spending(
            config.cost,
            data_dir() / "ledger.jsonl",
            confirm=Confirm(screen),
            notice=screen.interject,
        )
    return _spending[config]


def secrecy_for(config: Config) -> Secrecy:
    """One for each configuration, so that placeholders are the same everywhere."""
    if config not in _secrecy:
        named = config.secrets.vault
        vault = Path(named).expanduser() if named else config_file().parent / "vault"
        _secrecy[config] = Secrecy(config, vault, os.environ)
    return _secrecy[config]


def without_secrets(config: Config) -> Callable[[str], str]:
    """Takes secrets out of a text that is kept for good.

    Not with a session's placeholders: in another session they would stand for something else.
    """
    return secrecy_for(config).without_secrets


def sessions_dir() -> Path:
    return data_dir() / "sessions"


def memory_path(config: Config) -> Path:
    named = config.memory.path
    return Path(named).expanduser() if named else data_dir() / "memory.jsonl"


def recorder_for(
    config: Config, presets: Presets, screen: Screen, cwd: Callable[[], str]
) -> Recorder:
    from aish.journal.recording import Recorder

    recorder = Recorder(
        sessions_dir(),
        model=lambda: presets.current,
        cwd=cwd,
        tell=screen.notice,
        mask=without_secrets(config),
        keep_days=config.sessions.keep_days,
    )
    presets.spending.session = lambda: recorder.id  # a cap belongs to the conversation
    return recorder


def remembering_for(
    config: Config, presets: Presets, screen: Screen, cwd: Callable[[], str]
) -> Remembering:
    from aish.memory.remembering import Remembering

    return Remembering(
        memory_path(config),
        models=presets,
        cwd=cwd,
        redact=without_secrets(config),
        tell=screen.notice,
        max_chars=config.memory.inject_max_chars,
        prune_days=config.memory.prune_older_than_days,
        summarizer=config.memory.summarizer_model,
    )


def new_context(config: Config, window: int) -> Context:
    """An empty conversation, for a model whose window may not be known yet."""
    from aish.core.context.prompt import BASE
    from aish.core.context.settings import ContextManagementConfig
    from aish.core.context.window import Context

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
