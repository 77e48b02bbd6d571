"""Exact local tokenizers, where the optional packages and their vocabularies are there."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from hashlib import sha1, sha256
from importlib import import_module
from pathlib import Path
from tempfile import gettempdir
from typing import Any

from aish.core.context.tokens import Tokenizer
from aish.core.errors import ConfigError
from aish.core.values import dataclass, field

# Where tiktoken takes its vocabularies from, and what they hash to: its cache is named after it.
_VOCABULARY_FOLDER = "https://openaipublic.blob.core.windows.net/encodings"
_P50K = "94b5ca7dff4d00767bc256fdd1b27e5b17361d7b8a5f968547f9f23eb70d2069"
_R50K = "306cd27f03c1a714eca7108e03d66b7dc042abe8c258b44c199a7ed9838dd930"
_CL100K = "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7"
_O200K = "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"
_VOCABULARIES = {
    "r50k_base": ("r50k_base.tiktoken", _R50K),
    "p50k_base": ("p50k_base.tiktoken", _P50K),
    "p50k_edit": ("p50k_base.tiktoken", _P50K),
    "cl100k_base": ("cl100k_base.tiktoken", _CL100K),
    "o200k_base": ("o200k_base.tiktoken", _O200K),
    "o200k_harmony": ("o200k_base.tiktoken", _O200K),
}


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


def installed_tokenizer(model: str, environ: Mapping[str, str] = os.environ) -> Tokenizer | None:
    """A model's own tokenizer if everything it needs is on this machine; nothing is fetched."""
    return tiktoken_for(model, environ) or _own_file(model, environ)


def tiktoken_for(model: str, environ: Mapping[str, str] = os.environ) -> Tokenizer | None:
    """OpenAI's own tokenizer for a GPT model, or None without the package or its vocabulary."""
    name = _encoding_name(model)
    if not name or not (_is_loaded(name) or is_cached(name, environ)):
        return None
    try:
        encoding = import_module("tiktoken").get_encoding(name)
    except (KeyError, ValueError, OSError):
        return None

    def count(text: str) -> int:
        return len(encoding.encode(text, disallowed_special=()))

    return Exact(f"tiktoken {encoding.name}", count)


def _encoding_name(model: str) -> str:
    models = _optional("tiktoken.model")
    try:
        return str(models.encoding_name_for_model(model.rsplit("/", 1)[-1])) if models else ""
    except KeyError:
        return ""


def _is_loaded(encoding: str) -> bool:
    """Whether the program has this vocabulary in use already."""
    registry = _optional("tiktoken.registry")
    return encoding in getattr(registry, "ENCODINGS", {})


def is_cached(encoding: str, environ: Mapping[str, str]) -> bool:
    """Whether tiktoken has an intact copy of a vocabulary: without one it would fetch it."""
    source, digest = _VOCABULARIES.get(encoding, ("", ""))
    usual = str(Path(gettempdir()) / "data-gym-cache")
    folder = environ.get("TIKTOKEN_CACHE_DIR", environ.get("DATA_GYM_CACHE_DIR", usual))
    if not source or not folder:
        return False
    key = sha1(f"{_VOCABULARY_FOLDER}/{source}".encode(), usedforsecurity=False).hexdigest()
    try:
        return sha256((Path(folder) / key).read_bytes()).hexdigest() == digest
    except OSError:
        return False


def _own_file(model: str, environ: Mapping[str, str]) -> Tokenizer | None:
    """By the tokenizer.json of a model that was fetched before, or of a folder named as model."""
    for path in _known_files(model, environ):
        # The package raises a plain Exception for a vocabulary it cannot read.
        with suppress(Exception):
            return tokenizer_file(path)
    return None


def _known_files(model: str, environ: Mapping[str, str]) -> Iterator[Path]:
    given = Path(model)
    if given.is_absolute():
        file = given if given.name == "tokenizer.json" else given / "tokenizer.json"
        if file.is_file():
            yield file
    elif model.count("/") == 1 and ".." not in model:
        home = Path(environ.get("HF_HOME") or Path.home() / ".cache" / "huggingface")
        hub = Path(environ.get("HF_HUB_CACHE") or home / "hub")
        kept = hub / f"models--{model.replace('/', '--')}" / "snapshots"
        yield from sorted(kept.glob("*/tokenizer.json"))


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
