"""Lines out of pieces of a stream; of one that is too long only the two ends are kept."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

LONGEST = 16 * 1024 * 1024  # bytes of one message
END = 4096  # bytes kept of each end of a longer one


@dataclass(frozen=True, slots=True)
class TooLong:
    """A line that was not kept."""

    head: bytes
    tail: bytes
    size: int


class Lines:
    """Fed with pieces as they arrive; holds one line at most, and never more than `longest`."""

    def __init__(self, longest: int = LONGEST) -> None:
        self._longest = longest
        self._pieces: list[bytes] = []
        self._size = 0
        self._head = b""  # of a line that is too long
        self._tail = b""

    def feed(self, data: bytes) -> Iterator[bytes | TooLong]:
        """Every line that ends in this piece."""
        *ended, rest = data.split(b"\n")
        for piece in ended:
            self._add(piece)
            yield self._take()
        self._add(rest)

    def _add(self, piece: bytes) -> None:
        self._size += len(piece)
        if self._size <= self._longest:
            self._pieces.append(piece)
            return
        if self._pieces:
            whole = b"".join(self._pieces)
            self._head, self._tail, self._pieces = whole[:END], whole[-END:], []
        self._head = self._head or piece[:END]
        self._tail = (self._tail + piece)[-END:]

    def _take(self) -> bytes | TooLong:
        if self._size > self._longest:
            taken: bytes | TooLong = TooLong(self._head, self._tail, self._size)
        else:
            taken = b"".join(self._pieces)
        self._pieces, self._size, self._head, self._tail = [], 0, b"", b""
        return taken
