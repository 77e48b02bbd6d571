"""What stands between the secrets of a session and the files that are kept of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Protocol


class Mask(Protocol):
    """Knows what must not be kept."""

    def without_secrets(self, text: str) -> str:
        """A text that may be kept for good."""
        ...

    def without_known(self, text: str) -> str:
        """A text that was kept so, without what is known to be secret by now; that is cheap."""
        ...

    def forbids_keeping(self, line: str) -> bool:
        """Whether a line holds a secret, or nobody can tell."""
        ...


def all_masked(value: Any, mask: Mask) -> Any:
    """The value with every text in it masked, however deep; what one names is hidden in all."""
    texts = sorted(set(_texts(value)), key=len)  # the longest last, so that it is read once
    masked = {text: mask.without_secrets(text) for text in texts}
    last = max((at for at, text in enumerate(texts) if masked[text] != text), default=0)
    masked |= {text: mask.without_secrets(text) for text in texts[:last]}
    return _each(value, masked)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list | tuple):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _texts(inner)


def _each(value: Any, masked: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return masked[value]
    if isinstance(value, dict):
        return {name: _each(inner, masked) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_each(inner, masked) for inner in value]
    return value


class NoMask:
    """Where nothing is secret."""

    def without_secrets(self, text: str) -> str:
        return text

    def without_known(self, text: str) -> str:
        return text

    def forbids_keeping(self, line: str) -> bool:
        del line
        return False
