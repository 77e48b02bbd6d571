"""How often a loop repeats, where its text says so."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from aish.core.shellsyntax import tree

_RANGE = re.compile(r"\{(-?\d{1,15})\.\.(-?\d{1,15})(?:\.\.(-?\d{1,15}))?\}")
_NUMBER = re.compile(r"\d{1,15}\Z")


def counted(words: tuple[tree.Word, ...] | None) -> int:
    """How many items `{1..9}` and `$(seq 9)` make; 0 where the text does not say."""
    most = 0
    for word in words or ():
        for literal in _literals(word):
            for found in _RANGE.finditer(literal):
                first, last, step = (int(part) if part else 1 for part in found.groups())
                most = max(most, abs(last - first) // max(abs(step), 1) + 1)
        for part in word.parts:
            most = max(most, _sequence(part))
    return most


def _sequence(part: tree.Part) -> int:
    match part:
        case tree.DblQuoted(parts=(one,)):
            return _sequence(one)
        case tree.CmdSubst(stmts=(tree.Stmt(cmd=tree.CallExpr(args=args)),)) if len(args) > 1:
            if "".join(_literals(args[0])) == "seq":
                return max(largest_number(args[1:]), 0)
    return 0


def largest_number(node: Any) -> int:
    """The largest whole number written in a condition; 0 where there is none."""
    return max((int(text) for text in _literals(node) if _NUMBER.match(text)), default=0)


def _literals(node: Any) -> list[str]:
    found: list[str] = []
    pending: list[Any] = [node]
    while pending:
        one = pending.pop()
        if isinstance(one, tuple | list):
            pending += one
        elif isinstance(one, tree.Lit | tree.SglQuoted):
            found.append(one.value)
        elif isinstance(one, msgspec.Struct):
            pending += (getattr(one, name) for name in one.__struct_fields__)
    return found
