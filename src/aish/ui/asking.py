"""The one way to ask at the terminal: a key pressed after the question, or a word; else no."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from aish.ui.keys import CTRL_C, STOPS, answer_key, read_word, waiting_input

if TYPE_CHECKING:
    from aish.ui.screen import Screen

STOP = CTRL_C  # not only no, but no more of this; Ctrl-D, Escape and the end of input too
STOPPED = "stop"  # what then stands behind every question
_REFUSALS = frozenset("nsq\r\n")  # a no in one key; nobody wants it in the next line


def take_early(screen: Screen, stdin: int, keys: Collection[str]) -> str:
    """Drain what was typed before the question; the one of `keys` that came too early, or "".

    It answers nothing, and nobody wants it in the next line either; other text goes there.
    """
    typed = waiting_input(stdin)
    pressed = set(typed) - {"\r", "\n"}
    if len(pressed) == 1 and pressed <= set(keys):
        return pressed.pop()
    screen.typed += typed
    return ""


def ask_key(
    screen: Screen,
    stdin: int,
    question: str,
    keys: Collection[str],
    *,
    patience: float | None = None,
    write: Callable[[str], None] | None = None,
) -> str:
    """The key pressed, one of `keys`; "" for no, STOP for no more of this.

    The question is painted once what was typed before it is gone. Several keys at once and a key
    that is not offered are typing: a no, and text of the next line. So is waiting for longer than
    `patience`, in seconds.
    """
    take_early(screen, stdin, keys)
    (write or screen.write)(question)
    key, rest = answer_key(stdin, patience)
    if key in STOPS:
        return STOP
    if key and key in keys:
        return key
    screen.typed += "" if key in _REFUSALS else key + rest
    return ""


def ask_word(screen: Screen, stdin: int, question: str, *, patience: float | None = None) -> str:
    """What was typed after the question to its Enter; "" when nothing came in time, or STOP."""
    screen.typed += waiting_input(stdin)
    screen.write(screen.worded(question))
    word, rest = read_word(stdin, screen.control, patience)
    screen.typed += rest
    return word
