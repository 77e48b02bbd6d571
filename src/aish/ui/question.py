"""How a command is shown before it runs: all of it, or its head and tail, and nothing else.

Every row of it stands behind a bar, so that no command can draw a question of its own. Runs of
blanks are counted instead of shown, control characters are spelt out, and a command too long for
the window shows where it was cut and must be looked at whole before it may run.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Protocol

from aish.core.values import dataclass

BAR = "│ "
_RUN = re.compile(r" {3,}|\t+")  # counted instead of shown
_BLANK = "\u115f\u1160\u2800\u3164\uffa0"  # letters and patterns that show nothing
Piece = tuple[str, bool]  # text, and whether it is a word about the command, not the command


class Judged(Protocol):
    """What is known of a command before it runs."""

    @property
    def kind(self) -> str:
        """harmless, unknown or destructive."""
        ...

    @property
    def reason(self) -> str: ...

    @property
    def again(self) -> bool:
        """Whether it may be run again without a question, if the user says so."""
        ...

    @property
    def effects(self) -> Sequence[str]:
        """What it would do, a line each."""
        ...


@dataclass(frozen=True, slots=True)
class ScreenRow:
    """One row of the screen."""

    pieces: tuple[Piece, ...]

    @property
    def text(self) -> str:
        return "".join(text for text, _ in self.pieces)


def shown_pieces(command: str) -> list[Piece]:
    """The command with blanks counted and whatever cannot be seen spelt out; newlines stay."""
    pieces: list[Piece] = []
    place = 0
    for run in _RUN.finditer(command):
        pieces += _spelt(command[place : run.start()])
        word = "blanks" if run[0][0] == " " else "tabs" if len(run[0]) > 1 else "tab"
        pieces.append((f"⟨{len(run[0])} {word}⟩", True))
        place = run.end()
    return pieces + _spelt(command[place:])


def _spelt(text: str) -> list[Piece]:
    """Control and invisible characters as ⟨name⟩; what looks like a bar or a mark likewise."""
    pieces: list[Piece] = []
    plain = ""
    for ch in text:
        if ch == "\n" or (_visible(ch) and ch not in "│⟨⟩"):
            plain += ch
            continue
        pieces += [(plain, False)] if plain else []
        plain = ""
        pieces.append((f"⟨{_name(ch)}⟩", True))
    return [*pieces, (plain, False)] if plain else pieces


def _visible(ch: str) -> bool:
    if ch == " ":
        return True
    seen = unicodedata.category(ch) not in ("Cf", "Zs", "Mn", "Me") and ch not in _BLANK
    return seen and ch.isprintable()


def _name(ch: str) -> str:
    return ch if ch in "│⟨⟩" else "ESC" if ch == "\x1b" else f"U+{ord(ch):04X}"


def rows(pieces: Sequence[Piece], width: int) -> list[ScreenRow]:
    """The pieces cut into rows of at most `width` columns."""
    found: list[list[Piece]] = [[]]
    room = width
    for text, mark in pieces:
        for part in re.split("(\n)", text):
            if part == "\n":
                found.append([])
                room = width
                continue
            rest = part
            while rest:
                cut = _fitting(rest, room)
                if cut == 0:
                    found.append([])
                    room = width
                    cut = max(1, _fitting(rest, room))
                found[-1].append((rest[:cut], mark))
                room -= most_columns(rest[:cut])
                rest = rest[cut:]
    return [ScreenRow(tuple(row)) for row in found]


def most_columns(text: str) -> int:
    """How many columns a text takes at its most: no terminal pushes its end off the screen."""
    return sum(2 if unicodedata.east_asian_width(ch) in "WF" else 1 for ch in text)


def _fitting(text: str, room: int) -> int:
    used = 0
    for count, ch in enumerate(text):
        used += most_columns(ch)
        if used > room:
            return count
    return len(text)


@dataclass(frozen=True, slots=True)
class CommandRows:
    """The rows on the screen, and whether that is all of the command."""

    rows: tuple[ScreenRow, ...]
    whole: bool


def fit(command: str, width: int, height: int) -> CommandRows:
    """The command in at most `height` rows; of a longer one the head and the tail."""
    every = rows(shown_pieces(command), max(4, width - most_columns(BAR)))
    if len(every) <= height:
        return CommandRows(tuple(every), whole=True)
    head = max(1, (height - 1) // 2)
    tail = max(1, height - 1 - head)
    left_out = len(every) - head - tail
    note = ScreenRow(((f"⟨{left_out} rows not shown⟩"[: max(4, width - 2)], True),))
    return CommandRows((*every[:head], note, *every[len(every) - tail :]), whole=False)
