"""The documented example file, made from the schema so that it cannot lie."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import structs

from aish.config.load import allowed, meta
from aish.config.schema import Config, LocalConfig, ModelConfig, ShellConfig, UiConfig

HEADER = """\
# aish configuration. Every key is optional and shown with its default;
# remove the leading "# " to change one. `aish config check` reads it strictly.
"""

PRESET = """
# A model behind an OpenAI-compatible server: llama.cpp, vLLM, Ollama, LM Studio, OpenRouter, …
# The name is yours; use it with `:model fast`, `aish --model fast` or `model = "fast"` above.
# [models.fast]
"""


def example_file() -> str:
    """A config.toml that documents every key."""
    parts = [HEADER, "\n".join(_keys(Config)), PRESET + "\n".join(_keys(ModelConfig))]
    for name, kind in (("local", LocalConfig), ("shell", ShellConfig), ("ui", UiConfig)):
        parts.append(f"\n# {_summary(kind)}\n[{name}]\n" + "\n".join(_keys(kind)))
    return "\n".join(parts) + "\n"


def _keys(kind: type[msgspec.Struct]) -> Iterator[str]:
    for field in structs.fields(kind):
        about = meta(field.type)
        if about.description is None or field.encode_name == "models":
            continue
        yield from textwrap.wrap(
            f"{about.description} ({allowed(field.type)})",
            98,
            initial_indent="# ",
            subsequent_indent="# ",
        )
        yield f"# {field.encode_name} = {_toml(default_of(field))}"


def default_of(field: structs.FieldInfo) -> Any:
    """A key's default; an example value where it has none."""
    if field.default is not msgspec.NODEFAULT:
        return field.default
    return "http://127.0.0.1:8080"


def _summary(kind: type) -> str:
    return (kind.__doc__ or "").strip().splitlines()[0]


def _toml(value: Any) -> str:
    return msgspec.json.encode(value).decode()
