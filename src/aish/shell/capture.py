"""What a command printed, kept beside the display: head and tail within a bound."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable

_PRIVATE_MODE = re.compile(rb"\x1b\[\?([0-9;]+)([hl])")
_ALTERNATE = frozenset({47, 1047, 1049})
# Modes that a program sets for itself and that make a prompt unusable if it dies before it resets
# them: cursor keys, wrap off (reset = on), mouse, focus, paste, the alternate screen.
_OWN_MODES = frozenset({1, 47, 1047, 1049, 1000, 1002, 1003, 1004, 1005, 1006, 1015, 2004})
_NORMALLY_SET = frozenset({7, 25})  # wrap, visible cursor
LOOKED_THROUGH = 1 << 20  # bytes of a long output that are looked through before it is cut
LookThrough = Callable[[str], None]


def unseen(_: str) -> None:
    """Where nobody looks through what is cut."""


class Capture:
    """A bounded copy of a stream: the first bytes and the last ones.

    More of both is held until the end, so that what is cut can be looked through: what is kept may
    have a secret again that is named only there.
    """

    def __init__(self, limit: int, look: LookThrough = unseen) -> None:
        self._limit = limit
        self._look = look
        held = limit if look is unseen else max(limit, LOOKED_THROUGH)
        self._head_limit = held // 2
        self._tail_limit = held - held // 2
        self._head = bytearray()
        self._tail: deque[bytes] = deque()
        self._tail_size = 0
        self.total = 0
        self.full_screen = False
        self._modes: dict[int, bool] = {}
        self._seam = b""
        self._charset = False

    def add(self, data: bytes) -> None:
        """Keep a copy; costs a few searches per block, nothing per byte."""
        self.total += len(data)
        if b"\x1b" in data or b"\x0e" in data or self._seam:
            self._watch(data)
        room = self._head_limit - len(self._head)
        if room > 0:
            self._head += data[:room]
            data = data[room:]
        self._tail.append(data)
        self._tail_size += len(data)
        while self._tail_size - len(self._tail[0]) > self._tail_limit:
            self._tail_size -= len(self._tail.popleft())

    def parts(self) -> tuple[bytes, bytes, int]:
        """Head, tail, and how many bytes between them were dropped."""
        head, tail = self._held()
        half = self._limit // 2
        first, rest = head[:half], (head[half:] + tail)[half - self._limit :]
        return first, rest, self.total - len(first) - len(rest)

    def look_through(self) -> None:
        """Have what is held looked through, as far as it is not kept."""
        if self.total > self._limit and self._look is not unseen:
            head, tail = self._held()
            between = b"\n" if self.total > len(head) + len(tail) else b""
            self._look((head + between + tail).decode("utf-8", "replace"))

    def _held(self) -> tuple[bytes, bytes]:
        return bytes(self._head), b"".join(self._tail)[-self._tail_limit :]

    def repair(self) -> bytes:
        """What undoes the modes that the output left behind, empty when it left none."""
        undo = [
            b"\x1b[?%dl" % mode for mode, on in self._modes.items() if on and mode in _OWN_MODES
        ]
        undo += [
            b"\x1b[?%dh" % mode
            for mode, on in self._modes.items()
            if not on and mode in _NORMALLY_SET
        ]
        if self._charset:
            undo.append(b"\x1b(B\x0f")
        return b"".join(undo)

    def _watch(self, data: bytes) -> None:
        text = self._seam + data
        if b"\x1b[?" in text:
            for found in _PRIVATE_MODE.finditer(text):
                self._set_modes(found[1], found[2] == b"h")
        if b"\x1b(0" in text or b"\x0e" in text:
            self._charset = True
        escape = data.rfind(b"\x1b", -16)
        self._seam = data[escape:] if escape >= 0 else b""

    def _set_modes(self, numbers: bytes, on: bool) -> None:
        for number in numbers.split(b";"):
            if number:
                mode = int(number[:6])
                self._modes[mode] = on
                self.full_screen = self.full_screen or (on and mode in _ALTERNATE)
