"""How wide text is on the screen."""

from __future__ import annotations

from functools import lru_cache


@lru_cache(maxsize=2048)
def columns(text: str) -> int:
    """How many cells a word takes."""
    if text.isascii():
        return len(text)
    from wcwidth import wcswidth

    size: int = wcswidth(text)
    return size if size >= 0 else len(text)
