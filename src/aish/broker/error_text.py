"""Foreign words in our error lines: one line, printable, bounded, and never the key."""

from __future__ import annotations

from collections.abc import Iterable

LONGEST = 200
TELLING = 6  # characters at the beginning of a key that are not repeated either


def one_line(text: str, secrets: Iterable[str] = ()) -> str:
    """A server's words, fit to stand inside an error message."""
    for secret in secrets:
        text = _without_half(text.replace(secret, "…"), secret)
    line = " ".join(text[: LONGEST * 8].split())
    shown = "".join(ch if ch.isprintable() else ascii(ch)[1:-1] for ch in line)
    return shown if len(shown) <= LONGEST else f"{shown[: LONGEST - 1]}…"


def _without_half(text: str, secret: str) -> str:
    """A text that may have been cut in the middle of a secret."""
    lengths = range(min(len(secret) - 1, len(text)), TELLING - 1, -1)
    cut = next((length for length in lengths if text.endswith(secret[:length])), 0)
    return f"{text[:-cut]}…" if cut else text


def innermost(error: BaseException, secrets: Iterable[str] = ()) -> str:
    """The reason below the wrappers, without the object addresses they print."""
    seen = {id(error)}
    while (inner := error.__cause__ or error.__context__) is not None and id(inner) not in seen:
        seen.add(id(inner))
        error = inner
    if isinstance(error, OSError) and error.strerror:
        return one_line(error.strerror).lower()
    return one_line(str(error), secrets) or type(error).__name__
