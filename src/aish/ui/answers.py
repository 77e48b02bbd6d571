"""Short questions to the user that one key answers, or a line to edit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aish.ui.keys import CTRL_C, CTRL_D, ESCAPE, read_key, unbuffered, waiting_input

if TYPE_CHECKING:
    from aish.ui.screen import Screen

_NO_ANSWER = ("\r", "\n", CTRL_C, CTRL_D, ESCAPE)


class KeyAnswers:
    """Asks at the terminal; what was typed before the question is no answer to it."""

    def __init__(self, screen: Screen, stdin: int) -> None:
        self._screen = screen
        self._stdin = stdin
        self._typed = ""

    def take_typed(self) -> str:
        """What was typed before a question stood there, once."""
        typed, self._typed = self._typed, ""
        return typed

    def choose(self, question: str, keys: str) -> str:
        """The key pressed, one of `keys`; empty for Enter, Escape, Ctrl-C and Ctrl-D."""
        with unbuffered(self._stdin):
            self._typed += waiting_input(self._stdin)
            self._screen.write(f"{question} ")
            key = self._pressed(keys)
        self._screen.line(key)
        return key

    def _pressed(self, keys: str) -> str:
        while True:
            key = read_key(self._stdin)
            if key in _NO_ANSWER:
                return ""
            if key and key.lower() in keys:
                return key.lower()

    def typed_line(self, question: str) -> str:
        """A short line typed at the terminal; empty when it is given up."""
        self._screen.write(question)
        try:
            return input().strip()
        except (KeyboardInterrupt, EOFError):
            self._screen.line()
            return ""

    def edited(self, text: str) -> str:
        """The text as the user leaves it; empty when the editing is given up."""
        from prompt_toolkit import prompt

        try:
            return prompt("edit: ", default=" ".join(text.split())).strip()
        except (KeyboardInterrupt, EOFError):
            return ""
