"""Colours as the terminal's own sixteen, or nothing at all."""

from __future__ import annotations

from collections.abc import Mapping
from unicodedata import category

from aish.core.patterns import late
from aish.core.unseen import HIDDEN, JOINERS, OBEYED, SELECTORS

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


_OBEYED = late(f"[{OBEYED}]+")
_OBEYED_ASCII = bytes({*range(32), 127} - {*b"\t\n"})
_ASCII, _ON_KEYS = "\x00-\x7f", "0-9#*"  # a selector after one of these makes a key of it
_MARKS = "\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
_PILE = 4  # marks on one letter; more of them run into other lines
_JOINED = late(f"[{JOINERS}{SELECTORS}]")
_MARKED = late(f"[{_MARKS}]")
# Where joiners and selectors have no place in what people write. Each begins with what is looked
# for, which is several times as fast as to look around every letter.
_STRAY = late(
    f"[{JOINERS}{SELECTORS}](?:"
    f"(?<=[{JOINERS}])(?:(?<![^{_ASCII}][{JOINERS}])[{JOINERS}]*|(?![^{_ASCII}{JOINERS}]))"
    f"|(?<=[{SELECTORS}])(?:(?<![^{_ASCII}][{SELECTORS}])(?<![{_ON_KEYS}][{SELECTORS}])"
    f"|(?<=[{SELECTORS}][{SELECTORS}])))"
)
_PILED = late(f"[{_MARKS}](?<=[{_MARKS}]{{{_PILE + 1}}})[{_MARKS}]*")
_HIGH_PILE = 8  # of any script: a Hebrew, Burmese or Tibetan letter may have six
_SIGNS = late(rf"[^\w\s{_ASCII}]{{{_HIGH_PILE + 1},}}")  # marks of all scripts are among them
_COLOUR = late(r"(\x1b\[[0-9;]*m)")
_OWN = {RESET, BOLD, DIM, ITALIC, UNDERLINE, REVERSE, STRIKE}
_OWN |= {RED, GREEN, YELLOW, BLUE, MAGENTA, CYAN, GREY}


def harmless(text: str) -> str:
    """Foreign text without anything a terminal would obey; tabs and line ends stay."""
    if text.isascii():
        if text.isprintable():
            return text
        return text.encode("ascii").translate(None, _OBEYED_ASCII).decode("ascii")
    letters = "".join(set(text))  # what is not among them needs no search
    for run in _OBEYED.findall(letters):
        for ch in run:
            text = text.replace(ch, "")
    return _in_place(text, letters, "")


def in_place(text: str, instead: str) -> str:
    """A text in which joiners, selectors and marks stand only where people write them; `instead`
    stands for each of the others."""
    return text if text.isascii() else _in_place(text, "".join(set(text)), instead)


def _in_place(text: str, letters: str, instead: str) -> str:
    each = (lambda found: instead * len(found[0])) if instead else ""
    if _JOINED.search(letters):
        text = _STRAY.sub(each, text)
    if _MARKED.search(letters):
        text = _PILED.sub(each, text)
    if any(map(_is_mark, letters)):
        text = _SIGNS.sub(lambda found: _low_piles(found[0], instead), text)
    return text


def _low_piles(signs: str, instead: str) -> str:
    kept, pile = [], 0
    for sign in signs:
        pile = pile + 1 if _is_mark(sign) else 0
        kept.append(sign if pile <= _HIGH_PILE else instead)
    return "".join(kept)


def _is_mark(sign: str) -> bool:
    return category(sign) in ("Mn", "Me")


def one_line(text: str) -> str:
    """A foreign name, in one line whatever is in it."""
    return " ".join(harmless(text).split())


def terminal_safe(text: str) -> str:
    """Whatever goes to a terminal: our own colours stay, and nothing else that it would obey."""
    if text.isascii() and text.isprintable():
        return text
    if "\x1b" not in text:
        return harmless(text)
    parts = _COLOUR.split(text)  # every other one is a colour
    parts[::2] = map(harmless, parts[::2])
    parts[1::2] = (code if code in _OWN else "" for code in parts[1::2])
    return "".join(parts)


def closed(text: str) -> str:
    """A text whose colours end with it."""
    last = text.rfind("\x1b[")
    return text if last < 0 or text.startswith(RESET, last) else text + RESET


def escaped(text: str) -> str:
    """Foreign text with every control character made visible, for what the user must judge."""
    shown = "".join(
        ch if ch.isprintable() and not HIDDEN.match(ch) else ch.encode("unicode_escape").decode()
        for ch in text
    )
    return in_place(shown, "")
