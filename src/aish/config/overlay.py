"""The project overlay `.aish.toml`: found, read once, and merged key by key where that is allowed.

Deny by default: a key is a project's to set only if it stands in ALLOWED, or in STRICTER and makes
aish more careful. So a key that is added to the schema is out of a project's reach until somebody
decides otherwise here.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Callable, Iterator, Mapping
from dataclasses import Field, fields, is_dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from aish.config.load import Loaded, allowed, flatten, is_allowed, parsed, short
from aish.config.schema import EMBEDDED, TABLES, Config
from aish.core.errors import ConfigError
from aish.core.secrets.policies import POLICIES
from aish.core.values import dataclass

NAME = ".aish.toml"
LARGEST = 64 * 1024
ROUTES = ("routing.classes.", "routing.fallback_model")  # empty, or a preset
ALLOWED = (
    "model",
    "models.*.window",
    "models.*.reserve",
    "models.*.timeout_ms",
    "models.*.local_compress",
    "context.*",
    "tokenize.*",
    "memory.inject_max_chars",
    "routing.*",
    "cost.warn_at_*",
    "norris.tasks_max",
    "project.auto_tree",
    "shell.capture_kb",
    "ui.prompt",
    "ui.theme",
    "ui.highlight",
)
# What was made for the whole of a sitting, so that a project has it only where aish starts in it.
AT_START = ("shell.capture_kb", "ui.prompt", "ui.theme")


def _lower(old: Any, new: Any) -> bool:
    return old is None or new <= old


def _switched_on(old: Any, new: Any) -> bool:
    return bool(new) or not old


def _hides_more(old: Any, new: Any) -> bool:
    """`auto` may stand for the autodetection, so a project must hide at least that."""
    order: tuple[str, ...] = POLICIES
    least = old if old in order else "vault+autodetect"
    return new == old or (new in order and order.index(new) >= order.index(least))


# Only in the careful direction. A cap of 0 means none, so it is never lower than another.
STRICTER: Mapping[str, tuple[Callable[[Any, Any], bool], str]] = {
    "cost.cap_at_dollars": (lambda old, new: new > 0 and (not old or new <= old), "lower it"),
    "cost.cap_per_day": (lambda old, new: new > 0 and (not old or new <= old), "lower it"),
    "norris.max_steps": (lambda old, new: new > 0 and (not old or new <= old), "lower it"),
    "norris.ask_harmless": (_switched_on, "switch it on"),
    "safety.confirm_cmd": (_switched_on, "switch it on"),
    "safety.sandbox": (_switched_on, "switch it on"),
    "safety.read_typed": (_switched_on, "switch it on"),
    "safety.never_run": (_switched_on, "switch it on"),
    "secrets.default": (_hides_more, "hide more"),
    "models.*.redact": (_hides_more, "hide more"),
}


@dataclass(frozen=True, slots=True)
class Overlay:
    """A project's file as it was read: what is shown, trusted and merged is this one text."""

    path: Path
    text: str
    sha256: str


@dataclass(frozen=True, slots=True)
class SettingChange:
    """What an overlay changes, for the question whether to trust it."""

    key: str
    before: Any
    after: Any


def find_overlay(start: Path, home: Path) -> Path | None:
    """The nearest `.aish.toml` from a directory up to home; outside home, up to below the root."""
    for folder in (start, *start.parents):
        if folder == Path(folder.root):
            return None
        candidate = folder / NAME
        if os.path.isfile(candidate):  # noqa: PTH113  (False where the user may not look)
            return candidate
        if folder == home:
            return None
    return None


