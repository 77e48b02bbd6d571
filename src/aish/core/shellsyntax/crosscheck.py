"""A second opinion on a tree: tree-sitter must find no command where the first parser saw none."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import msgspec

from aish.core.shellsyntax.tree import CallExpr, DeclClause, Script

LARGEST = 32_000  # bytes; what is longer is not read twice, so it is not harmless
_ASCII = bytes(range(128)) + b"x" * 128
_LONE_DOLLAR = re.compile(rb"\$(?=[/,.:%^=~+\s]|\Z)")
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
        if isinstance(node, tuple):
            pending += node
        elif isinstance(node, msgspec.Struct):
            if isinstance(node, CallExpr) and node.args:
                found.add(node.args[0].pos.offset)
            elif isinstance(node, DeclClause):
                found.add(node.variant.pos.offset)
            pending += (getattr(node, name) for name in node.__struct_fields__)
    return found


@cache
def _language() -> Any:
    import tree_sitter
    import tree_sitter_bash

    return tree_sitter.Language(tree_sitter_bash.language())


def _seen(data: bytes) -> list[int] | None:
    """Where tree-sitter has a command begin; None when it cannot read the text."""
    import tree_sitter

    # Its scanner asks the C library about each character and crashes on those beyond ASCII. To the
    # shell they are letters like any other, so letters take their place, byte for byte.
    # A dollar sign that begins nothing is a letter as well, which its grammar does not know.
    data = _LONE_DOLLAR.sub(b"x", data.translate(_ASCII))
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
