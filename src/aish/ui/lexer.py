"""Colours of the line while it is typed; a command that does not exist is red."""

from __future__ import annotations

from collections.abc import Callable

from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.lexers import Lexer

from aish.ui.kinds import LineKinds
from aish.ui.names import LiveNames

LIMIT = 8_000  # a longer paste is shown plain


class LineLexer(Lexer):
    """Shell syntax for commands; questions and meta commands stay plain."""

    def __init__(self, kinds: LineKinds, names: LiveNames) -> None:
        self._kinds = kinds
        self._names = names

    def lex_document(self, document: Document) -> Callable[[int], StyleAndTextTuples]:
        text = document.text
        kind = self._kinds.steady_kind(text)
        if len(text) > LIMIT or kind != "shell" or not self._kinds.loaded:
            style = "class:line.ask" if kind == "ask" else ""
            lines = text.split("\n")
            return lambda number: [(style, lines[number] if number < len(lines) else "")]
        rows = _rows(text, self._styled(text))
        return lambda number: rows[number] if number < len(rows) else []

    def _styled(self, text: str) -> list[tuple[int, int, str]]:
        from aish.core.shellsyntax import spans

        found = []
        for start, end, kind in spans(text):
            style = f"class:line.{kind}"
            if kind == "command" and self._names.runnable(text[start:end]) is None:
                style = "class:line.unknown"
            found.append((start, end, style))
        return found


def _rows(text: str, styled: list[tuple[int, int, str]]) -> list[StyleAndTextTuples]:
    """The styled stretches cut into lines, with the plain text between them."""
    pieces: StyleAndTextTuples = []
    position = 0
    for start, end, style in styled:
        if start < position:
            continue  # inside a stretch already shown
        pieces.append(("", text[position:start]))
        pieces.append((style, text[start:end]))
        position = end
    pieces.append(("", text[position:]))
    rows: list[StyleAndTextTuples] = [[]]
    for piece in pieces:
        style, run = piece[0], piece[1]
        first, *rest = run.split("\n")
        rows[-1].append((style, first))
        rows.extend([(style, line)] for line in rest)
    return rows
