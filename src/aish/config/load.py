"""Reading config.toml: strict, with the origin of every value and errors that name the key."""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from pathlib import Path
from typing import Any

from aish.config.schema import EMBEDDED, NAMED, NESTED, SECTIONS, TABLES, Config
from aish.core.errors import ConfigError
from aish.core.values import dataclass

DEFAULT = "default"
TYPES: dict[Any, tuple[type | tuple[type, ...], str]] = {
    "str": (str, "text"),
    "int": (int, "a whole number"),
    "float": ((int, float), "a number"),
    "bool": (bool, "true or false"),
    "Texts": (dict, "a table of texts"),
    "Values": (dict, "a table"),
    "Lines": (list, "a list of texts"),
    "Switch": ((str, bool), "true, false or a word"),
}
LARGEST_FILE = 4 << 20  # bytes
LARGEST = 1 << 53  # whole numbers above it are nobody's window or budget
# Fields of a request that aish sets itself: they decide what it costs and what it says.
OWN_FIELDS = (
    "model",
    "messages",
    "max_tokens",
    "max_completion_tokens",
    "n",
    "best_of",
    "stream",
    "stream_options",
    "tools",
)


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
    except RecursionError as error:
        raise ConfigError("not valid TOML: nested too deeply", path=str(path)) from error
    except ValueError as error:  # TOMLDecodeError, or a number of thousands of digits
        raise ConfigError(f"not valid TOML: {str(error)[:200]}", path=str(path)) from error


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
        return _read(path).decode("utf-8")
    except FileNotFoundError as error:
        if path.is_symlink():  # what it leads to may hold caps
            hint = "mount or mend what it leads to, or remove the link"
            raise ConfigError("is a link to nothing", hint, path=str(path)) from error
        return None
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise ConfigError(f"cannot be read: {reason}", path=str(path)) from error


def _read(path: Path) -> bytes:
    """The file's bytes; a link may lead to it (dotfiles are kept so), but only to a file.

    Raises: OSError.
    """
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "it is no regular file")
        data = file.read(LARGEST_FILE + 1)
    if len(data) > LARGEST_FILE:
        raise OSError(errno.EFBIG, f"it is larger than {LARGEST_FILE >> 20} MB")
    return data


def _check_models(config: Config, path: str) -> None:
    if EMBEDDED in config.models:
        raise ConfigError(
            "this name means the embedded model",
            "choose another name, or set its file and window under [local]",
            path=path,
            key=f"models.{EMBEDDED}",
        )
    for name, preset in config.models.items():
        if own := [field for field in preset.options if field in OWN_FIELDS]:
            raise ConfigError(
                f"{own[0]} is set by aish itself",
                "the length of answers is `reserve`, the model `model`",
                path=path,
                key=f"models.{name}.options",
            )
    _check_servers(config, path)
    names = [EMBEDDED, *config.models]
    for key, name in chosen_presets(config).items():
        if name not in names:
            raise ConfigError(
                f"no preset named {name!r}", f"one of: {', '.join(names)}", path=path, key=key
            )


def _check_servers(config: Config, path: str) -> None:
    if not config.mcp.servers:
        return
    from aish.core.tools import is_server_name

    for name, server in config.mcp.servers.items():
        key = f"mcp.servers.{name}"
        if not is_server_name(name):
            hint = "letters, digits, - and single _ between them"
            raise ConfigError("is no name", hint, path=path, key=key)
        if server.command and server.url:
            raise ConfigError("has a command and a url", "take one away", path=path, key=key)


def chosen_presets(config: Config) -> dict[str, str]:
    """Every key that names a preset, with the name it gives."""
    routing = config.routing
    chosen = {
        "context.summarizer_model": config.context.summarizer_model,
        "memory.summarizer_model": config.memory.summarizer_model,
        "norris.preplanner": config.norris.preplanner,
        "norris.executor": config.norris.executor,
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
            if is_required(field) and field.name not in values:
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
        if field.type in NAMED:
            entries = self._table(value, key)
            kind = NAMED[str(field.type)]
            return {
                name: self._section(kind, inner, f"{key}.{name}.")
                for name, inner in entries.items()
            }
        if not is_allowed(field, value):
            shown = short(value, of=field.name)[:60]
            raise self._error(key, f"{shown} is not allowed", f"wanted: {allowed(field)}")
        if key == "safety.rules":
            self._rules(value, key)
        self.origins[key] = self._path
        return float(value) if field.type == "float" else value

    def _rules(self, lines: list[str], key: str) -> None:
        from aish.core.safety.user_rules import parse_rule

        for line in lines:
            try:
                parse_rule(line)
            except ValueError as error:
                raise self._error(key, f"{line[:60]!r} is no rule", str(error)) from error

    def _error(self, key: str, message: str, hint: str) -> ConfigError:
        return ConfigError(message, hint, path=self._path, key=key)


def is_required(field: Field[Any]) -> bool:
    return field.default is MISSING and field.default_factory is MISSING


def default_of(field: Field[Any]) -> Any:
    return field.default if field.default_factory is MISSING else field.default_factory()


def short(value: Any, of: str = "") -> str:
    """A value for an error line, without what may be a key in it: in an address or a table."""
    if isinstance(value, str):
        return repr(re.sub(r"^.*@|\?.*$", "…", value) if of == "endpoint" else value)
    if isinstance(value, dict):
        return f"a table of {', '.join(map(repr, value)) or 'nothing'}"
    try:
        return str(value).lower()
    except ValueError:  # too many digits to be shown
        return "a number of thousands of digits"


def is_allowed(field: Field[Any], value: Any) -> bool:
    """Whether a value fits its key."""
    about = field.metadata
    if not _has_type(str(field.type), value):
        return False
    if field.name == "headers" and not _can_be_header(value):
        return False
    if about["least"] is not None and value < about["least"]:
        return False
    if about["choices"] and value not in about["choices"]:
        return False
    return not about["pattern"] or re.match(str(about["pattern"]), str(value)) is not None


def _has_type(name: str, value: Any) -> bool:
    kind, _ = TYPES[name]
    if not isinstance(value, kind):
        return False
    if isinstance(value, bool):
        return name in ("bool", "Switch")
    if isinstance(value, int | float):
        return abs(value) <= LARGEST  # neither infinite nor NaN
    if name == "Lines" and isinstance(value, list):
        return all(isinstance(line, str) for line in value)
    if name == "Texts" and isinstance(value, dict):
        texts = [text for pair in value.items() for text in pair]
        return all(isinstance(text, str) and text.isprintable() for text in texts)
    return True


def _can_be_header(texts: Mapping[str, str]) -> bool:
    return all(text.isascii() for pair in texts.items() for text in pair)


def allowed(field: Field[Any]) -> str:
    """The allowed values of a key, in words."""
    about = field.metadata
    if about["wanted"]:
        return str(about["wanted"])
    if about["choices"]:
        return f"one of {', '.join(map(_word, about['choices']))}"
    words = TYPES[field.type][1]
    return words if about["least"] is None else f"{words}, at least {about['least']}"


def _word(choice: str | bool) -> str:
    return str(choice).lower() if isinstance(choice, bool) else choice


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
                name, inner = (
                    f"{key}.{field.name}" if key else field.name,
                    getattr(value, field.name),
                )
                if field.type in ("Texts", "Values"):
                    flat[name] = inner
                else:
                    walk(inner, name)
        elif isinstance(value, Mapping):
            for name, entry in value.items():
                walk(entry, f"{key}.{name}")
        else:
            flat[key] = value

    walk(config, "")
    return flat
