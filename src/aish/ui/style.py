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
# nobody sees.
_OBEYED = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e"
    "\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff\ud800-\udfff"
)
_JOINERS = "\u200c\u200d"  # between letters that are not ASCII they belong to them (emoji, Persian)
_SELECTORS = "\ufe00-\ufe0f"  # one belongs to the sign before it: an emoji, a digit on a key
_MARKS = "\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
_PILE = 4  # marks on one letter; more of them run into other lines
_FOREIGN = re.compile(f"[{_OBEYED}{_JOINERS}{_SELECTORS}{_MARKS}]")
_UNSEEN = re.compile(f"[{_OBEYED}{_JOINERS}{_SELECTORS}]")
_SELECTOR = re.compile(f"[{_SELECTORS}]")
_MARK = re.compile(f"[{_MARKS}]")
_PILED = re.compile(f"[{_MARKS}]{{{_PILE}}}")
_OWN = {RESET, BOLD, DIM, ITALIC, UNDERLINE, REVERSE, STRIKE}
_OWN |= {RED, GREEN, YELLOW, BLUE, MAGENTA, CYAN, GREY}
_PAINTED = re.compile(rf"(\x1b\[[0-9;]*m)|{_FOREIGN.pattern}")


def harmless(text: str) -> str:
    """Foreign text without anything a terminal would obey; tabs and line ends stay."""
    if text.isascii() and text.isprintable():
        return text
    return _FOREIGN.sub(_kept, text)


def _kept(found: re.Match[str]) -> str:
    """A character that has its place in what people write, and nothing elsewhere."""
    ch, text, at = found[0], found.string, found.start()
    before, after = text[max(0, at - 1) : at], text[at + 1 : at + 2]
    if ch in _JOINERS:
        fits = not before.isascii() and not after.isascii() and after not in _JOINERS
    elif _SELECTOR.match(ch):
        plain = before.isascii() and not (before.isdigit() or before in ("#", "*"))
        fits = not plain and not _SELECTOR.match(before)
    else:
        fits = bool(_MARK.match(ch)) and not _PILED.match(text, max(0, at - _PILE), at)
    return ch if fits else ""


def one_line(text: str) -> str:
    """A foreign name, in one line whatever is in it."""
    return " ".join(harmless(text).split())


def shown(text: str) -> str:
    """Whatever goes to a terminal: our own colours stay, and nothing else that it would obey."""
    if text.isascii() and text.isprintable():
        return text
    return _PAINTED.sub(_kept_or_own, text)


def _kept_or_own(found: re.Match[str]) -> str:
    return found[0] if found[1] in _OWN else "" if found[1] else _kept(found)


def closed(text: str) -> str:
    """A text whose colours end with it."""
    last = text.rfind("\x1b[")
    return text if last < 0 or text.startswith(RESET, last) else text + RESET


def escaped(text: str) -> str:
    """Foreign text with every control character made visible, for what the user must judge."""
    return "".join(
        ch if ch.isprintable() and not _UNSEEN.match(ch) else ch.encode("unicode_escape").decode()
        for ch in text
    )
