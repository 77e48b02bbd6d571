"""The user's own keys that type a text: those of their inputrc, and of `bind`."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Protocol

from prompt_toolkit.filters import emacs_insert_mode, vi_insert_mode
from prompt_toolkit.input.vt100_parser import Vt100Parser
from prompt_toolkit.key_binding import (
    DynamicKeyBindings,
    KeyBindings,
    KeyPress,
    KeyPressEvent,
)

_PASTE = "\x1b[200~"
DEEPEST = 16  # a macro in a macro, as many as readline plays

_MACRO = re.compile(rb'"((?:[^"\\]|\\.)*)": "((?:[^"\\]|\\.)*)"')
_ESCAPE = re.compile(rb"\\(?:C-\\?(.)|([0-7]{3})|(M-|.))", re.DOTALL)
_NAMED = {b"e": b"\x1b", b"M-": b"\x1b", b"d": b"\x7f"}


class _Played(KeyPress):
    """A key that a macro pressed."""

    def __init__(self, press: KeyPress, depth: int) -> None:
        super().__init__(press.key, press.data)
        self.depth = depth


class Bound(Protocol):
    """A shell whose user has keys of their own."""

    @property
    def macros(self) -> bytes:
        """As `bind -s` prints them."""
        ...


class MacroKeys(DynamicKeyBindings):
    """Bindings that follow what the shell lists; read anew when the list is another one."""

    def __init__(self, shell: Bound) -> None:
        self._shell = shell
        self._read = b""
        self._keys = KeyBindings()
        super().__init__(self._current)

    def _current(self) -> KeyBindings:
        listed = self._shell.macros
        if listed != self._read:
            self._read, self._keys = listed, _bindings(listed)
        return self._keys


def _bindings(listed: bytes) -> KeyBindings:
    keys = KeyBindings()
    for sequence, text in macros(listed):
        pressed = [press.key for press in _presses(sequence)]
        if not pressed or _PASTE in sequence:
            continue  # where a paste begins, no key is pressed
        keys.add(*pressed, filter=emacs_insert_mode | vi_insert_mode)(_playing(text))
    return keys


def macros(listed: bytes) -> list[tuple[str, str]]:
    """What `bind -s` printed: keys, and the keys they stand for."""
    return [(_text(keys), _text(value)) for keys, value in _MACRO.findall(listed) if keys]


def _text(written: bytes) -> str:
    """Without readline's notation; a byte that is no character is a key with Meta."""
    read = _ESCAPE.sub(_meant, written).decode("utf-8", "surrogateescape")
    return re.sub("[\udc80-\udcff]", lambda met: "\x1b" + chr(ord(met[0]) & 0x7F), read)


def _meant(escape: re.Match[bytes]) -> bytes:
    control, octal, named = escape.groups()
    if octal:
        return bytes([int(octal, 8) & 0xFF])
    if control:
        return b"\x7f" if control == b"?" else bytes([control[0] & 0x1F])
    return _NAMED.get(named, named)


def _presses(text: str) -> list[KeyPress]:
    found: list[KeyPress] = []
    parser = Vt100Parser(found.append)
    parser.feed(text)
    parser.flush()
    return found


def _playing(text: str) -> Callable[[KeyPressEvent], None]:
    def play(event: KeyPressEvent) -> None:
        last = event.key_sequence[-1]
        depth = last.depth + 1 if isinstance(last, _Played) else 1
        if depth > DEEPEST:
            event.app.output.bell()
            return
        played: list[KeyPress] = [_Played(press, depth) for press in _presses(text)]
        event.app.key_processor.feed_multiple(played, first=True)

    return play
