"""Colours as the terminal's own sixteen, or nothing at all."""

from __future__ import annotations

import re
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


# Characters a terminal obeys instead of showing, those that reorder what is read, and those that
# nobody sees. A joiner between letters that are not ASCII belongs to them (emoji, Persian).
_FOREIGN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b\u200e"
    "\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff\ud800-\udfff]"
    "|(?<![^\x00-\x7f])[\u200c\u200d]|[\u200c\u200d](?![^\x00-\x7f])"
)
_OWN = {RESET, BOLD, DIM, ITALIC, UNDERLINE, REVERSE, STRIKE}
_OWN |= {RED, GREEN, YELLOW, BLUE, MAGENTA, CYAN, GREY}
_PAINTED = re.compile(rf"(\x1b\[[0-9;]*m)|{_FOREIGN.pattern}")


def harmless(text: str) -> str:
    """Foreign text without anything a terminal would obey; tabs and line ends stay."""
    if text.isascii() and text.isprintable():
        return text
    return _FOREIGN.sub("", text)


def shown(text: str) -> str:
    """Whatever goes to a terminal: our own colours stay, and nothing else that it would obey."""
    if text.isascii() and text.isprintable():
        return text
    return _PAINTED.sub(lambda found: found[0] if found[1] in _OWN else "", text)


def escaped(text: str) -> str:
    """Foreign text with every control character made visible, for what the user must judge."""
    return "".join(
        ch if ch.isprintable() or ch == " " else ch.encode("unicode_escape").decode() for ch in text
    )
