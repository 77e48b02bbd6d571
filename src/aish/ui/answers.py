"""Short questions to the user that one key answers, or a line to edit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from aish.ui.keys import answer_key, read_word, unbuffered, waiting_input

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
        self._typed = ""

    def take_typed(self) -> str:
        """What was typed before a question stood there, once."""
        typed, self._typed = self._typed, ""
        return typed

    def choose(self, question: str, keys: str) -> str:
        """The key pressed, one of `keys`; empty for whatever else came."""
        with unbuffered(self._stdin):
            asked, bracket, choice = self._screen.worded(f"{question} ").rpartition("[")
            self._screen.write(asked)
            # What was typed before the question stood there is no answer to it.
            self._typed += waiting_input(self._stdin)
            self._screen.write(f"{bracket}{choice}")
            key, rest = answer_key(self._stdin)
        self._typed += rest
        key = key.lower() if key and key.lower() in keys else ""
        self._screen.line(key)
        return key

    def typed_line(self, question: str) -> str:
        """A short line typed at the terminal; empty when it is given up."""
        with unbuffered(self._stdin):
            self._screen.write(self._screen.worded(question))
            return read_word(self._stdin, self._screen.control).strip()

    def edited(self, text: str) -> str:
        """The text as the user leaves it; empty when the editing is given up."""
        from prompt_toolkit import prompt

        try:
            return prompt("edit: ", default=" ".join(text.split())).strip()
        except (KeyboardInterrupt, EOFError):
            return ""
