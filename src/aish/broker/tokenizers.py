"""Exact local tokenizers, where the optional packages and their vocabularies are there."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from aish.core.context.tokens import Tokenizer
from aish.core.errors import ConfigError


@dataclass(frozen=True, slots=True)
class Exact:
    """A tokenizer with a real vocabulary."""

    name: str
    _count: Callable[[str], int] = field(repr=False)

    def count(self, text: str) -> int:
        return self._count(text)


def _optional(package: str) -> Any:
    try:
        return import_module(package)
    except ImportError:
        return None


def tiktoken_for(model: str) -> Tokenizer | None:
    """OpenAI's own tokenizer for a GPT model, or None without the package or its vocabulary."""
    tiktoken = _optional("tiktoken")
    if tiktoken is None:
        return None
    try:
        encoding = tiktoken.encoding_for_model(model.rsplit("/", 1)[-1])
    except (
        KeyError,
        ValueError,
        OSError,
    ):  # unknown model; vocabulary neither cached nor reachable
        return None

    def count(text: str) -> int:
        return len(encoding.encode(text, disallowed_special=()))

    return Exact(f"tiktoken {encoding.name}", count)


def tokenizer_file(path: Path) -> Tokenizer | None:
    """The tokenizer of a tokenizer.json file, or None without the package.

    Raises: ConfigError when the file cannot be read.
    """
    package = _optional("tokenizers")
    if package is None:
        return None
    try:
        text = path.read_text("utf-8")
        known = json.loads(text)
    except (OSError, ValueError) as error:
        raise ConfigError(f"not a tokenizer file: {error}", path=str(path)) from error
    if not isinstance(known, dict) or "model" not in known:
        raise ConfigError("not a tokenizer file: it has no model", path=str(path))
    vocabulary = package.Tokenizer.from_str(text)

    def count(text: str) -> int:
        return len(vocabulary.encode(text, add_special_tokens=False).ids)

    return Exact(f"tokenizer {path.name}", count)
