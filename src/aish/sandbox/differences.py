"""How two states of a file differ, as a person reads it."""

from __future__ import annotations

import difflib
import os
import stat
from collections.abc import Iterator

MOST_BYTES = 512 * 1024  # of a file that is compared line by line
MOST_LINES = 400  # of a difference that is shown


def difference(old: str, new: str, name: str) -> Iterator[str]:
    """The lines of a unified difference; "" for a path means that nothing is there."""
    before, after = _lines(old), _lines(new)
    if before is None or after is None:
        yield f"{name}: not text, or too long to compare"
        return
    lines = difflib.unified_diff(before, after, f"a/{name}", f"b/{name}", lineterm="\n")
    for number, line in enumerate(lines):
        if number == MOST_LINES:
            yield f"… and more: only the first {MOST_LINES} lines of the difference are shown"
            return
        yield line.rstrip("\n")
        if not line.endswith("\n"):
            yield "\\ no newline at the end"


def _lines(path: str) -> list[str] | None:
    """The text of a file; None when it is none."""
    try:
        found = os.lstat(path)
        if stat.S_ISLNK(found.st_mode):
            return [f"→ {os.readlink(path)}\n"]
        if stat.S_ISREG(found.st_mode):
            return _text(path) if found.st_size <= MOST_BYTES else None
    except FileNotFoundError:
        return []  # "" too
    except (OSError, UnicodeDecodeError):
        return None
    return []


def _text(path: str) -> list[str] | None:
    with open(path, "rb") as file:
        data = file.read()
    return None if b"\0" in data else data.decode("utf-8").splitlines(keepends=True)
