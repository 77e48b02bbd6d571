"""Records as lines of JSON, read and written."""

from __future__ import annotations

from typing import Any, BinaryIO

import msgspec

from aish.ui.style import harmless

# What reading a record raises that is not as it should be.
UNREADABLE = (
    msgspec.DecodeError,
    UnicodeDecodeError,
    RecursionError,
    KeyError,
    TypeError,
    AttributeError,
)


def json_line(record: Any, target: BinaryIO) -> bytes:
    """A record as its line; a terminal gets nothing in it that it would obey."""
    line = msgspec.json.encode(record)
    if target.isatty():
        line = harmless(line.decode()).encode()
    return line + b"\n"
