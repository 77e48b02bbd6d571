"""A second opinion on a tree: tree-sitter must find no command where the first parser saw none."""

from __future__ import annotations

import re
from functools import cache
from types import NoneType
from typing import Any

from aish.core.shellsyntax.tree import CallExpr, DeclClause, Lit, Pos, Script, SglQuoted

LARGEST = 32_000  # bytes; what is longer is not read twice, so it is not harmless
# What reaches it, byte for byte: printable ASCII, tabs and newlines; all else as a letter.
_PLAIN = bytes(one if one in b"\t\n" or 32 <= one < 127 else 120 for one in range(256))
_LONE_DOLLAR = re.compile(rb"\$(?=[/,.:%^=~+\s]|\Z)")
_LEAVES = frozenset((str, int, bool, NoneType, Pos, Lit, SglQuoted))  # no command is in them
_KEYWORDS = frozenset((b"time", b"let", b"coproc"))  # commands to one parser, grammar to the other


def disagreement(text: str, script: Script) -> str:
    """What tree-sitter sees run that the tree does not have; empty where they agree."""
    data = text.encode("utf-8", "replace")
    if len(data) > LARGEST:
        return "its length"
    seen = _seen(data)
    if seen is None:
        return "its syntax"
    mine = _starts(script)
    for at in seen:
        word = data[at : at + 20].split()[:1]
        if at not in mine and word and word[0] not in _KEYWORDS:
            return word[0].decode("utf-8", "replace")
    return ""


def _starts(script: Script) -> set[int]:
    """Where the tree has a command begin, in bytes."""
    found: set[int] = set()
    pending: list[Any] = [script]
    while pending:
        node = pending.pop()
        kind = type(node)
        if kind is tuple:
            pending += node
        elif kind not in _LEAVES:
            if kind is CallExpr and node.args:
                found.add(node.args[0].pos.offset)
            elif kind is DeclClause:
                found.add(node.variant.pos.offset)
            pending += [getattr(node, name) for name in kind.__struct_fields__]
    return found


@cache
def _language() -> Any:
    import tree_sitter
    import tree_sitter_bash

    return tree_sitter.Language(tree_sitter_bash.language())


def _seen(data: bytes) -> list[int] | None:
    """Where tree-sitter has a command begin; None when it cannot read the text."""
    import tree_sitter

    # Its scanner asks the C library about each character and crashed on those beyond ASCII. To the
    # shell they are letters like any other, and so are controls, so letters take their place.
    # A dollar sign that begins nothing is a letter as well, which its grammar does not know.
    data = _LONE_DOLLAR.sub(b"x", data.translate(_PLAIN))
    # A parser of its own for each text: a reused one has crashed on edits of other texts.
    root = tree_sitter.Parser(_language()).parse(data).root_node
    if root.has_error:
        return None
    found: list[int] = []
    pending = [root]
    while pending:
        node = pending.pop()
        if node.type == "command_name":
            found.append(node.start_byte)
        pending += node.children
    return found
