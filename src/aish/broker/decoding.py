"""JSON that a server sent, nested no deeper than an answer is."""

from __future__ import annotations

from typing import Any

import msgspec

from aish.core.nesting import DEEPEST, is_deep

UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
_decode = msgspec.json.Decoder().decode


def decoded(data: bytes) -> Any:
    """Raises: one of UNREADABLE."""
    value = _decode(data)
    if data.count(b"[") + data.count(b"{") > DEEPEST and is_deep(value):
        raise msgspec.DecodeError("it is nested too deeply")
    return value
