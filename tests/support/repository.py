"""A real git repository for a test."""

from __future__ import annotations

from collections.abc import Callable

Run = Callable[..., str]  # runs git in the repository and returns what it prints
