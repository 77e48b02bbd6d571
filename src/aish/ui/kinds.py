"""What the line at the prompt is, while it is typed and when it is entered."""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aish.core.classify import Classification, CommandNames, LineKind


class LineKinds:
    """Remembers the last line looked at: the mark, the colours and Enter ask about the same one.

    The classifier is loaded after the first prompt is on the screen; until then a line is shown
    as a command. Enter waits for it.
    """

    def __init__(
        self,
        names: CommandNames,
        names_ready: Callable[[], object],
        asked: Callable[[], bool] = lambda: False,
    ) -> None:
        """`asked`: whether the last thing on the screen is a question of the model's."""
        self._names = names
        self._asked = asked
        self._names_ready = names_ready
        self._line = ""
        self._shown: LineKind | None = None
        self._guess = ""
        self._entered: tuple[str, Classification] | None = None
        self.loaded = False

    def load(self) -> None:
        """Get the classifier and the syntax reader ready, in whatever thread has time."""
        from aish.core.classify import classify
        from aish.core.shellsyntax import spans

        classify("ls -l", self._names)
        spans("ls -l")
        self.loaded = True

    def steady_kind(self, line: str) -> LineKind:
        """The kind to show now; it does not flicker while a word is half typed."""
        if not self.loaded:
            return "shell"
        if line != self._line:
            same = _goes_on(self._line, line) and not self._reply(self._line)
            before = self._shown if same else None  # another line owes nothing to the last one
            self._line = line
            found = self._typed(line, before) if line.strip() else None
            self._shown = found.kind if found else "shell"
            self._guess = self._guessed(line) if found is not None and found.doubtful else ""
        return self._shown or "shell"

    def guess(self, line: str) -> str:
        """What Enter would take a doubtful line for; "" where there is no doubt."""
        self.steady_kind(line)
        return self._guess if self.loaded else ""

    def _typed(self, line: str, before: LineKind | None) -> Classification:
        from aish.core.classify import while_typing

        return self._reply(line) or while_typing(line, self._names, before)

    def _guessed(self, line: str) -> str:
        """The mark may still wait for the end of a word; Enter does not."""
        return self._classified(line).kind

    def _classified(self, line: str) -> Classification:
        from aish.core.classify import classify

        return self._reply(line) or classify(line, self._names)

    def _reply(self, line: str) -> Classification | None:
        """`yes` is a program, but not to somebody who has just been asked something."""
        from aish.core.classify import as_reply

        found = as_reply(line, self._names)
        return found if found and self._asked() else None

    def entered(self, line: str) -> Classification:
        """What the line is, for good; a question only once the shell's aliases are known.

        Enter asks, and whoever does the line then asks once more.
        """
        if self._entered is not None and self._entered[0] == line:
            return self._entered[1]
        found = self._classified(line)
        if found.kind == "ask" and isfinite(found.score):
            self._names_ready()
            found = self._classified(line)
        self._entered = (line, found)
        return found

    def begin(self) -> None:
        """A new line begins: the same words may mean something else than they did."""
        self._entered = None

    def is_command(self, line: str) -> bool:
        return self.entered(line).kind == "shell"

    def is_complete(self, line: str) -> bool:
        """Whether the shell would run this command as it stands."""
        from aish.core.shellsyntax import is_complete

        return is_complete(line).complete

    def waits_for(self, line: str) -> str:
        """What the shell would wait for after this line; "" for nothing, and for a question."""
        from aish.core.shellsyntax import is_complete

        waiting = is_complete(line).waiting_for
        return waiting if waiting and self.is_command(line) else ""


def _goes_on(before: str, now: str) -> bool:
    """Whether a line is the one before with something added, or a letter taken back."""
    if not before:
        return False
    return now.startswith(before) or (before.startswith(now) and len(before) - len(now) == 1)
