"""Shell syntax that no sentence has, and words of a command line that speak to nobody."""

from __future__ import annotations

import re
from collections.abc import Callable

from aish.core.classify.funcwords import ENGLISH, FREE_TEXT
from aish.core.classify.words import Word

_COMPOUND = re.compile(
    r"(?:(?:for|select)\s+[A-Za-z_]\w*\s+in\b.*|(?:while|until)\s.*);\s*do(?:\s|$)"
    r"|if\s.*;\s*then(?:\s|$)"
    # a header whose `do` comes on the next line: one letter counts, or shell words are gone through
    r"|(?:for|select)\s+(?:[A-Za-z_]\s+in\s|[A-Za-z_]\w*\s+in\s+[^\s;]*[*$`{])",
    re.DOTALL,
)
_ASSIGNMENTS = re.compile(
    r"""(?:[A-Za-z_]\w*\+?=(?:'[^']*'|"(?:[^"\\]|\\.)*"|[^\s'"])*\s+)+(?P<command>[^\s]+)"""
)
# Commands that were made to read as sentences.
_IDIOMS = frozenset(("who am i", "who mom likes"))
_BACKGROUND = re.compile(r"[^&|>\s]\s*&\s*$")
_OPERATORS = frozenset(("pipe", "semi", "newline"))
LOOKED_AT = 2_000


def certain_syntax(line: str, is_command: Callable[[str], object]) -> str:
    """What makes this line a command beyond doubt; "" when nothing does."""
    text = line[:LOOKED_AT].strip()
    if text in _IDIOMS:
        return "a command's own words"
    if _COMPOUND.match(text):
        return "a compound command"
    assigned = _ASSIGNMENTS.match(text)
    if assigned and is_command(assigned["command"]):
        return "an assignment before a command"
    if len(line) <= LOOKED_AT and _BACKGROUND.search(text):
        return "`&` at its end"
    return ""


def is_list_of_commands(words: list[Word], is_command: Callable[[str], object]) -> bool:
    """Two or more known commands in a row, none of them followed by words of prose."""
    parts, begins = 0, True
    for word in words:
        if word.shape in _OPERATORS:
            begins = True
            continue
        if begins and not is_command(word.text):
            return False
        if not begins and word.text.lower() in ENGLISH:
            return False
        parts += begins
        if word.tail not in ("", ";"):
            return False
        begins = word.tail == ";"
    return parts > 1


def without_free_text(words: list[Word]) -> list[Word]:
    """The words but for what a later `echo` is told: a message, not the line's own words."""
    kept: list[Word] = []
    begins = told = False
    for word in words:
        ends = word.shape in _OPERATORS or ";" in word.tail
        if begins and word.text in FREE_TEXT:
            told = True
            kept.append(word)
        elif not told or ends:
            kept.append(word)
        if ends:
            told = False
        begins = ends
    return kept
