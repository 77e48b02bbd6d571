"""Commands that need no parser: one program and its words, with nothing in them that bash reads."""

from __future__ import annotations

from aish.core.patterns import late
from aish.core.shellsyntax.tree import (
    CallExpr,
    DblQuoted,
    Lit,
    Part,
    Pos,
    Script,
    SglQuoted,
    Stmt,
    Word,
)

# Nothing here begins an expansion, a redirection, a comment or an assignment, or ends a command.
_LETTER = r"[A-Za-z0-9_./:@%+,*?~^={}-]"
_QUOTED = r"'[^'\n]*'|\"[^\"$`\\!\n]*\""
_WORD = rf"(?:{_LETTER}|{_QUOTED})+"
_COMMAND = late(rf"[A-Za-z0-9_./-]+(?: +{_WORD})*")
_WORDS = late(_WORD)
_PIECES = late(rf"{_LETTER}+|{_QUOTED}")
# First words that are grammar, to bash or to shfmt.
_GRAMMAR = frozenset(("case", "coproc", "declare", "do", "done", "elif", "else", "esac", "export",
                      "fi", "for", "function", "if", "in", "let", "local", "nameref", "readonly",
                      "select", "then", "time", "typeset", "until", "while"))  # fmt: skip


def plain(text: str) -> Script | None:
    """The tree of such a command, the same that shfmt has; None where it takes a parser."""
    if not text.isascii() or _COMMAND.fullmatch(text) is None:
        return None
    words = tuple(Word(_parts(found[0]), Pos(found.start())) for found in _WORDS.finditer(text))
    program = words[0].parts[0]
    if not isinstance(program, Lit) or program.value in _GRAMMAR:
        return None
    return Script((Stmt(CallExpr(args=words)),))


def _parts(word: str) -> tuple[Part, ...]:
    return tuple(_part(found[0]) for found in _PIECES.finditer(word))


def _part(piece: str) -> Part:
    if piece[0] == "'":
        return SglQuoted(piece[1:-1])
    if piece[0] == '"':
        return DblQuoted((Lit(piece[1:-1]),) if piece[1:-1] else ())
    return Lit(piece)
