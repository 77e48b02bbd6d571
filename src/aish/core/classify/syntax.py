"""Shell syntax that no sentence has, and words of a command line that speak to nobody."""

from __future__ import annotations

import re
from collections.abc import Callable

from aish.core.classify.funcwords import FREE_TEXT
from aish.core.classify.words import LineWord

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
# Nothing but assignments; "x=5, y=?" is an exercise.
_ONLY_ASSIGNMENTS = re.compile(
    r"""(?:[^\W\d]\w*(?:\[[^]\s]*\])?\+?=(?:'[^']*'|"(?:[^"\\]|\\.)*"|[^\s'"?,;])*(?:[\s;]+|$))+$"""
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
    if len(line) <= LOOKED_AT and _ONLY_ASSIGNMENTS.match(text):
        return "an assignment"
    if len(line) <= LOOKED_AT and _BACKGROUND.search(text):
        return "`&` at its end"
    return ""


def without_free_text(words: list[LineWord]) -> list[LineWord]:
    """The words but for what a later `echo` is told: a message, not the line's own words."""
    kept: list[LineWord] = []
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
