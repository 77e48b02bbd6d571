"""Changing one key of config.toml and nothing else: comments, order and layout stay."""

from __future__ import annotations

import json
import os
import re
from contextlib import suppress
from dataclasses import Field, fields
from pathlib import Path
from typing import Any

from aish.config.lenient import wrong_keys
from aish.config.load import allowed, is_allowed, parsed, suggestion, text_of
from aish.config.places import make_private
from aish.config.schema import NESTED, SECTIONS, TABLES, Config
from aish.core.errors import ConfigError, UsageError

_HEADER = re.compile(r"\s*\[[^\[\]].*")
_ASSIGNMENT = re.compile(
    r"""(?P<before>\s*(?P<key>[\w."'-]+)\s*=\s*)"""
    r"""(?P<value>"(?:[^"\\]|\\.)*"|'[^']*'|[^\s#"'\[{][^#]*?)(?P<after>\s*(?:\#.*)?)$"""
)
_KEY = re.compile(r"""\s*(?P<key>[\w."'-]+)\s*=""")
_BARE = re.compile(r"[\w-]+$")


def set_key(path: Path, key: str, value: str) -> str:
    """Give a key a value in the file; returns the value as it stands there.

    Raises: UsageError for a key or value that means nothing; ConfigError for a file that cannot
    be changed without touching more than that key.
    """
    written = _written(_field(key), key, value)
    before = text_of(path) or ""
    after = changed(before, tuple(_names(key)), written, path)
    _check(parsed(before, path), parsed(after, path), path)
    _replace(path, after)
    return written


def unset_key(path: Path, key: str) -> None:
    """Take a key out of the file: its default is in force again, and comments stay.

    Raises: UsageError for a key that is not in it; ConfigError for a file that cannot be changed
    without touching more than that key.
    """
    before = text_of(path) or ""
    after = removed(before, tuple(_names(key)), path)
    _check(parsed(before, path), parsed(after, path), path)
    _replace(path, after)


def _check(before: dict[str, Any], after: dict[str, Any], path: Path) -> None:
    """A file with faults of its own can still be mended key by key; one more is refused.

    Raises: ConfigError.
    """
    known = wrong_keys(before, path)
    for key, fault in wrong_keys(after, path).items():
        if key not in known:
            raise fault


def changed(text: str, names: tuple[str, ...], written: str, path: Path) -> str:
    """The text with one key set; checked to mean what it meant before but for that key."""
    wanted = parsed(text, path)
    inner = wanted
    for name in names[:-1]:
        inner = inner.setdefault(name, {})
        if not isinstance(inner, dict):
            raise ConfigError("a table is wanted", "edit the file", path=str(path), key=name)
    inner[names[-1]] = parsed(f"x = {written}", path)["x"]
    after = _edited(text, names, written, path)
    if parsed(after, path) != wanted:
        raise ConfigError(
            "cannot be set here without touching more", "edit the file", path=str(path)
        )
    return after


def removed(text: str, names: tuple[str, ...], path: Path) -> str:
    """The text without one key; checked to mean what it meant before but for that key."""
    wanted = parsed(text, path)
    inner: Any = wanted
    for name in names[:-1]:
        inner = inner.get(name) if isinstance(inner, dict) else None
    key = ".".join(names)
    if not isinstance(inner, dict) or names[-1] not in inner:
        raise UsageError(f"{key} is not set in {path}", "`:config show` says where values are from")
    if isinstance(inner[names[-1]], dict):
        raise UsageError(f"{key} is not one key", "`:config show` lists them")
    del inner[names[-1]]
    lines = text.split("\n")
    begin = _line_of(names, lines, path)
    for end in range(begin + 1, len(lines) + 1):  # a list may go on over many lines
        after = "\n".join(lines[:begin] + lines[end:])
        with suppress(ConfigError):
            if _filled(parsed(after, path)) == _filled(wanted):
                return after
    raise ConfigError("cannot be taken out without touching more", "edit the file", path=str(path))


def _line_of(names: tuple[str, ...], lines: list[str], path: Path) -> int:
    """Where a key is set; behind the last line, where it stands within another value."""
    section: tuple[str, ...] = ()
    for at, line in enumerate(lines):
        if _HEADER.match(line):
            section = _section_of(line, path)
        found = _KEY.match(line)
        if found and section + _key_path(found["key"], path) == names:
            return at
    return len(lines)


