"""A command line cut into words as bash does for its completion functions, and their answers."""

from __future__ import annotations

import os
import re

from aish.core.values import dataclass
from aish.shell.values import Completions, Suggestion

_BREAKS = " \t\n\"'><=;|&(:"
_SEPARATORS = frozenset(";|&(){}`\n")
_PREFIXES = frozenset(("!", "time", "then", "do", "else", "elif", "if", "while", "until", "{"))
_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z_0-9]*\+?=")
_SPECIAL = re.compile(r"""([\s"'\\$`&|;<>()*?\[\]{}!#~])""")
MOST = 2000  # candidates; a menu of more helps nobody


@dataclass(frozen=True, slots=True)
class WordAtCursor:
    text: str  # as typed, quotes included
    start: int


@dataclass(frozen=True, slots=True)
class Line:
    """The simple command that the cursor stands at the end of."""

    text: str  # from the command's first word to the cursor
    words: tuple[str, ...]  # cut as COMP_WORDS is
    current: str
    start: int  # of the current word, in the line as typed
    plain: str  # the current word without its quotes
    quote: str  # the quote it is in, if any

    @classmethod
    def parse(cls, line: str, breaks: str = "") -> Line:
        """Cut a line; `breaks` is COMP_WORDBREAKS."""
        words = _last_command(line)
        while words and (words[0].text in _PREFIXES or _ASSIGNMENT.match(words[0].text)):
            if len(words) == 1:
                break
            words = words[1:]
        command_start = words[0].start
        pieces = [piece for word in words for piece in _pieces(word, breaks or _BREAKS)]
        if len(pieces) > 1 and pieces[-1].text and set(pieces[-1].text) <= set("=:><"):
            pieces.append(
                WordAtCursor("", len(line))
            )  # after --option= the value is the current word
        last = pieces[-1]
        plain, quote = _unquote(last.text)
        return cls(
            line[command_start:],
            tuple(piece.text for piece in pieces),
            last.text,
            last.start,
            plain,
            quote,
        )

    def request(self) -> str:
        """The fields that the hook in bash expects."""
        point = len(self.text.encode("utf-8", "surrogateescape"))
        fields = [self.plain, self.text, str(point), str(len(self.words) - 1), *self.words]
        return "\x1f".join([*fields, "."])


def candidates(line: Line, answer: bytes, cwd: str) -> Completions:
    """What bash answered, ready to insert."""
    options, *words = answer.decode("utf-8", "replace").split("\0")[:-1] or [""]
    flags = set(options.split())
    found: dict[str, Suggestion] = {}
    if "nosort" not in flags:  # readline sorts what functions and directories give in any order
        words.sort(key=lambda word: (word.casefold(), word))
    for word in words[:MOST]:
        if word:
            found.setdefault(word, _candidate(word, line, flags, cwd))
    return Completions(line.start, tuple(found.values()))


def _candidate(word: str, line: Line, flags: set[str], cwd: str) -> Suggestion:
    if "filenames" not in flags:
        bare = word.rstrip(" ")
        suffix = "" if "nospace" in flags and bare == word else " "
        return Suggestion(bare, bare, suffix)
    is_directory = os.path.isdir(os.path.join(cwd, os.path.expanduser(word)))  # noqa: PTH111, PTH112, PTH118
    name = word.rstrip("/")
    display = name.rpartition("/")[2] + ("/" if is_directory else "")
    if is_directory:
        return Suggestion(_quoted(name, line.quote), display or word, "/")
    closing = line.quote + " " if "nospace" not in flags else ""
    return Suggestion(_quoted(word, line.quote), display, closing)


def _quoted(name: str, quote: str) -> str:
    if quote == "'":
        return "'" + name.replace("'", "'\\''")
    if quote == '"':
        return '"' + re.sub(r'(["\\$`])', r"\\\1", name)
    head, tail = "", name
    if name.startswith("~"):
        head, slash, tail = name.partition("/")
        head += slash
    return head + _SPECIAL.sub(r"\\\1", tail)


def _last_command(line: str) -> list[WordAtCursor]:
    """The words of the last simple command of a line; the last one is where the cursor is."""
    words: list[WordAtCursor] = []
    start, quote, position = -1, "", 0
    while position < len(line):
        character = line[position]
        if quote != "'" and character == "\\":
            start = position if start < 0 else start
            position += 2
            continue
        if quote:
            if quote == '"' and line.startswith("$(", position):
                words, start, quote, position = [], -1, "", position + 1
            elif character == quote:
                quote = ""
        elif character in "\"'":
            start = position if start < 0 else start
            quote = character
        elif character in " \t":
            if start >= 0:
                words.append(WordAtCursor(line[start:position], start))
            start = -1
        elif character in _SEPARATORS and not _inside_braces(line, start, position):
            words, start = [], -1
        elif start < 0:
            start = position
        position += 1
    words.append(
        WordAtCursor(line[start:] if start >= 0 else "", start if start >= 0 else len(line))
    )
    return words


def _inside_braces(line: str, start: int, position: int) -> bool:
    """Whether a brace or ampersand belongs to a word: ${x}, a{b,c}, 2>&1."""
    character = line[position]
    if character in "{}":
        return start >= 0 or line[position : position + 2] not in ("{ ", "{", "} ", "}")
    return character == "&" and position > 0 and line[position - 1] in "<>"


def _pieces(word: WordAtCursor, breaks: str) -> list[WordAtCursor]:
    """A word cut at the break characters outside quotes, which are pieces of their own."""
    pieces: list[WordAtCursor] = []
    start, quote, position, text = 0, "", 0, word.text
    cutters = set(breaks) - set(" \t\n\"'")
    while position < len(text):
        character = text[position]
        if quote:
            quote = "" if character == quote else quote
        elif character == "\\":
            position += 1
        elif character in "\"'":
            quote = character
        elif character in cutters:
            if position > start:
                pieces.append(WordAtCursor(text[start:position], word.start + start))
            end = position
            while end + 1 < len(text) and text[end + 1] in cutters:
                end += 1
            pieces.append(WordAtCursor(text[position : end + 1], word.start + position))
            position, start = end, end + 1
        position += 1
    if start < len(text) or not pieces:
        pieces.append(WordAtCursor(text[start:], word.start + start))
    return pieces


def _unquote(word: str) -> tuple[str, str]:
    plain, quote, position = "", "", 0
    while position < len(word):
        character = word[position]
        if quote:
            if character == quote:
                quote = ""
            elif (
                character == "\\" and quote == '"' and word[position + 1 : position + 2] in '"\\$`'
            ):
                position += 1
                plain += word[position : position + 1]
            else:
                plain += character
        elif character in "\"'":
            quote = character
        elif character == "\\":
            position += 1
            plain += word[position : position + 1]
        else:
            plain += character
        position += 1
    return plain, quote
