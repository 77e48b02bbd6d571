"""How deeply the values of somebody else's JSON are nested."""

from __future__ import annotations

from typing import Any

DEEPEST = 100  # levels of anything that is meant: what walks through more ends its own stack


def is_deep(value: Any) -> bool:
    level, depth = [value], 0
    while level and depth < DEEPEST:
        level, depth = [inner for outer in level for inner in _inside(outer)], depth + 1
    return bool(level)


def _inside(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []
