"""Lines out of pieces of a stream; one that is too long goes to a file, and its ends are kept."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterator
from typing import Protocol

from aish.core.values import dataclass

LONGEST = 16 * 1024 * 1024  # bytes of one message
END = 4096  # bytes kept of each end of a longer one
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.DOTALL)
_BEGUN = r"\\(?:u[0-9a-fA-F]{0,3})?"
_HALF = re.compile(  # an escape that goes on, or the first of a pair
    rf"(?:{_BEGUN}|\\u[dD][89abAB][0-9a-fA-F]{{2}}(?:{_BEGUN})?)\Z"
)
_LONGEST_HALF = 11
_PIECE = 256 * 1024  # bytes made readable at a time
_PLAIN = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


class SpillFile(Protocol):
    """Takes a long text piece by piece."""

    def write(self, text: str) -> None: ...

    def kept(self) -> str:
        """Where it is, now that it is whole; "" where it could not be kept."""
        ...

    def drop(self) -> None:
        """It is not wanted."""
        ...


NewSpillFile = Callable[[], SpillFile | None]


@dataclass(frozen=True, slots=True)
class TooLong:
    """A line that was not kept in memory."""

    head: bytes
    tail: bytes
    size: int
    place: str = ""  # where all of it is, readable, if it could be kept


class LineSplitter:
    """Fed with pieces as they arrive; holds one line at most, and never more than `longest`."""

    def __init__(self, longest: int = LONGEST, spill: NewSpillFile = lambda: None) -> None:
        """`spill` opens a file for a line that is too long, where that is worth keeping."""
        self._longest = longest
        self._spill = spill
        self._pieces: list[bytes] = []
        self._size = 0
        self._head = b""  # of a line that is too long
        self._tail = b""
        self._file: _Readable | None = None

    def feed(self, data: bytes) -> Iterator[bytes | TooLong]:
        """Every line that ends in this piece."""
        *ended, rest = data.split(b"\n")
        for piece in ended:
            self._add(piece)
            yield self.take()
        self._add(rest)

    def take(self) -> bytes | TooLong:
        """What has come since the last line: it ends here."""
        if self._size > self._longest:
            place = self._file.kept() if self._file is not None else ""
            taken: bytes | TooLong = TooLong(self._head, self._tail, self._size, place)
        else:
            taken = b"".join(self._pieces)
        self._pieces, self._size, self._head, self._tail, self._file = [], 0, b"", b"", None
        return taken

    def close(self) -> None:
        """No more will come; half a line is of no use."""
        if self._file is not None:
            self._file.drop()
            self._file = None

    def _add(self, piece: bytes) -> None:
        self._size += len(piece)
        if self._size <= self._longest:
            self._pieces.append(piece)
            return
        if not self._head:
            piece, self._pieces = b"".join([*self._pieces, piece]), []
            self._head = piece[:END]
            opened = self._spill() if _is_result(self._head) else None
            self._file = _Readable(opened) if opened is not None else None
        self._tail = (self._tail + piece[-END:])[-END:]
        if self._file is not None:
            self._file.write(piece)


class _Readable:
    """JSON as a text that can be searched line by line: its escapes are what they stand for."""

    def __init__(self, file: SpillFile) -> None:
        self._file = file
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._half = ""

    def write(self, data: bytes) -> None:
        for start in range(0, len(data), _PIECE):
            self._add(data[start : start + _PIECE])

    def _add(self, data: bytes) -> None:
        text = self._half + self._decoder.decode(data)
        self._half = _begun_escape(text)
        self._file.write(unescaped(text[: len(text) - len(self._half)]))

    def kept(self) -> str:
        self._file.write(self._half)
        return self._file.kept()

    def drop(self) -> None:
        self._file.drop()


def _begun_escape(text: str) -> str:
    """The end of a text that is half an escape; a backslash after a backslash begins none."""
    for start in range(max(0, len(text) - _LONGEST_HALF), len(text)):
        if text[start] == "\\" and _HALF.match(text, start):
            before = text[:start]
            if (start - len(before.rstrip("\\"))) % 2 == 0:
                return text[start:]
    return ""


def unescaped(text: str) -> str:
    """The text with what its JSON escapes stand for."""
    if "\\" not in text:
        return text
    plain = _ESCAPE.sub(_meant, text)
    return plain.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _meant(escape: re.Match[str]) -> str:
    return chr(int(escape[1], 16)) if escape[1] else _PLAIN.get(escape[2], escape[2])


def _is_result(head: bytes) -> bool:
    """Whether a message begins as what a tool gave back does."""
    return b'"content"' in head and b'"method"' not in head
