"""Loads the line editor's event loop without what it never needs."""

from __future__ import annotations

import sys


def load_event_loop() -> None:
    """asyncio loads ssl in case somebody wants TLS of it; a line editor never does."""
    modules: dict[str, object] = sys.modules  # type: ignore[assignment]
    without = "ssl" not in modules
    if without:
        modules["ssl"] = None  # an import of it fails, and asyncio copes
    try:
        import asyncio  # noqa: F401
    finally:
        if without:
            del modules["ssl"]
