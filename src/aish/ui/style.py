"""Colours as the terminal's own sixteen, or nothing at all."""

from __future__ import annotations

from collections.abc import Mapping

RESET = "\x1b[0m"
BOLD = "\x1b[1m"
DIM = "\x1b[2m"
ITALIC = "\x1b[3m"
UNDERLINE = "\x1b[4m"
REVERSE = "\x1b[7m"
STRIKE = "\x1b[9m"
RED = "\x1b[31m"
GREEN = "\x1b[32m"
YELLOW = "\x1b[33m"
BLUE = "\x1b[34m"
MAGENTA = "\x1b[35m"
CYAN = "\x1b[36m"
GREY = "\x1b[90m"


def paint(text: str, *codes: str, on: bool = True) -> str:
    """The text in a style, or as it is when colours are off."""
    return f"{''.join(codes)}{text}{RESET}" if on and text else text


# What is hard to read on white, and what stands in its place.
_ON_WHITE = {YELLOW: MAGENTA, CYAN: BLUE}


def on_white(text: str) -> str:
    """A painted text for a light terminal."""
    for code, instead in _ON_WHITE.items():
        text = text.replace(code, instead)
    return text


def colours_wanted(environ: Mapping[str, str], *, is_terminal: bool) -> bool:
    """Colours only on a terminal that can show them, and never against NO_COLOR."""
    return is_terminal and not environ.get("NO_COLOR") and environ.get("TERM", "") != "dumb"


# Characters a terminal obeys instead of showing, and those that reorder what is read.
_DROPPED = [
    *range(0x09),
    *range(0x0B, 0x20),
    *range(0x7F, 0xA0),
    *range(0x202A, 0x202F),
    *range(0x2066, 0x206A),
]
_HARMLESS: dict[int, None] = dict.fromkeys(_DROPPED)


def harmless(text: str) -> str:
    """Foreign text without anything a terminal would obey; tabs and line ends stay."""
    return text if text.isascii() and text.isprintable() else text.translate(_HARMLESS)


def escaped(text: str) -> str:
    """Foreign text with every control character made visible, for what the user must judge."""
    return "".join(
        ch if ch.isprintable() or ch == " " else ch.encode("unicode_escape").decode() for ch in text
    )
