"""The pieces of tool calls, numbered so that each call has a number of its own.

Servers number calls by their place in an event, or all of them 0, and some not at all.
"""

from __future__ import annotations

from dataclasses import replace

import msgspec

from aish.core.messages import ToolCallPiece


class CallNumbers:
    """Takes in the pieces of one answer, in their order."""

    def __init__(self) -> None:
        self._calls: list[list[str]] = []  # id, name and arguments so far
        self._at: dict[int, int] = {}  # which of them a server's number stands for now

    def numbered(self, pieces: tuple[ToolCallPiece, ...]) -> tuple[ToolCallPiece, ...]:
        return tuple(map(self._numbered, pieces))

    def _numbered(self, piece: ToolCallPiece) -> ToolCallPiece:
        number = self._at.get(piece.index)
        if number is None or _is_another(self._calls[number], piece):
            number = self._at[piece.index] = len(self._calls)
            self._calls.append(["", "", ""])
        call = self._calls[number]
        name = "" if piece.name == call[1] else piece.name  # some repeat it with every piece
        call[0], call[1], call[2] = call[0] or piece.id, call[1] + name, call[2] + piece.arguments
        return replace(piece, index=number, name=name)


def _is_another(call: list[str], piece: ToolCallPiece) -> bool:
    """Whether a piece that names a function begins the next call."""
    if not piece.name:
        return False
    if piece.id and call[0]:
        return piece.id != call[0]
    return _is_whole(call[2])


def _is_whole(arguments: str) -> bool:
    try:
        msgspec.json.decode(arguments)
    except (msgspec.DecodeError, RecursionError):
        return False
    return True
