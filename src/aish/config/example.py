"""The documented example file, made from the schema so that it cannot lie."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from aish.config.load import allowed, default_of, is_required
from aish.config.schema import NAMED, NESTED, SECTIONS, Config, ModelConfig

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
    for name, kind in SECTIONS.items():
        parts.append(_section(name, kind))
        for field in fields(kind):
            if field.type in NESTED:
                parts.append(_section(f"{name}.{field.name}", NESTED[str(field.type)]))
            if field.type in NAMED:
                keys = _keys(NAMED[str(field.type)])
                parts.append(f"# [{name}.{field.name}.files]\n" + "\n".join(keys))
    return "\n".join(parts) + "\n"


def _section(name: str, kind: Any) -> str:
    return f"\n# {kind.__doc__}\n[{name}]\n" + "\n".join(_keys(kind))


def _keys(kind: Any) -> Iterator[str]:
    for field in fields(kind):
        if "doc" not in field.metadata:
            continue
        text = f"{field.metadata['doc']} ({allowed(field)})"
        yield from textwrap.wrap(text, 98, initial_indent="# ", subsequent_indent="# ")
        default = "http://127.0.0.1:8080" if is_required(field) else default_of(field)
        yield f"# {field.name} = {json.dumps(default)}"
