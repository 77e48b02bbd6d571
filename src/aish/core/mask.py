"""What stands between the secrets of a session and the files that are kept of it."""

from __future__ import annotations

from typing import Any, Protocol


class Mask(Protocol):
    """Knows what must not be kept."""

    def without_secrets(self, text: str) -> str:
        """A text that may be kept for good."""
        ...

    def forbids_keeping(self, line: str) -> bool:
        """Whether a line holds a secret, or nobody can tell."""
        ...


def all_masked(value: Any, mask: Mask) -> Any:
    """The value with every text in it masked, however deep; what one names is hidden in all."""
    masked = _each_masked(value, mask)
    return masked if masked == value else _each_masked(value, mask)


def _each_masked(value: Any, mask: Mask) -> Any:
    if isinstance(value, str):
        return mask.without_secrets(value)
    if isinstance(value, dict):
        return {name: _each_masked(inner, mask) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_each_masked(inner, mask) for inner in value]
    return value


class NoMask:
    """Where nothing is secret."""

    def without_secrets(self, text: str) -> str:
        return text

    def forbids_keeping(self, line: str) -> bool:
        del line
        return False
