"""What tells who and where the user is: e-mail addresses and network addresses."""

from __future__ import annotations

import re
from collections.abc import Iterator

from aish.core.secrets.recognise import Span

_EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63})+")
_ADDRESS = re.compile(r"(?<![\w.])\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}(?![\w.]*\d)")
_NOBODY = ("127.", "0.0.0.0", "255.255.")  # noqa: S104 (recognised, not bound)


def personal(text: str) -> Iterator[Span]:
    """E-mail and IPv4 addresses, except those that every machine has."""
    if "@" in text:
        for found in _EMAIL.finditer(text):
            yield Span(*found.span(), "identity")
    for found in _ADDRESS.finditer(text):
        parts = found[0].split(".")
        if not found[0].startswith(_NOBODY) and all(int(part) < 256 for part in parts):
            yield Span(*found.span(), "identity")