def _filled(table: dict[str, Any]) -> dict[str, Any]:
    """Without tables that hold nothing: whether one is named is of no consequence."""
    inner = {name: _filled(one) if isinstance(one, dict) else one for name, one in table.items()}
    return {name: one for name, one in inner.items() if one != {}}


def _edited(text: str, names: tuple[str, ...], written: str, path: Path) -> str:
    lines = text.split("\n")
    section: tuple[str, ...] = ()
    last = None  # the last line of the key's own section that is no comment
    for at, line in enumerate(lines):
        if _HEADER.match(line):
            section = _section_of(line, path)
        found = _ASSIGNMENT.match(line)
        if found and section + _key_path(found["key"], path) == names:
            lines[at] = f"{found['before']}{written}{found['after']}"
            return "\n".join(lines)
        if section == names[:-1] and line.strip() and not line.lstrip().startswith("#"):
            last = at
    assignment = f"{_quoted(names[-1])} = {written}"
    if last is not None:
        lines.insert(last + 1, assignment)
    elif len(names) == 1:
        lines.insert(_below_first_comment(lines), assignment)
    else:
        return _with_section(lines, names[:-1], assignment)
    return "\n".join(lines)


def _below_first_comment(lines: list[str]) -> int:
    """Where a first key of no section goes: a comment at the top may be about the whole file."""
    for at, line in enumerate(lines):
        if not line.startswith("#"):
            return 0 if line.strip() else at
    return 0


def _with_section(lines: list[str], section: tuple[str, ...], assignment: str) -> str:
    body = "\n".join(lines).rstrip("\n")
    header = f"[{'.'.join(map(_quoted, section))}]"
    return (f"{body}\n\n" if body else "") + f"{header}\n{assignment}\n"


def _section_of(header: str, path: Path) -> tuple[str, ...]:
    try:
        return _only_path(parsed(header.strip(), path))
    except ConfigError:
        return ("",)


def _key_path(key: str, path: Path) -> tuple[str, ...]:
    try:
        return _only_path(parsed(f"{key} = 0", path))
    except ConfigError:
        return ("",)


def _only_path(table: Any) -> tuple[str, ...]:
    """The names down a table with one entry at each level."""
    names: list[str] = []
    while isinstance(table, dict) and len(table) == 1:
        name, table = next(iter(table.items()))
        names.append(name)
    return tuple(names)


def _quoted(name: str) -> str:
    return name if _BARE.match(name) else json.dumps(name, ensure_ascii=False)


def _names(key: str) -> list[str]:
    """A dotted key in its parts; a preset's name may have dots of its own."""
    parts = key.split(".")
    if parts[0] in TABLES and len(parts) > 3:
        return [parts[0], ".".join(parts[1:-1]), parts[-1]]
    return parts


def _field(key: str) -> Field[Any]:
    """The schema's entry of a dotted key.

    Raises: UsageError, naming the closest one.
    """
    kind: type = Config
    names = _names(key)
    if names[0] in TABLES and len(names) == 3:
        kind, names = TABLES[names[0]], names[2:]
    while True:
        known = {field.name: field for field in fields(kind)}
        found = known.get(names[0])
        if found is None or names[0] in TABLES:
            raise UsageError(f"there is no key {key}", suggestion(names[0], list(known)))
        inner = SECTIONS.get(names[0]) if kind is Config else NESTED.get(str(found.type))
        if inner is None and len(names) == 1:
            return found
        if inner is None or len(names) == 1:
            raise UsageError(f"{key} is not one key", "`:config show` lists them")
        kind, names = inner, names[1:]


def _written(field: Field[Any], key: str, value: str) -> str:
    """The value as TOML; text needs no quotes of its own.

    Raises: UsageError.
    """
    meant: Any = value
    with suppress(ConfigError):
        meant = parsed(f"x = {value}", Path())["x"]
    if field.type == "str" and not isinstance(meant, str):
        meant = value
    if not is_allowed(field, meant):
        raise UsageError(f"{key} cannot be {value}", f"wanted: {allowed(field)}")
    return json.dumps(meant, ensure_ascii=False)


def _replace(path: Path, text: str) -> None:
    """Put the file there whole; a link stays a link, and only its owner may read what is new."""
    target = path.resolve()
    fresh = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        make_private(target.parent)
        mode = target.stat().st_mode & 0o777 if target.exists() else 0o600
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        fresh.chmod(mode)
        fresh.replace(target)
    except OSError as error:
        fresh.unlink(missing_ok=True)
        raise ConfigError(f"cannot be written: {error.strerror}", path=str(path)) from error
