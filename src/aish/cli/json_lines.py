"""Records as lines of JSON on standard output."""

from __future__ import annotations

from typing import Any, BinaryIO

import msgspec

from aish.ui.style import harmless


def json_line(record: Any, target: BinaryIO) -> bytes:
    """A record as its line; a terminal gets nothing in it that it would obey."""
    line = msgspec.json.encode(record)
    if target.isatty():
        line = harmless(line.decode()).encode()
    return line + b"\n"
