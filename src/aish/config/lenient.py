"""A configuration with wrong lines: what is right in it stays in force, and every fault is told."""

from __future__ import annotations

import re
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

from aish.config.load import Loaded, parsed, text_of, understood
from aish.config.schema import EMBEDDED, Config, RoutingConfig
from aish.core.errors import ConfigError

MOST_FAULTS = 40
_LINE = re.compile(r"at line (\d+)")
_HEADER = re.compile(r"\s*\[")
# A fault in what guards money or secrets must not read as "no cap" or "nothing to hide".
_GUARDS = re.compile(
    r"\b(?:cap_(?:at_dollars|per_day|per_run)|price_(?:in|out)|redact|vault|confirm_cmd|sandbox)\b"
    r"|^\s*\[+\s*(?:cost|secrets|safety)\b|^(?:cost|secrets|safety)(?:\.|$)",
    re.MULTILINE,
)
UNGUARDED = "until that is mended, only the embedded model is asked"


def load_what_is_right(path: Path) -> Loaded:
    """Read one file and leave out what is wrong in it; `problems` of the result names each fault.

    Raises: ConfigError for a file that cannot be read at all.
    """
    text = text_of(path)
    if not text:
        return Loaded(Config(), {}, path, text is not None)
    problems: list[ConfigError] = []
    left_out: list[str] = []
    table = _without_broken_lines(text, path, problems, left_out)
    loaded = _without_wrong_keys(table, path, problems)
    told = [error.key for error in problems] + left_out
    if any(map(_GUARDS.search, told)):
        safe = replace(loaded.config, models={}, model=EMBEDDED, routing=RoutingConfig())
        loaded = replace(loaded, config=safe)
        problems.append(ConfigError(UNGUARDED, path=str(path)))
    return replace(loaded, problems=tuple(problems))


def wrong_keys(table: dict[str, Any], path: Path) -> dict[str, ConfigError]:
    """The faults of a table that TOML could read, by key."""
    problems: list[ConfigError] = []
    _without_wrong_keys(deepcopy(table), path, problems)
    return {problem.key: problem for problem in problems}


def _without_broken_lines(
    text: str, path: Path, problems: list[ConfigError], left_out: list[str]
) -> dict[str, Any]:
    """The table of all lines that TOML can read."""
    lines = text.split("\n")
    for _ in range(MOST_FAULTS):
        try:
            return parsed("\n".join(lines), path)
        except ConfigError as error:
            problems.append(error)
            found = _LINE.search(error.message)
            at = int(found[1]) - 1 if found else _where_it_breaks(lines, path)
            for gone in _spoilt(lines, min(at, len(lines) - 1)):
                left_out.append(lines[gone])
                lines[gone] = ""
    return {}


def _where_it_breaks(lines: list[str], path: Path) -> int:
    """The line after the longest beginning that can be read: what it opens is never closed."""
    for end in range(len(lines) - 1, 0, -1):
        try:
            parsed("\n".join(lines[:end]), path)
        except ConfigError:
            continue
        return next((at for at in range(end, len(lines)) if lines[at].strip()), end)
    return 0


def _spoilt(lines: list[str], at: int) -> range:
    """The line; of a broken header all of its section, or its keys would fall to the one before."""
    if not _HEADER.match(lines[at]):
        return range(at, at + 1)
    rest = range(at + 1, len(lines))
    return range(at, next((line for line in rest if _HEADER.match(lines[line])), len(lines)))


def _without_wrong_keys(table: dict[str, Any], path: Path, problems: list[ConfigError]) -> Loaded:
    """The configuration of all keys that mean something."""
    for _ in range(MOST_FAULTS):
        try:
            return understood(table, path)
        except ConfigError as error:
            problems.append(error)
            _remove(table, error.key)
    return Loaded(Config(), {}, path, True)


def _remove(table: dict[str, Any], key: str) -> None:
    """Take a dotted key out; the table around it where the key is what is missing."""
    walk: list[tuple[dict[str, Any], str]] = []
    inner: Any = table
    while key and isinstance(inner, dict):
        name = _longest_name(inner, key)
        if name is None:
            break
        walk.append((inner, name))
        inner = inner[name]
        key = key[len(name) + 1 :]
    if walk:
        holder, name = walk[-1]
        del holder[name]
    else:
        table.clear()


def _longest_name(table: dict[str, Any], key: str) -> str | None:
    """Names may have dots of their own."""
    fits: Callable[[str], bool] = lambda name: key == name or key.startswith(f"{name}.")  # noqa: E731
    return max(filter(fits, table), key=len, default=None)
