"""Reading single keys from the terminal, never mistaking typed-ahead text for an answer."""

from __future__ import annotations

import os
import re
import select
import signal
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from signal import SIGQUIT, SIGTSTP

CTRL_C = "\x03"
CTRL_D = "\x04"
ESCAPE = "\x1b"

_SEQUENCE_END = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|O.|[^\[O])", re.DOTALL)


@contextmanager
def unbuffered(descriptor: int) -> Iterator[None]:
    """Keys one at a time, without echo or signals; the terminal is as before afterwards."""
    saved = termios.tcgetattr(descriptor)
    mode = termios.tcgetattr(descriptor)
    mode[3] &= ~(termios.ICANON | termios.ECHO | termios.ISIG)
    mode[6][termios.VMIN], mode[6][termios.VTIME] = 1, 0
    termios.tcsetattr(descriptor, termios.TCSADRAIN, mode)
    try:
        yield
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, saved)


@contextmanager
def unechoed(descriptor: int) -> Iterator[None]:
    """Keys pressed meanwhile are not shown and wait for the line editor; Ctrl-C still works."""
    try:
        saved = termios.tcgetattr(descriptor)
        mode = termios.tcgetattr(descriptor)
    except termios.error:
        yield  # no terminal, no echo
        return
    mode[3] &= ~(termios.ICANON | termios.ECHO)
    termios.tcsetattr(descriptor, termios.TCSADRAIN, mode)
    try:
        yield
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, saved)


@contextmanager
def deaf_to_quit() -> Iterator[None]:
    """Ctrl-\\ and Ctrl-Z do nothing to a shell; they are for what runs in it."""
    before = {number: signal.signal(number, signal.SIG_IGN) for number in (SIGQUIT, SIGTSTP)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def waiting_input(descriptor: int) -> str:
    """What has been typed already, taken off the terminal."""
    typed = b""
    while select.select([descriptor], [], [], 0)[0]:
        data = os.read(descriptor, 4096)
        if not data:
            break
        typed += data
    return typed.decode("utf-8", "replace")


def read_key(descriptor: int) -> str:
    """The next key; an escape sequence counts as one, the end of input as Ctrl-D."""
    data = os.read(descriptor, 1)
    if not data:
        return CTRL_D
    if data == b"\x1b":
        return _escape_sequence(descriptor)
    while _unfinished(data):
        data += os.read(descriptor, 1)
    return data.decode("utf-8", "replace")


def _escape_sequence(descriptor: int) -> str:
    """What follows an escape, to the end of its sequence; the bare key when nothing follows."""
    data = b"\x1b"
    while not _SEQUENCE_END.fullmatch(data) and select.select([descriptor], [], [], 0.02)[0]:
        more = os.read(descriptor, 1)
        if not more:
            break
        data += more
    return data.decode("utf-8", "replace")


def _unfinished(data: bytes) -> bool:
    """Whether the bytes are the beginning of a longer UTF-8 character."""
    lead = data[0]
    length = 4 if lead >= 0xF0 else 3 if lead >= 0xE0 else 2 if lead >= 0xC0 else 1
    return len(data) < length