def read_overlay(path: Path) -> Overlay | None:
    """The file, read once; None when it is gone.

    Raises: ConfigError.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOFOLLOW)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ConfigError(f"cannot be read: {error.strerror}", path=str(path)) from error
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise ConfigError("is not a file", path=str(path))
        data = os.read(descriptor, LARGEST + 1)
    finally:
        os.close(descriptor)
    if len(data) > LARGEST:
        raise ConfigError(f"is larger than {LARGEST // 1024} KiB", path=str(path))
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ConfigError("is not UTF-8 text", path=str(path)) from error
    return Overlay(path, text, hashlib.sha256(data).hexdigest())


def merge_overlay(loaded: Loaded, overlay: Overlay) -> Loaded:
    """The configuration with the project's keys in it, and their origin noted.

    Raises: ConfigError, for what is wrong or not a project's to set.
    """
    config, origins = loaded.config, dict(loaded.origins)
    source = str(overlay.path)
    for key, given in _leaves(_table(overlay), config):
        _check_reach(key, source)
        field, before = _place(config, key, source)
        value = _checked(config, field, key, given, source)
        _check_careful(key, before, value, source)
        config = _with(config, key.split("."), value)
        origins[key] = source
    return Loaded(config, origins, loaded.path, loaded.exists)


def changes(before: Config, after: Config) -> list[SettingChange]:
    """What differs between two configurations, key by key."""
    old, new = flatten(before), flatten(after)
    return [
        SettingChange(key, old.get(key), value)
        for key, value in new.items()
        if key not in old or old[key] != value
    ]


def _table(overlay: Overlay) -> dict[str, Any]:
    return parsed(overlay.text, overlay.path)


def _leaves(table: Mapping[str, Any], place: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Every key with its value, as deep as the schema has sections; a table below is a value."""
    for name, value in table.items():
        key = f"{prefix}{name}"
        if isinstance(place, Mapping):
            inside = place.get(name)
        else:
            inside = getattr(place, name, None) if is_dataclass(place) else None
        if isinstance(value, dict) and (is_dataclass(inside) or key in TABLES):
            yield from _leaves(value, inside, f"{key}.")
        elif isinstance(value, dict) and prefix.rstrip(".") in TABLES:
            yield from ((f"{key}.{inner}", given) for inner, given in value.items())
        else:
            yield key, value


def _check_reach(key: str, source: str) -> None:
    if not any(fnmatchcase(key, pattern) for pattern in (*ALLOWED, *STRICTER)):
        raise _denied(key, source)


def _place(config: Config, key: str, source: str) -> tuple[Field[Any], Any]:
    """The field a key stands for, and its present value.

    Raises: ConfigError, for an unknown key, and when a project would add a preset.
    """
    value: Any = config
    found: Field[Any] | None = None
    for part in key.split("."):
        if isinstance(value, Mapping):
            if part not in value:
                raise _denied(key, source)
            found, value = None, value[part]
            continue
        known = {field.name: field for field in fields(value)} if is_dataclass(value) else {}
        if part not in known:
            raise ConfigError("unknown key", "`aish config example`", path=source, key=key)
        found, value = known[part], getattr(value, part)
    if found is None or is_dataclass(value):
        raise _denied(key, source)
    return found, value


def _checked(config: Config, field: Field[Any], key: str, value: Any, source: str) -> Any:
    if not is_allowed(field, value):
        shown = short(value)[:60]
        raise ConfigError(
            f"{shown} is not allowed", f"wanted: {allowed(field)}", path=source, key=key
        )
    names = [EMBEDDED, *config.models]
    is_name = key == "model" or (value and key.startswith(ROUTES))
    if is_name and value not in names:
        raise ConfigError(
            f"no preset named {value!r}", f"one of: {', '.join(names)}", path=source, key=key
        )
    return float(value) if field.type == "float" else value


def _check_careful(key: str, before: Any, value: Any, source: str) -> None:
    for pattern, (is_careful, direction) in STRICTER.items():
        if fnmatchcase(key, pattern) and not is_careful(before, value):
            raise ConfigError(
                "a project may not make this less careful",
                f"a project may only {direction}",
                path=source,
                key=key,
            )


def _denied(key: str, source: str) -> ConfigError:
    return ConfigError(
        "a project may not set this", "set it in your own config.toml", path=source, key=key
    )


def _with(value: Any, parts: list[str], new: Any) -> Any:
    """A copy of the configuration with one leaf changed."""
    name, *rest = parts
    if isinstance(value, Mapping):
        return {**value, name: _with(value[name], rest, new)}
    return replace(value, **{name: _with(getattr(value, name), rest, new) if rest else new})
