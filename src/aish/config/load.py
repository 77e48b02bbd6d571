"""Reading config.toml: strict, with the origin of every value and errors that name the key."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast, get_args, get_origin

import msgspec
from msgspec import structs

from aish.config.schema import EMBEDDED, Config
from aish.core.errors import ConfigError

DEFAULT = "default"


@dataclass(frozen=True, slots=True)
class Loaded:
    """The configuration and, for every key, where its value came from."""

    config: Config
    origins: Mapping[str, str]
    path: Path
    exists: bool


def load(path: Path) -> Loaded:
    """Read one file; a missing one means the defaults.

    Raises: ConfigError, one line naming file, key and what is allowed.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        text = None
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise ConfigError(f"cannot be read: {reason}", path=str(path)) from error
    try:
        table = tomllib.loads(text) if text else {}
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"not valid TOML: {error}", path=str(path)) from error
    reader = _Reader(str(path))
    config = cast(Config, reader.struct(Config, table, ""))
    _check_default_model(config, str(path))
    return Loaded(config, reader.origins, path, text is not None)


def _check_default_model(config: Config, path: str) -> None:
    names = [EMBEDDED, *config.models]
    if config.model not in names:
        raise ConfigError(
            f"no preset named {config.model!r}",
            f"one of: {', '.join(names)}",
            path=path,
            key="model",
        )
    if EMBEDDED in config.models:
        raise ConfigError(
            "this name means the embedded model",
            "choose another name, or set its file and window under [local]",
            path=path,
            key=f"models.{EMBEDDED}",
        )


class _Reader:
    """Turns TOML tables into structs, leaf by leaf, so that every error knows its key."""

    def __init__(self, path: str) -> None:
        self._path = path
        self.origins: dict[str, str] = {}

    def struct(self, kind: type[msgspec.Struct], table: Any, prefix: str) -> msgspec.Struct:
        if not isinstance(table, dict):
            raise self._error(prefix.rstrip("."), "a table is wanted", "write it as [section]")
        fields = structs.fields(kind)
        names = [field.encode_name for field in fields]
        for key in table:
            if key not in names:
                raise self._error(prefix + key, "unknown key", _suggestion(key, names))
        values = {}
        for field in fields:
            key = prefix + field.encode_name
            if field.encode_name in table:
                values[field.name] = self._value(field.type, table[field.encode_name], key)
            elif field.required:
                raise self._error(key, "missing", "every model needs an endpoint")
            else:
                self._note_defaults(field.type, key)
        return kind(**values)

    def _value(self, kind: Any, value: Any, key: str) -> Any:
        bare = _bare(kind)
        if isinstance(bare, type) and issubclass(bare, msgspec.Struct):
            return self.struct(bare, value, key + ".")
        if get_origin(bare) is dict and isinstance(value, dict):
            inner = get_args(bare)[1]
            return {
                name: self._value(inner, entry, f"{key}.{name}") for name, entry in value.items()
            }
        try:
            converted = msgspec.convert(value, kind, strict=True)
        except msgspec.ValidationError as error:
            raise self._error(
                key, f"{value!r} is not allowed", f"wanted: {allowed(kind)}"
            ) from error
        self.origins[key] = self._path
        return converted

    def _note_defaults(self, kind: Any, key: str) -> None:
        bare = _bare(kind)
        if isinstance(bare, type) and issubclass(bare, msgspec.Struct):
            for field in structs.fields(bare):
                self._note_defaults(field.type, f"{key}.{field.encode_name}")
        elif get_origin(bare) is not dict:
            self.origins[key] = DEFAULT

    def _error(self, key: str, message: str, hint: str) -> ConfigError:
        return ConfigError(message, hint, path=self._path, key=key)


def _bare(kind: Any) -> Any:
    """The type inside Annotated."""
    return get_args(kind)[0] if hasattr(kind, "__metadata__") else kind


def meta(kind: Any) -> msgspec.Meta:
    """What the schema says about a key beside its type."""
    found = [item for item in getattr(kind, "__metadata__", ()) if isinstance(item, msgspec.Meta)]
    return found[0] if found else msgspec.Meta()


WORDS = {str: "text", int: "a whole number", float: "a number", bool: "true or false"}


def allowed(kind: Any) -> str:
    """The allowed values of a key, in words."""
    about = meta(kind)
    if about.extra and "allowed" in about.extra:
        return str(about.extra["allowed"])
    words = WORDS.get(_bare(kind), str(_bare(kind)))
    if about.ge is not None:
        words += f", at least {about.ge}"
    if about.gt is not None:
        words += f", more than {about.gt}"
    if about.min_length:
        words += ", not empty"
    return words


def _suggestion(key: str, names: list[str]) -> str:
    from difflib import get_close_matches

    close = get_close_matches(key, names, 1)
    known = f"known here: {', '.join(names)}"
    return f"did you mean {close[0]}? {known}" if close else known


def flatten(config: Config) -> dict[str, Any]:
    """Every leaf of the configuration by its dotted key."""
    flat: dict[str, Any] = {}

    def walk(value: Any, key: str) -> None:
        if isinstance(value, msgspec.Struct):
            for field in structs.fields(value):
                walk(
                    getattr(value, field.name), f"{key}.{field.encode_name}" if key else field.name
                )
        elif isinstance(value, dict):
            for name, entry in value.items():
                walk(entry, f"{key}.{name}")
        else:
            flat[key] = value

    walk(config, "")
    return flat


def default_path(environ: Mapping[str, str] = os.environ) -> Path:
    """Where config.toml lies: `AISH_CONFIG`, else the XDG directory."""
    if named := environ.get("AISH_CONFIG"):
        return Path(named).expanduser()
    return xdg(environ, "XDG_CONFIG_HOME", ".config") / "config.toml"


def data_dir(environ: Mapping[str, str] = os.environ) -> Path:
    return xdg(environ, "XDG_DATA_HOME", ".local/share")


def cache_dir(environ: Mapping[str, str] = os.environ) -> Path:
    return xdg(environ, "XDG_CACHE_HOME", ".cache")


def xdg(environ: Mapping[str, str], variable: str, below_home: str) -> Path:
    """aish's directory of one XDG kind; a relative value is ignored, as the standard asks."""
    named = environ.get(variable, "")
    home = Path(environ.get("HOME") or Path("~").expanduser())
    return (Path(named) if named.startswith("/") else home / below_home) / "aish"
