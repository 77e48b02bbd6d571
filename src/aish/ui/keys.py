"""Reading single keys from the terminal, never mistaking typed-ahead text for an answer."""

from __future__ import annotations

import os
import re
import select
import signal
import termios
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from signal import SIGQUIT, SIGTSTP

CTRL_C = "\x03"
CTRL_D = "\x04"
ESCAPE = "\x1b"
STOPS = (CTRL_C, CTRL_D, ESCAPE)  # the end of input reads as Ctrl-D

_FOCUS = re.compile(rb"\x1b\[[IO]")  # the terminal tells that its window was left or entered

TYPING = 0.15  # seconds; keys that follow each other faster are typing, not an answer


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
def signals_of_a_shell() -> Iterator[None]:
    """Ctrl-\\ and Ctrl-Z do nothing to it; they are for what runs in it.

    Ctrl-C is heard, also where whoever started aish was deaf to it, as a script's `aish &` is.
    """
    before = {number: signal.signal(number, signal.SIG_IGN) for number in (SIGQUIT, SIGTSTP)}
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        before[signal.SIGINT] = signal.signal(signal.SIGINT, signal.default_int_handler)
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
    return _FOCUS.sub(b"", typed).decode("utf-8", "replace")


def answer_key(descriptor: int, seconds: float | None = None) -> tuple[str, str]:
    """One key pressed on its own, and "" ; or "" and what came when it was more than a key.

    Somebody who types a sentence presses the next key soon: then the first was no answer.
    An escape sequence is more than a key; the end of input is Ctrl-D. After so many `seconds`
    without a key there is no answer.
    """
    data = b""
    while not data:  # what the terminal tells by itself is no key
        if seconds and not select.select([descriptor], [], [], seconds)[0]:
            return "", ""
        data = _FOCUS.sub(b"", _typed_in_a_row(descriptor))
    text = data.decode("utf-8", "replace")
    return (text, "") if len(text) == 1 else ("", text)


def _typed_in_a_row(descriptor: int) -> bytes:
    data = os.read(descriptor, 4096) or CTRL_D.encode()
    while select.select([descriptor], [], [], TYPING)[0]:
        more = os.read(descriptor, 4096)
        if not more:
            break
        data += more
    return data


def read_word(
    descriptor: int, echo: Callable[[str], None], seconds: float | None = None
) -> tuple[str, str]:
    """A word typed to its Enter, and what came with it after that.

    Ctrl-C when it was given up with that, Ctrl-D, Escape or the end of input; "" by waiting.
    """
    word = ""
    while True:
        if seconds and not select.select([descriptor], [], [], seconds)[0]:
            echo("\n")
            return "", ""
        text = os.read(descriptor, 4096).decode("utf-8", "replace") or CTRL_D
        for number, key in enumerate(text, 1):
            if key in "\r\n":
                echo("\n")
                return word, text[number:]
            if key in STOPS:
                echo("\n")
                return CTRL_C, ""
            if key in "\x7f\b":
                echo("\b \b" if word else "")
                word = word[:-1]
            elif key.isprintable():
                echo(key)
                word += key
