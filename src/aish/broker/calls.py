"""The pieces of tool calls, numbered so that each call has a number of its own.

Servers number calls by their place in an event, or all of them 0, and some not at all.
"""

from __future__ import annotations

from dataclasses import replace

import msgspec

from aish.core.messages import ToolCallPiece

ENDS = ("}", "]", '""', "null")  # of arguments that may be whole


class CallNumbers:
    """Takes in the pieces of one answer, in their order."""

    def __init__(self) -> None:
        self._calls: list[_Call] = []
        self._at: dict[int, int] = {}  # which of them a server's number stands for now

    def numbered(self, pieces: tuple[ToolCallPiece, ...]) -> tuple[ToolCallPiece, ...]:
        return tuple(map(self._numbered, pieces))

    def _numbered(self, piece: ToolCallPiece) -> ToolCallPiece:
        number = self._at.get(piece.index)
        if number is None or self._calls[number].ends_before(piece):
            number = self._at[piece.index] = len(self._calls)
            self._calls.append(_Call())
        return replace(piece, index=number, name=self._calls[number].take(piece))


class _Call:
    """What has arrived of one call."""

    def __init__(self) -> None:
        self._id = ""
        self._name = ""
        self._arguments: list[str] = []  # in pieces, none of them blank

    def take(self, piece: ToolCallPiece) -> str:
        """What the piece adds to the name; some repeat it with every piece."""
        self._id = self._id or piece.id
        if piece.arguments.strip():
            self._arguments.append(piece.arguments)
        name = "" if piece.name == self._name else piece.name
        self._name += name
        return name

    def ends_before(self, piece: ToolCallPiece) -> bool:
        """Whether a piece that names a function begins the next call."""
        if not piece.name:
            return False
        if piece.id and self._id:
            return piece.id != self._id
        if piece.name == self._name and not piece.arguments.lstrip().startswith("{"):
            return False
        return self._is_whole()

    def _is_whole(self) -> bool:
        """Decoded only where it may be: a call of many pieces is not read with each of them."""
        if not self._arguments or not self._arguments[-1].rstrip().endswith(ENDS):
            return False
        try:
            msgspec.json.decode("".join(self._arguments))
        except (msgspec.DecodeError, RecursionError):
            return False
        return True
