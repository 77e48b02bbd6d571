"""Server-sent events without I/O: bytes in, the data of each finished event out."""

from __future__ import annotations

from aish.core.errors import Garbled

MAX_EVENT_BYTES = 16 * 1024 * 1024
STRAY_BYTES = 4096  # of what is no event that are kept
FIELDS = (b"data", b"event", b"id", b"retry")


class Complaint(bytes):
    """The data of an event that is called an error."""


class SseDecoder:
    """Feed it the stream in any pieces; an event counts only once its blank line has arrived.

    Some servers leave the blank line out. Then the next object begins the next event: nowhere in
    JSON does one stand on a new line after the end of another.

    Raises: Garbled, when one event grows past `limit`.
    """

    def __init__(self, limit: int = MAX_EVENT_BYTES) -> None:
        self._limit = limit
        self._line: list[bytes] = []  # pieces of the unfinished line
        self._data: list[bytes] = []  # finished data lines of the unfinished event
        self.held = 0  # bytes kept in the two lists
        self._name = b""  # what the unfinished event is called
        self._name_after = b""  # a name after its data: its own, or without a blank line the next
        self._after_cr = False
        self._begun = False
        self.stray = b""  # the beginning of what is no event at all: a page, a bare error

    def feed(self, piece: bytes) -> list[bytes]:
        piece = self._normalise(piece)
        self._line.append(piece)
        events: list[bytes] = []
        if b"\n" in piece:
            *lines, unfinished = b"".join(self._line).split(b"\n")
            self._line = [unfinished]
            self.held = len(unfinished) + sum(map(len, self._data))
            for line in lines:
                self._take(line, events)
        else:
            self.held += len(piece)
        if self.held > self._limit:
            raise Garbled(
                f"the server sent an event of more than {self._limit // 1024} KiB",
                "is this endpoint a chat completion server?",
            )
        return events

    def _take(self, line: bytes, events: list[bytes]) -> None:
        """A finished line: data is gathered, a blank line ends the event."""
        if not self._begun:
            self._begun = True
            line = line.removeprefix(b"\xef\xbb\xbf")  # a byte order mark
        if line.startswith(b"data:"):
            data = line[6:] if line[5:6] == b" " else line[5:]
            if self._data and _begins_another(self._data[-1], data):
                name, self._name_after = self._name_after, b""
                self._finish(events)
                self._name = name
            self._data.append(data)
            self.held += len(data)
        elif not line:
            self._finish(events)
        elif line.startswith(b"event:") and self._data:
            self._name_after = line[6:].strip()
        elif line.startswith(b"event:"):
            self._name = line[6:].strip()
        elif line.partition(b":")[0] not in (b"", *FIELDS):
            self.stray = (self.stray + line[:STRAY_BYTES] + b"\n")[:STRAY_BYTES]

    def rest(self) -> list[bytes]:
        """What stands there when the stream is over: an event without its end, whole or not."""
        events: list[bytes] = []
        line = b"".join(self._line)
        if line and not any(name.startswith(line) for name in FIELDS):  # half a name is no word
            self._take(line, events)
        self._line = []
        self._finish(events)
        return events

    def _finish(self, events: list[bytes]) -> None:
        if self._data:
            data = b"\n".join(self._data)
            name = self._name_after or self._name
            events.append(Complaint(data) if name == b"error" else data)
            self.held -= sum(map(len, self._data))
            self._data.clear()
        self._name = self._name_after = b""

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


def _begins_another(before: bytes, line: bytes) -> bool:
    return before.rstrip()[-1:] == b"}" and line.lstrip()[:1] in (b"{", b"[")
