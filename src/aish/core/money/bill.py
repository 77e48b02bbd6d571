"""What a session has cost so far: one sum that is added to in one place and read in others."""

from __future__ import annotations


class Bill:
    """Millionths of a dollar."""

    __slots__ = ("micro",)

    def __init__(self) -> None:
        self.micro = 0
