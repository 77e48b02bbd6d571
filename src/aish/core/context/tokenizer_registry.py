"""The tokenizer registry: which tokenizer counts for which family of models."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from aish.core.context.estimate import ANY, FAMILIES
from aish.core.errors import ConfigError


class Tokenizer(Protocol):
    """Counts text the way one family of models does, always the same for the same text."""

    @property
    def name(self) -> str: ...

    def count(self, text: str) -> int: ...


Find = Callable[[str], Tokenizer | None]  # a real tokenizer for a model's name, if there is one


class Registry:
    """Tokenizers by family; any thread may ask and register: every step is one act of a dict."""

    def __init__(self) -> None:
        self._families: dict[str, Tokenizer] = dict(FAMILIES)
        self._registered: set[str] = set()
        self._find: Find | None = None
        self._found: dict[str, Tokenizer | None] = {}

    def register(self, family: str, tokenizer: Tokenizer) -> None:
        name = model_name(family).lower()
        if not name:
            raise ConfigError("a tokenizer family needs a name", key="family")
        self._families[name] = checked_tokenizer(tokenizer)
        self._registered.add(name)

    def find_with(self, find: Find | None) -> None:
        self._find, self._found = find, {}

    @property
    def looks(self) -> bool:
        return self._find is not None

    def get(self, model: str) -> Tokenizer:
        family = self._family(model.strip().lower())
        if family not in self._registered:
            found = self._installed(model.strip())
            if found is not None:
                return found
        return self._families[family] if family else ANY

    def _family(self, name: str) -> str:
        """The longest known family that begins a model's name; "" for none."""
        families = self._families
        for candidate in (name, name.rsplit("/", 1)[-1]):  # "openai/gpt-4o" is a gpt-4o
            if candidate in families:
                return candidate
            found = [family for family in list(families) if candidate.startswith(family)]
            if found:
                return max(found, key=len)
        return ""

    def _installed(self, model: str) -> Tokenizer | None:
        if self._find is None:
            return None
        found = self._found
        if model not in found:
            found[model] = self._find(model)
        return found[model]


def model_name(model: object) -> str:
    """A model's name; "" for none.

    Raises: ConfigError for what is no name.
    """
    if model is None or isinstance(model, str):
        return (model or "").strip()
    raise ConfigError(f"{model!r:.60} is not a model's name", '"gpt-4o"', key="model")


def checked_tokenizer(tokenizer: Tokenizer) -> Tokenizer:
    """Raises: ConfigError. A string has a `count` too, and would find no token in any text."""
    counts = callable(getattr(tokenizer, "count", None)) and hasattr(tokenizer, "name")
    if counts and not isinstance(tokenizer, str):
        return tokenizer
    told = f"a {type(tokenizer).__name__} is not a tokenizer"
    hint = "one has a name and count(text) -> int; a model's name goes to model="
    raise ConfigError(told, hint, key="tokenizer")


# The library's functions have no object to keep it in, so it is the process's.
_registry = Registry()


def register_tokenizer(family: str, tokenizer: Tokenizer) -> None:
    """Use `tokenizer` for every model whose name begins with `family`, whatever its case.

    Raises: ConfigError.
    """
    _registry.register(family, tokenizer)


def find_tokenizers_with(find: Find | None) -> None:
    """Ask `find` for a model's own tokenizer before an estimate is used for it."""
    _registry.find_with(find)


def looks_for_tokenizers() -> bool:
    """Whether somebody was named who knows of models' own tokenizers."""
    return _registry.looks


def get_tokenizer(model: str | None = None) -> Tokenizer:
    """The tokenizer for a model: a registered one (its exact name, else the longest family), else
    its own where it is installed, else the estimate for its family.

    Raises: ConfigError for what is no name.
    """
    name = model_name(model)
    return _registry.get(name) if name else ANY
