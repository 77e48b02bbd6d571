"""Highlighting code line by line, while it is still being written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from aish.ui.style import BLUE, CYAN, GREEN, GREY, MAGENTA, RED, RESET, YELLOW

if TYPE_CHECKING:
    from pygments.lexer import Lexer

COLOURS = (
    ("Comment", GREY),
    ("Keyword", MAGENTA),
    ("Name.Builtin", CYAN),
    ("Name.Function", BLUE),
    ("Name.Class", BLUE),
    ("Name.Decorator", BLUE),
    ("Name.Tag", BLUE),
    ("Name.Attribute", CYAN),
    ("Name.Variable", CYAN),
    ("Literal.String", GREEN),
    ("Literal.Number", YELLOW),
    ("Generic.Deleted", RED),
    ("Generic.Inserted", GREEN),
    ("Generic.Heading", BLUE),
)
REREAD_LINES = 60  # how far back a string or comment may have begun


class CodeHighlighter:
    """Gets a code block's lines one at a time and gives each back coloured.

    A line is read together with the lines since the last point where no string or comment was
    open, so a docstring keeps its colour without the whole block being read again for each line.
    """

    def __init__(self, language: str) -> None:
        self._lexer = _lexer(language)
        self._open: list[str] = []

    def line(self, text: str) -> str:
        if self._lexer is None or not text.strip():
            if self._open:
                self._open.append(text)
            return text
        self._open.append(text)
        source = "\n".join(self._open) + "\n"
        start = len(source) - len(text) - 1
        coloured: list[str] = []
        last: Any = None
        for position, kind, value in self._lexer.get_tokens_unprocessed(source):
            last = kind
            if position + len(value) > start:
                coloured.append(_painted(kind, value[max(0, start - position) :].rstrip("\n")))
        if not _inside_literal(last) or len(self._open) > REREAD_LINES:
            self._open.clear()
        return "".join(coloured)


def _lexer(language: str) -> Lexer | None:
    """The lexer for a fence's word; none for an unknown one."""
    if not language:
        return None
    from pygments.lexers import get_lexer_by_name
    from pygments.util import ClassNotFound

    try:
        return get_lexer_by_name(language, ensurenl=False, stripnl=False)
    except ClassNotFound:
        return None


def _inside_literal(kind: Any) -> bool:
    return any(name in str(kind) for name in ("String", "Comment.Multiline"))


def _painted(kind: Any, value: str) -> str:
    colour = _colour(kind)
    return f"{colour}{value}{RESET}" if colour and value else value


_found: dict[Any, str] = {}


def _colour(kind: Any) -> str:
    if kind not in _found:
        name = str(kind).removeprefix("Token.")
        _found[kind] = next((code for prefix, code in COLOURS if name.startswith(prefix)), "")
    return _found[kind]
