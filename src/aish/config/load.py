"""Reading config.toml: strict, with the origin of every value and errors that name the key."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any

from aish.config.schema import EMBEDDED, NESTED, SECTIONS, TABLES, Config
from aish.core.errors import ConfigError

DEFAULT = "default"
TYPES: dict[Any, tuple[type | tuple[type, ...], str]] = {
    "str": (str, "text"),
    "int": (int, "a whole number"),
    "float": ((int, float), "a number"),
    "bool": (bool, "true or false"),
}


@dataclass(frozen=True, repr=False, eq=False)
class Loaded:
    """The configuration and, for every key, where its value came from."""

    config: Config
    origins: Mapping[str, str]
    path: Path
    exists: bool
    problems: tuple[ConfigError, ...] = ()  # what was left out, where that is allowed


def load(path: Path) -> Loaded:
    """Read one file; a missing one means the defaults.

    Raises: ConfigError, one line naming file, key and what is allowed.
    """
    text = text_of(path)
    if not text:
        return Loaded(Config(), {}, path, text is not None)
    return understood(parsed(text, path), path)


def parsed(text: str, path: Path) -> dict[str, Any]:
    """Raises: ConfigError, naming the line."""
    import tomllib

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"not valid TOML: {error}", path=str(path)) from error


def understood(table: dict[str, Any], path: Path) -> Loaded:
    """The configuration that a table means.

    Raises: ConfigError, naming the first wrong key.
    """
    reader = _Reader(str(path))
    config = reader.config(table)
    _check_models(config, str(path))
    return Loaded(config, reader.origins, path, True)


def text_of(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise ConfigError(f"cannot be read: {reason}", path=str(path)) from error


def _check_models(config: Config, path: str) -> None:
    if EMBEDDED in config.models:
        raise ConfigError(
            "this name means the embedded model",
            "choose another name, or set its file and window under [local]",
            path=path,
            key=f"models.{EMBEDDED}",
        )
    names = [EMBEDDED, *config.models]
    for key, name in chosen_presets(config).items():
        if name not in names:
            raise ConfigError(
                f"no preset named {name!r}", f"one of: {', '.join(names)}", path=path, key=key
            )


def chosen_presets(config: Config) -> dict[str, str]:
    """Every key that names a preset, with the name it gives."""
    routing = config.routing
    chosen = {
        "context.summarizer_model": config.context.summarizer_model,
        "memory.summarizer_model": config.memory.summarizer_model,
        "routing.fallback_model": routing.fallback_model,
        "routing.classes.code": routing.classes.code,
        "routing.classes.reasoning": routing.classes.reasoning,
        "routing.classes.default": routing.classes.default,
    }
    return {"model": config.model} | {key: name for key, name in chosen.items() if name}


class _Reader:
    """Turns TOML tables into the schema's values, so that every error knows its key."""

    def __init__(self, path: str) -> None:
        self._path = path
        self.origins: dict[str, str] = {}

    def config(self, table: dict[str, Any]) -> Config:
        values: dict[str, Any] = {}
        for name, value in table.items():
            if name in TABLES:
                entries = self._table(value, name)
                values[name] = {
                    entry: self._section(TABLES[name], inner, f"{name}.{entry}.")
                    for entry, inner in entries.items()
                }
            elif name in SECTIONS:
                values[name] = self._section(SECTIONS[name], value, f"{name}.")
            else:
                values[name] = self._value(self._field(Config, name, ""), value, name)
        return Config(**values)

    def _section(self, kind: type, table: Any, prefix: str) -> Any:
        values = {}
        for name, value in self._table(table, prefix.rstrip(".")).items():
            values[name] = self._value(self._field(kind, name, prefix), value, prefix + name)
        for field in fields(kind):
            if field.default is MISSING and field.name not in values:
                raise self._error(prefix + field.name, "missing", f"wanted: {allowed(field)}")
        return kind(**values)

    def _table(self, value: Any, key: str) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise self._error(key, "a table is wanted", f"write it as [{key}]")
        return value

    def _field(self, kind: type, name: str, prefix: str) -> Field[Any]:
        known = {field.name: field for field in fields(kind)}
        if name not in known:
            raise self._error(prefix + name, "unknown key", suggestion(name, list(known)))
        return known[name]

    def _value(self, field: Field[Any], value: Any, key: str) -> Any:
        if field.type in NESTED:
            return self._section(NESTED[str(field.type)], value, f"{key}.")
        if not is_allowed(field, value):
            shown = repr(value) if isinstance(value, str) else str(value).lower()
            raise self._error(key, f"{shown[:60]} is not allowed", f"wanted: {allowed(field)}")
        self.origins[key] = self._path
        return float(value) if field.type == "float" else value

    def _error(self, key: str, message: str, hint: str) -> ConfigError:
        return ConfigError(message, hint, path=self._path, key=key)


def is_allowed(field: Field[Any], value: Any) -> bool:
    """Whether a value fits its key."""
    kind, _ = TYPES[field.type]
    if not isinstance(value, kind) or (isinstance(value, bool) and field.type != "bool"):
        return False
    about = field.metadata
    if about["least"] is not None and value < about["least"]:
        return False
    if about["choices"] and value not in about["choices"]:
        return False
    return not about["pattern"] or re.match(str(about["pattern"]), str(value)) is not None


def allowed(field: Field[Any]) -> str:
    """The allowed values of a key, in words."""
    about = field.metadata
    if about["wanted"]:
        return str(about["wanted"])
    if about["choices"]:
        return f"one of {', '.join(about['choices'])}"
    words = TYPES[field.type][1]
    return words if about["least"] is None else f"{words}, at least {about['least']}"


def suggestion(key: str, names: list[str]) -> str:
    """The name that was perhaps meant, and those there are."""
    from difflib import get_close_matches

    close = get_close_matches(key, names, 1)
    known = f"known here: {', '.join(names)}"
    return f"did you mean {close[0]}? {known}" if close else known


def flatten(config: Config) -> dict[str, Any]:
    """Every leaf of the configuration by its dotted key."""
    flat: dict[str, Any] = {}

    def walk(value: Any, key: str) -> None:
        if is_dataclass(value):
            for field in fields(value):
                walk(getattr(value, field.name), f"{key}.{field.name}" if key else field.name)
        elif isinstance(value, Mapping):
            for name, entry in value.items():
                walk(entry, f"{key}.{name}")
        else:
            flat[key] = value

    walk(config, "")
    return flat
