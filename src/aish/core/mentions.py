"""What a question mentions with `@`: files, folders, parts of files, git ranges and the diff.

Reading a text is pure; whether a name stands for something is for whoever can look.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from aish.core.patterns import late
from aish.core.values import dataclass

DIFF = "diff"  # `@diff` is the diff; a file of that name is `@./diff`
_MOST_LOOKED_AT = 200  # places of one question; a wall of `@` is no question
_LONGEST = 1024  # characters; no path is longer, and a wall of text is none

# An `@` begins a mention at the start of a word: not in an address, not after a backslash.
_AT = late(r"""(?<![\w@./+\\-])@(?:"([^"\n]+)"|'([^'\n]+)'|((?:\\[^\n]|[^\s"'`\\<>|])+))""")
_AT_END = late(r"""(?<![\w@./+\\-])@((?:\\.|[^\s"'`\\<>|])*)$""")
_FENCE = late(r"^[ \t]*(`{3,}|~{3,})[^\n]*$", re.MULTILINE)
_LINES = late(r"^(?P<path>.+?):(?P<first>[1-9]\d{0,8})(?:-(?P<last>\d{0,9}))?$")
_REVISION = r"[\w@][\w./@{}^~+-]*"
_RANGE = late(rf"^(?:{_REVISION})?\.\.\.?(?:{_REVISION})?$")
_TRAILING = ".,;:!?)]}*_'\"…»”’"
_HIDDEN = late(r"\.[A-Za-z]")
_EXTENSION = late(r"[^./]\.[A-Za-z][A-Za-z0-9]{0,7}$")


@dataclass(frozen=True, slots=True)
class LineRange:
    """Some lines of a file, both ends included; `last` 0 means up to its end."""

    first: int
    last: int

    def __str__(self) -> str:
        if self.last == self.first:
            return str(self.first)
        return f"{self.first}-{self.last or ''}"


@dataclass(frozen=True, slots=True)
class MentionReading:
    """One way to read a mention: the words it takes, and what they would stand for."""

    length: int  # characters of the text, the `@` included
    path: str
    part: LineRange | None = None


@dataclass(frozen=True, slots=True)
class Mention:
    """A place in the text that may mention something, and every way to read it, longest first."""

    start: int
    readings: tuple[MentionReading, ...]

    @property
    def words(self) -> str:
        """What was typed after the `@`, without the punctuation of the sentence."""
        return self.readings[-1].path if self.readings else ""


def find_mentions(text: str) -> list[Mention]:
    """Every place where the text may mention something; code blocks are text of others."""
    found: list[Mention] = []
    if "@" not in text:
        return found
    quiet = list(_fenced(text))
    for match in _AT.finditer(text):
        if any(start <= match.start() < end for start, end in quiet):
            continue
        readings = tuple(_readings(match))
        if readings:
            found.append(Mention(match.start(), readings))
        if len(found) == _MOST_LOOKED_AT:
            break
    return found


def mentioned_word(text: str) -> str | None:
    """What stands after an `@` at the end of a line; None when no mention is being typed."""
    match = _AT_END.search(text)
    return None if match is None else re.sub(r"\\(.)", r"\1", match[1])


def is_range(words: str) -> bool:
    """Whether the words have the form of a git range, such as `main..topic`."""
    sides = re.split(r"\.\.\.?", words)
    return bool(_RANGE.match(words)) and len(sides) == 2 and any(sides) and "/.." not in words


def looks_meant(words: str) -> bool:
    """Whether somebody who typed this surely meant a file: `@src/net.py`, not `@alice`."""
    if words.startswith(("./", "../", "~/", "/")):
        return True
    return words.endswith("/") or bool(_EXTENSION.search(words) or _HIDDEN.match(words))


def _readings(match: re.Match[str]) -> Iterator[MentionReading]:
    quoted = match[1] or match[2]
    if quoted:
        end = match.end() - match.start()
        yield from _with_part(quoted, end)
        return
    typed = match[3]
    if len(typed) > _LONGEST:
        return
    while typed:
        yield from _with_part(re.sub(r"\\(.)", r"\1", typed), len(typed) + 1)
        if typed[-1] not in _TRAILING:
            return
        typed = typed[:-1]


def _with_part(path: str, length: int) -> Iterator[MentionReading]:
    yield MentionReading(length, path)
    if parted := _LINES.match(path):
        first = int(parted["first"])
        last = first if parted["last"] is None else int(parted["last"] or 0)
        if not last or last >= first:
            yield MentionReading(length, parted["path"], LineRange(first, last))


def _fenced(text: str) -> Iterator[tuple[int, int]]:
    """Where code blocks stand; one that is not closed goes on to the end."""
    opened: re.Match[str] | None = None
    for fence in _FENCE.finditer(text):
        if opened is None:
            opened = fence
        elif fence[1][0] == opened[1][0] and len(fence[1]) >= len(opened[1]):
            yield opened.start(), fence.end()
            opened = None
    if opened is not None:
        yield opened.start(), len(text)
