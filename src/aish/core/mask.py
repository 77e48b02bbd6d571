"""What stands between the secrets of a session and the files that are kept of it."""

from __future__ import annotations

from typing import Protocol


class Mask(Protocol):
    """Knows what must not be kept."""

    def without_secrets(self, text: str) -> str:
        """A text that may be kept for good."""
        ...

    def forbids_keeping(self, line: str) -> bool:
        """Whether a line holds a secret, or nobody can tell."""
        ...


class NoMask:
    """Where nothing is secret."""

    def without_secrets(self, text: str) -> str:
        return text

    def forbids_keeping(self, line: str) -> bool:
        del line
        return False
