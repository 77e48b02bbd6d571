"""Whole numbers as people type them."""

from __future__ import annotations

DIGITS = 15  # nothing that is counted here has more, and Python refuses thousands of them


def number_in(text: str) -> int | None:
    """The number a text is; None where it is none, or one of nothing there is."""
    return int(text) if text.isdecimal() and len(text) <= DIGITS else None
