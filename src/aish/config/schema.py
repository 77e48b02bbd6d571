"""Every key of config.toml: its type, its default and what it means."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct, field

EMBEDDED = "local"  # the preset that needs no configuration

DEFAULT_PROMPT = "[aish:{model}] {cwd} {mark} "


class ModelConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """A model behind an OpenAI-compatible server."""

    endpoint: Annotated[
        str,
        Meta(
            description="Base URL of the server, with or without `/v1`.",
            pattern="^https?://",
            extra={"allowed": "an http:// or https:// address"},
        ),
    ]
    model: Annotated[str, Meta(description="Model id sent to the server.", min_length=1)] = (
        "default"
    )
    window: Annotated[
        int, Meta(description="Context window in tokens; 0 asks the server.", ge=0)
    ] = 0
    reserve: Annotated[int, Meta(description="Tokens kept free for the answer.", ge=1)] = 1024
    api_key_env: Annotated[
        str, Meta(description="Environment variable that holds the API key.")
    ] = ""
    timeout_ms: Annotated[
        int, Meta(description="Longest silence of the server before giving up.", ge=1)
    ] = 120_000
    connect_timeout_ms: Annotated[int, Meta(description="Longest wait for a connection.", ge=1)] = (
        10_000
    )


class LocalConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """The embedded model (the preset `local`)."""

    model: Annotated[
        str, Meta(description="Path of a GGUF file; empty means the one aish installs.")
    ] = ""
    context: Annotated[int, Meta(description="Context window in tokens.", ge=512)] = 8192
    reserve: Annotated[int, Meta(description="Tokens kept free for the answer.", ge=1)] = 1024
    threads: Annotated[
        int, Meta(description="Threads to compute with; 0 leaves one core free.", ge=0)
    ] = 0
    idle_minutes: Annotated[
        float, Meta(description="The server ends after so long without a question.", gt=0)
    ] = 15.0


class UiConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """What the prompt and the answers look like."""

    prompt: Annotated[
        str,
        Meta(
            description="Prompt template. Fields: `{model}` `{cwd}` `{git}` `{status}` "
            "`{ctx_used}` `{ctx_max}` `{ctx_percent}` `{mark}`."
        ),
    ] = DEFAULT_PROMPT
    highlight: Annotated[
        bool, Meta(description="Show answers as formatted Markdown with highlighted code.")
    ] = True


class ShellConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """The shell that runs commands."""

    program: Annotated[str, Meta(description="Shell to run; empty means `bash` from PATH.")] = ""
    capture_kb: Annotated[
        int, Meta(description="How much of a command's output is kept for the model.", ge=1)
    ] = 16


class Config(Struct, frozen=True, forbid_unknown_fields=True):
    """Everything a user can set."""

    model: Annotated[
        str, Meta(description="Preset used when none is named: one of `models`, or `local`.")
    ] = EMBEDDED
    models: Annotated[dict[str, ModelConfig], Meta(description="Presets, one table each.")] = field(
        default_factory=dict
    )
    local: LocalConfig = field(default_factory=LocalConfig)
    shell: ShellConfig = field(default_factory=ShellConfig)
    ui: UiConfig = field(default_factory=UiConfig)
