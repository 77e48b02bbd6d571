"""An answer or a command that goes round in circles, as small models sometimes do."""

from __future__ import annotations

import re

LOOKED_AT = 2_000  # characters at the end of an answer
FEW, LONG = 5, 900  # a long piece said so often, covering so much
MANY, SHORT = 10, 400  # a short piece
LETTERS = 12  # a numbered item counts as the same only if it says as much in words
RUN_OF_WORDS = 6
PROBE = 40  # characters; less than any circle repeats

_ITEM = re.compile(r"^\d+(?=[.)])", re.MULTILINE)
_NOTHING_TO_RUN = re.compile(
    r"<[^<>|&;]*>$|[-.…*_` ]*$|CMD&?:|(?:the |your )?command(?: here)?$", re.I
)


def repeated_end(answer: str) -> int:
    """How many characters at the end of an answer only repeat what stands before them; 0 if none.

    Numbered items that say the same under other numbers repeat themselves too.
    """
    end = answer[-LOOKED_AT:]
    found = _circling(end)
    if not found and _ITEM.search(end):
        found = _circling(_ITEM.sub(lambda number: "0" * len(number[0]), end), LETTERS)
    return found


def _circling(text: str, letters: int = 0) -> int:
    """The length of what repeats at the end, less its first two rounds."""
    if text.find(text[-PROBE:]) == len(text) - PROBE:
        return 0  # its last words were said once: no circle, and no need to look closer
    backwards = text[::-1]
    for length, period in _periods(backwards):
        rounds = length // period
        often = rounds >= MANY and length >= SHORT
        if not often and not (rounds >= FEW and length >= LONG):
            continue
        if sum(map(str.isalpha, backwards[:period])) >= letters:
            return length - 2 * period
    return 0


def _periods(text: str) -> list[tuple[int, int]]:
    """Beginnings of a text that repeat a piece at least FEW times: (length, length of the piece).

    The longest comes first. This is the prefix function of string matching, in linear time.
    """
    borders = [0] * len(text)
    found = []
    border = 0
    for at in range(1, len(text)):
        while border and text[at] != text[border]:
            border = borders[border - 1]
        border += text[at] == text[border]
        borders[at] = border
        period = at + 1 - border
        if at + 1 >= SHORT and period * FEW <= at + 1:
            found.append((at + 1, period))
    return found[::-1]


def is_degenerate(command: str) -> bool:
    """Whether a proposed command is no command: a placeholder, marks only, or words in a circle."""
    if _NOTHING_TO_RUN.match(command):
        return True
    words = command.split()
    return any(_longest_run(words, size) >= RUN_OF_WORDS for size in (1, 2, 3, 4))


def _longest_run(words: list[str], size: int) -> int:
    """How often a piece of so many words follows itself at most, if it says anything.

    Marks say nothing, nor do the places of a format: `printf '%s %s %s'` is a command.
    """
    longest = run = 1
    for at in range(size, len(words) - size + 1, size):
        piece = words[at : at + size]
        same = piece == words[at - size : at] and any(map(_says_something, piece))
        run = run + 1 if same else 1
        longest = max(longest, run)
    return longest


def _says_something(word: str) -> bool:
    return any(map(str.isalpha, word)) and "%" not in word
