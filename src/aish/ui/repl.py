"""The loop: a line is read, understood and done, until the user leaves."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from aish.core.errors import AishError, UsageError
from aish.ui import meta
from aish.ui.marks import Marks

if TYPE_CHECKING:
    from aish.core.classify import Classification
    from aish.ui.face import Face

Classify = Callable[[str], "Classification"]
NOT_FOUND = 127
INTERRUPTED = 130
NOT_BY_CTRL_D = 'Use "exit" to leave the shell.'  # bash's own words


class LineReader(Protocol):
    def read(self, default: str = "", typed: str = "") -> tuple[str, str]: ...


class Typed(Protocol):
    """What the next line begins with: text to edit, and keys pressed while something ran."""

    def text(self) -> str: ...

    def keys(self) -> str: ...


class Repl:
    """Reads lines and does them; one failing line never ends the shell."""

    def __init__(self, face: Face, reader: LineReader, classify: Classify, typed: Typed) -> None:
        self._session = face
        self._reader = reader
        self._classify = classify
        self._typed = typed
        self._marks = Marks.of_process(face.models.secrecy)
        self._not_found = ""
        self._dropped = False
        self._status = 0
        self._ends = 0  # Ctrl-Ds in a row

    def run(self) -> int:
        """Until Ctrl-D or `:quit`; the exit code is the last line's."""
        while not self._session.leaving or self._is_kept_by_jobs():
            self._session.leaving = False
            try:
                self._drop_line()
                self._marks.prompt(self._session.shell.cwd)
                line, forced = self._reader.read(self._typed.text(), self._typed.keys())
                self._ends = 0
                if line.strip():
                    self._marks.began(line)
                    self._do(line, forced)
                    self._marks.ended(self._status)
            except KeyboardInterrupt:
                self._dropped = True
            except EOFError:
                if not self._is_warned() and not self._is_kept_by_jobs():
                    break
        return self._status

    def _is_warned(self) -> bool:
        """With `set -o ignoreeof` the first ones only say how to leave."""
        shell = self._session.shell
        if self._session.answers is None or shell.ended or self._ends >= shell.ignored_ends:
            return False
        self._ends += 1
        self._session.screen.line(NOT_BY_CTRL_D)
        return True

    def _is_kept_by_jobs(self) -> bool:
        """Leaving while there are jobs is bash's to answer: it tells of stopped ones first.

        As after its own Ctrl-D, `$?` stays what it was.
        """
        shell = self._session.shell
        if self._session.answers is None or shell.ended or not shell.job_count:
            return False
        self._do(f" exit || (exit {shell.status})", "shell")
        return not shell.ended

    def _drop_line(self) -> None:
        """Ctrl-C dropped the line; to the shell behind it, it is the one that was interrupted.

        Done where another Ctrl-C can only bring us here again.
        """
        if self._dropped:
            self._status = INTERRUPTED
            self._session.shell.interrupt()
            self._dropped = False

    def _do(self, line: str, forced: str) -> None:
        understood = self._classify(line)
        if forced and forced != understood.kind:
            from aish.core.classify import Classification

            understood = Classification("ask" if forced == "ask" else "shell", "forced", line)
        lived = not self._session.shell.ended
        try:
            self._perform(understood, private=line[0].isspace())
            if lived and self._session.shell.ended:  # a command of the model's can end it too
                self._session.leaving = True
        except AishError as error:
            self._session.screen.error(error)
            self._status = error.exit_code
        except KeyboardInterrupt:
            self._status = INTERRUPTED

    def _perform(self, understood: Classification, *, private: bool) -> None:
        match understood.kind:
            case "meta":
                meta.run(self._session, understood.text)
                self._status = 0
            case "ask":
                self._ask(understood.text, private=private)
            case "shell":
                bare = private and not understood.text[:1].isspace()
                self._execute(f" {understood.text}" if bare else understood.text)

    def _ask(self, text: str, *, private: bool) -> None:
        if not text:
            text = self._about_not_found()
        self._status = 0 if self._session.ask(text, private=private) else 1

    def _about_not_found(self) -> str:
        """A bare `?` asks about the line the shell did not know."""
        if not self._not_found:
            raise UsageError("there is nothing to ask", "?why is the sky blue")
        line, self._not_found = self._not_found, ""
        return f"I typed this, and the shell did not find the command: {line}\nWhat do I need?"

    def _execute(self, command: str) -> None:
        result = self._session.execute(command)
        self._status = result.status
        if result.status == NOT_FOUND and not result.private:
            self._not_found = result.command
            self._session.screen.notice("not found here; `?` and Enter asks the model about it")
