"""A shell command as a tree: the values that shfmt's JSON is decoded into.

The names of the types are shfmt's, because the decoder finds them by their tag; only what decides
something is kept of each.
"""

from __future__ import annotations

from typing import Union

import msgspec

DEEPEST = 120  # brackets inside brackets before a command counts as unreadable


class UnreadableCommand(Exception):  # a fact about the command, not a failure
    """The command could not be read, and why."""


class Node(msgspec.Struct, frozen=True, rename="pascal", tag_field="Type"):
    """What all parts of the tree have in common."""


class Pos(msgspec.Struct, frozen=True, rename="pascal"):
    offset: int = 0


class Name(msgspec.Struct, frozen=True, rename="pascal"):
    """A bare name: a variable, a function, a number before a redirection."""

    value: str = ""
    pos: Pos = Pos()


class Lit(Node, frozen=True, tag="Lit"):
    """Unquoted text as typed, backslashes included."""

    value: str = ""


class SglQuoted(Node, frozen=True, tag="SglQuoted"):
    value: str = ""
    dollar: bool = False


class DblQuoted(Node, frozen=True, tag="DblQuoted"):
    parts: tuple[Part, ...] = ()


class Operand(msgspec.Struct, frozen=True, rename="pascal"):
    """What follows a parameter: `:-word`, `#pattern`, `,,`."""

    op: str = ""
    word: Word | None = None


class Slice(msgspec.Struct, frozen=True, rename="pascal"):
    offset: Expression | None = None
    length: Expression | None = None


class Replacement(msgspec.Struct, frozen=True, rename="pascal"):
    all: bool = False
    orig: Word | None = None
    with_: Word | None = msgspec.field(default=None, name="With")


class ParamExp(Node, frozen=True, tag="ParamExp"):
    param: Name = Name()
    excl: bool = False
    length: bool = False
    names: str = ""
    index: Expression | None = None
    slice: Slice | None = None
    repl: Replacement | None = None
    exp: Operand | None = None


class CmdSubst(Node, frozen=True, tag="CmdSubst"):
    stmts: tuple[Stmt, ...] = ()


class ProcSubst(Node, frozen=True, tag="ProcSubst"):
    op: str = ""
    stmts: tuple[Stmt, ...] = ()


class ArithmExp(Node, frozen=True, tag="ArithmExp"):
    x: Expression | None = None


class ExtGlob(Node, frozen=True, tag="ExtGlob"):
    op: str = ""
    pattern: Name = Name()


class Word(Node, frozen=True, tag="Word"):
    parts: tuple[Part, ...] = ()
    pos: Pos = Pos()


class BinaryArithm(Node, frozen=True, tag="BinaryArithm"):
    op: str = ""
    x: Expression | None = None
    y: Expression | None = None


class UnaryArithm(Node, frozen=True, tag="UnaryArithm"):
    op: str = ""
    x: Expression | None = None


class ParenArithm(Node, frozen=True, tag="ParenArithm"):
    x: Expression | None = None


class BinaryTest(Node, frozen=True, tag="BinaryTest"):
    x: Expression | None = None
    y: Expression | None = None


class UnaryTest(Node, frozen=True, tag="UnaryTest"):
    x: Expression | None = None


class ParenTest(Node, frozen=True, tag="ParenTest"):
    x: Expression | None = None


class Elem(msgspec.Struct, frozen=True, rename="pascal"):
    index: Expression | None = None
    value: Word | None = None


class Array(msgspec.Struct, frozen=True, rename="pascal"):
    elems: tuple[Elem, ...] = ()


class Assign(msgspec.Struct, frozen=True, rename="pascal"):
    append: bool = False
    naked: bool = False
    name: Name | None = None
    index: Expression | None = None
    value: Word | None = None
    array: Array | None = None


class Redirect(msgspec.Struct, frozen=True, rename="pascal"):
    op: str
    n: Name | None = None
    word: Word | None = None
    hdoc: Word | None = None


class CallExpr(Node, frozen=True, tag="CallExpr"):
    assigns: tuple[Assign, ...] = ()
    args: tuple[Word, ...] = ()


class BinaryCmd(Node, frozen=True, tag="BinaryCmd"):
    op: str
    x: Stmt
    y: Stmt


class Block(Node, frozen=True, tag="Block"):
    stmts: tuple[Stmt, ...] = ()


