"""The loop: a line is read, understood and done, until the user leaves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from aish.core.classify import Classification
from aish.core.errors import AishError
from aish.ui import meta
from aish.ui.session import Session

Classify = Callable[[str], Classification]


class Reader(Protocol):
    def read(self, default: str = "") -> tuple[str, str]: ...


class Repl:
    """Reads lines and does them; one failing line never ends the shell."""

    def __init__(
        self, session: Session, reader: Reader, classify: Classify, next_line: Callable[[], str]
    ) -> None:
        self._session = session
        self._reader = reader
        self._classify = classify
        self._next_line = next_line
        self._status = 0

    def run(self) -> int:
        """Until Ctrl-D or `:quit`; the exit code is the last line's."""
        while not self._session.leaving:
            try:
                line, forced = self._reader.read(self._next_line())
            except KeyboardInterrupt:
                continue  # Ctrl-C drops the line
            except EOFError:
                break
            self._do(line, forced)
        return self._status

    def _do(self, line: str, forced: str) -> None:
        if not line.strip():
            return
        understood = self._classify(line)
        if forced and forced != understood.kind:
            understood = Classification("ask" if forced == "ask" else "shell", "forced", line)
        try:
            self._perform(understood, private=line[0].isspace())
        except AishError as error:
            self._session.screen.error(error)
            self._status = error.exit_code
        except KeyboardInterrupt:
            self._status = 130

    def _perform(self, understood: Classification, *, private: bool) -> None:
        match understood.kind:
            case "meta":
                meta.run(self._session, understood.text)
                self._status = 0
            case "ask":
                self._status = 0 if self._session.ask(understood.text) else 1
            case "shell":
                command = (" " if private else "") + understood.text
                self._status = self._session.execute(command).status
