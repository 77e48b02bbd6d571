"""Every key of config.toml: its type, its default and what it means.

Plain dataclasses, because this is read before the first prompt and must cost nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

EMBEDDED = "local"  # the preset that needs no configuration
DEFAULT_PROMPT = "[aish:{model}] {cwd} {mark} "
REQUIRED = object()


def key(
    default: Any,
    doc: str,
    *,
    least: float | None = None,
    choices: tuple[str, ...] = (),
    pattern: str = "",
    wanted: str = "",
) -> Any:
    """A key: its default, what it means, and what is allowed."""
    about = {
        "doc": doc,
        "least": least,
        "choices": choices,
        "pattern": pattern,
        "wanted": wanted,
    }
    if default is REQUIRED:
        return field(metadata=about)
    return field(default=default, metadata=about)


@dataclass(frozen=True, repr=False, eq=False)
class ModelConfig:
    """A model behind an OpenAI-compatible server."""

    endpoint: str = key(
        REQUIRED,
        "Base URL of the server, with or without `/v1`.",
        pattern="https?://.",
        wanted="an http:// or https:// address",
    )
    model: str = key("default", "Model id sent to the server.")
    window: int = key(0, "Context window in tokens; 0 asks the server.", least=0)
    reserve: int = key(1024, "Tokens kept free for the answer.", least=1)
    api_key_env: str = key("", "Environment variable that holds the API key.")
    timeout_ms: int = key(120_000, "Longest silence of the server before giving up.", least=1)
    connect_timeout_ms: int = key(10_000, "Longest wait for a connection.", least=1)


@dataclass(frozen=True, repr=False, eq=False)
class LocalConfig:
    """The embedded model (the preset `local`)."""

    model: str = key("", "Path of a GGUF file; empty means the one aish installs.")
    context: int = key(8192, "Context window in tokens.", least=512)
    reserve: int = key(512, "Tokens kept free for the answer.", least=1)
    threads: int = key(0, "Threads to compute with; 0 leaves one core free.", least=0)
    idle_minutes: float = key(15.0, "The server ends after so long without a question.", least=0.1)


@dataclass(frozen=True, repr=False, eq=False)
class ShellConfig:
    """The shell that runs commands."""

    program: str = key("", "Shell to run; empty means `bash` from PATH.")
    capture_kb: int = key(16, "How much of a command's output is kept for the model.", least=1)


@dataclass(frozen=True, repr=False, eq=False)
class UiConfig:
    """What the prompt and the answers look like."""

    prompt: str = key(
        DEFAULT_PROMPT,
        "Prompt template. Fields: `{model}` `{cwd}` `{git}` `{status}` `{ctx_used}` `{ctx_max}` "
        "`{ctx_percent}` `{mark}`.",
    )
    highlight: bool = key(True, "Show answers as formatted Markdown with highlighted code.")


@dataclass(frozen=True, repr=False, eq=False)
class Config:
    """Everything a user can set."""

    model: str = key(EMBEDDED, "Preset used when none is named: one of `models`, or `local`.")
    models: Mapping[str, ModelConfig] = field(default_factory=dict)
    local: LocalConfig = LocalConfig()
    shell: ShellConfig = ShellConfig()
    ui: UiConfig = UiConfig()


SECTIONS = {"local": LocalConfig, "shell": ShellConfig, "ui": UiConfig}
TABLES = {"models": ModelConfig}  # sections with names of the user's own