class Subshell(Node, frozen=True, tag="Subshell"):
    stmts: tuple[Stmt, ...] = ()


class Else(msgspec.Struct, frozen=True, rename="pascal"):
    """An `elif` or `else`."""

    cond: tuple[Stmt, ...] = ()
    then: tuple[Stmt, ...] = ()
    else_: Else | None = msgspec.field(default=None, name="Else")


class IfClause(Node, frozen=True, tag="IfClause"):
    cond: tuple[Stmt, ...] = ()
    then: tuple[Stmt, ...] = ()
    else_: Else | None = msgspec.field(default=None, name="Else")


class WhileClause(Node, frozen=True, tag="WhileClause"):
    until: bool = False
    cond: tuple[Stmt, ...] = ()
    do: tuple[Stmt, ...] = ()


class WordIter(Node, frozen=True, tag="WordIter"):
    name: Name = Name()
    items: tuple[Word, ...] | None = None


class CStyleLoop(Node, frozen=True, tag="CStyleLoop"):
    init: Expression | None = None
    cond: Expression | None = None
    post: Expression | None = None


class ForClause(Node, frozen=True, tag="ForClause"):
    loop: WordIter | CStyleLoop
    do: tuple[Stmt, ...] = ()


class CaseItem(msgspec.Struct, frozen=True, rename="pascal"):
    patterns: tuple[Word, ...] = ()
    stmts: tuple[Stmt, ...] = ()


class CaseClause(Node, frozen=True, tag="CaseClause"):
    word: Word
    items: tuple[CaseItem, ...] = ()


class FuncDecl(Node, frozen=True, tag="FuncDecl"):
    body: Stmt
    name: Name = Name()


class TestClause(Node, frozen=True, tag="TestClause"):
    x: Expression | None = None


class ArithmCmd(Node, frozen=True, tag="ArithmCmd"):
    x: Expression | None = None


class LetClause(Node, frozen=True, tag="LetClause"):
    exprs: tuple[Expression, ...] = ()


class DeclClause(Node, frozen=True, tag="DeclClause"):
    variant: Name = Name()
    args: tuple[Assign, ...] = ()


class CoprocClause(Node, frozen=True, tag="CoprocClause"):
    stmt: Stmt


class TimeClause(Node, frozen=True, tag="TimeClause"):
    stmt: Stmt | None = None


class Stmt(msgspec.Struct, frozen=True, rename="pascal"):
    """A command with its redirections; the command is missing where only those stand."""

    cmd: Command | None = None
    redirs: tuple[Redirect, ...] = ()
    background: bool = False
    negated: bool = False
    pos: Pos = msgspec.field(default=Pos(), name="Position")


class Script(msgspec.Struct, frozen=True, rename="pascal"):
    """A whole command line or script."""

    stmts: tuple[Stmt, ...] = ()


Part = Union[  # noqa: UP007  # names of classes further up
    Lit, SglQuoted, DblQuoted, ParamExp, CmdSubst, ArithmExp, ProcSubst, ExtGlob
]
Expression = Union[  # noqa: UP007
    Word, BinaryArithm, UnaryArithm, ParenArithm, BinaryTest, UnaryTest, ParenTest
]
Command = Union[  # noqa: UP007
    CallExpr, BinaryCmd, Block, Subshell, IfClause, WhileClause, ForClause, CaseClause, FuncDecl,
    TestClause, ArithmCmd, LetClause, DeclClause, CoprocClause, TimeClause,
]  # fmt: skip

_decoder: msgspec.json.Decoder[Script] = msgspec.json.Decoder(Script)


def from_json(data: bytes) -> Script:
    """The tree that shfmt printed.

    Raises: UnreadableCommand.
    """
    try:
        return _decoder.decode(data)
    except (msgspec.DecodeError, RecursionError) as error:
        raise UnreadableCommand("its syntax is not one aish can follow") from error


def sub_expressions(expression: Expression | None) -> list[Word]:
    """Every word inside an arithmetic or test expression."""
    found: list[Word] = []
    pending: list[Expression | None] = [expression]
    while pending:
        match pending.pop():
            case Word() as word:
                found.append(word)
            case BinaryArithm(x=x, y=y) | BinaryTest(x=x, y=y):
                pending += (x, y)
            case UnaryArithm(x=x) | ParenArithm(x=x) | UnaryTest(x=x) | ParenTest(x=x):
                pending.append(x)
            case None:
                pass
    return found
