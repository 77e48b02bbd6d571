"""Server-sent events without I/O: bytes in, the data of each finished event out."""

from __future__ import annotations

from aish.core.errors import Garbled

MAX_EVENT_BYTES = 16 * 1024 * 1024


class SseDecoder:
    """Feed it the stream in any pieces; an event counts only once its blank line has arrived.

    Raises: Garbled, when one event grows past `limit`.
    """

    def __init__(self, limit: int = MAX_EVENT_BYTES) -> None:
        self._limit = limit
        self._line: list[bytes] = []  # pieces of the unfinished line
        self._data: list[bytes] = []  # finished data lines of the unfinished event
        self._held = 0  # bytes kept in the two lists
        self._after_cr = False
        self._begun = False

    def feed(self, piece: bytes) -> list[bytes]:
        piece = self._normalise(piece)
        self._line.append(piece)
        events: list[bytes] = []
        if b"\n" in piece:
            *lines, unfinished = b"".join(self._line).split(b"\n")
            self._line = [unfinished]
            self._held = len(unfinished) + sum(map(len, self._data))
            for line in lines:
                self._take(line, events)
        else:
            self._held += len(piece)
        if self._held > self._limit:
            raise Garbled(
                f"the server sent an event of more than {self._limit // 1024} KiB",
                "is this endpoint a chat completion server?",
            )
        return events

    def _take(self, line: bytes, events: list[bytes]) -> None:
        """A finished line: data is gathered, a blank line ends the event, the rest is ignored."""
        if not self._begun:
            self._begun = True
            line = line.removeprefix(b"\xef\xbb\xbf")  # a byte order mark
        if line.startswith(b"data:"):
            data = line[6:] if line[5:6] == b" " else line[5:]
            self._data.append(data)
            self._held += len(data)
        elif not line and self._data:
            events.append(b"\n".join(self._data))
            self._held -= sum(map(len, self._data))
            self._data.clear()

    def _normalise(self, piece: bytes) -> bytes:
        """One kind of line end; a CRLF may be cut between its halves."""
        if not piece:
            return piece
        if self._after_cr and piece.startswith(b"\n"):
            piece = piece[1:]
        self._after_cr = piece.endswith(b"\r")
        if b"\r" in piece:
            piece = piece.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        return piece
