"""Short questions to the user that one key answers, or a line to edit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from aish.ui.asking import STOP, STOPPED, ask_key, ask_word
from aish.ui.keys import unbuffered

if TYPE_CHECKING:
    from aish.ui.screen import Screen


class Answers(Protocol):
    """The user's answers to short questions."""

    def choose(self, question: str, keys: str) -> str:
        """The key pressed, one of `keys`; empty for whatever else came."""
        ...

    def typed_line(self, question: str) -> str:
        """A short line typed at the terminal; empty when it is given up."""
        ...

    def edited(self, text: str) -> str:
        """The text as the user leaves it; empty when the editing is given up."""
        ...


class KeyAnswers:
    """Asks at the terminal; what was typed before the question is no answer to it."""

    def __init__(self, screen: Screen, stdin: int) -> None:
        self._screen = screen
        self._stdin = stdin

    def choose(self, question: str, keys: str) -> str:
        """The key pressed, one of `keys`; empty for whatever else came."""
        with unbuffered(self._stdin):
            asked, bracket, choice = self._screen.worded(f"{question} ").rpartition("[")
            self._screen.write(asked)
            key = ask_key(self._screen, self._stdin, f"{bracket}{choice}", keys + keys.upper())
        self._screen.line(STOPPED if key == STOP else key.lower())
        return "" if key == STOP else key.lower()

    def typed_line(self, question: str) -> str:
        """A short line typed at the terminal; empty when it is given up."""
        with unbuffered(self._stdin):
            line = ask_word(self._screen, self._stdin, question)
        return "" if line == STOP else line.strip()

    def edited(self, text: str) -> str:
        """The text as the user leaves it; empty when the editing is given up."""
        from prompt_toolkit import prompt

        try:
            return prompt("edit: ", default=" ".join(text.split())).strip()
        except (KeyboardInterrupt, EOFError):
            return ""
