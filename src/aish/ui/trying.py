"""Trying a command at the terminal: run it, look at what it did, then apply it or not."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

from aish.core.errors import SandboxError
from aish.core.typed_numbers import number_in
from aish.core.values import dataclass
from aish.ui.style import DIM
from aish.ui.trial_view import painted_difference, rows_for, show_applied, show_changes, shown_path

if TYPE_CHECKING:
    from aish.sandbox.applying import Applied
    from aish.sandbox.changes import Scan
    from aish.sandbox.trial import Trial
    from aish.sandbox.trials import Trials
    from aish.ui.answers import Answers
    from aish.ui.screen import Screen

LIST_ALL = "[l]ist all  "
QUESTION = "[a]pply  [s]ome  [d]iff  s[h]ell inside  [Enter] discard"
# The user's own shell, with the history of other days, and none written: it is not of the trial.
SHELL_INSIDE = (
    "exec bash --rcfile <(echo '"
    "[[ -r ~/.bashrc ]] && . ~/.bashrc; history -r 2>/dev/null; unset -v HISTFILE"
    "')"
)
INSTEAD = "run it in the sandbox instead, for real, writing only to this folder? [y/N]"

Runs = Callable[["Trial", list[str]], int]  # runs a program inside, on the user's terminal
Sandbox = Callable[[str, str, bool], int]  # runs a command confined to a folder; with a network?


@dataclass(frozen=True, slots=True)
class Tried:
    """How a trial ended."""

    status: int
    end: Literal["applied", "discarded", "nothing", "sandboxed"]
    found: Scan
    applied: Applied | None = None


class TryFace:
    """One trial after the other, on one screen."""

    def __init__(
        self,
        trials: Trials,
        screen: Screen,
        answers: Answers | None,
        runs: Runs,
        sandbox: Sandbox | None = None,
    ) -> None:
        self._trials = trials
        self._screen = screen
        self._answers = answers
        self._runs = runs
        self._sandbox = sandbox

    def warn(self, command: str, cwd: str, *, network: bool) -> None:
        """Say before what a trial will not show."""
        from aish.sandbox.limits import cannot_show

        for text in cannot_show(command, cwd, network=network):
            self._screen.notice(text)

    def __call__(
        self, command: str, cwd: str, *, network: bool = False, apply: bool = False
    ) -> Tried:
        """Try it; what becomes of the changes is asked, or settled by `apply`.

        Raises: SandboxError, StoreError.
        """
        self.warn(command, cwd, network=network)
        try:
            trial = self._trials.prepare(cwd, network=network)
        except SandboxError as error:
            return self._instead(error, command, cwd, network=network)
        try:
            try:
                status = self._runs(trial, ["bash", "-c", command])
            except SandboxError as error:  # it never began
                return self._instead(error, command, cwd, network=network)
            return self.settle(trial, command, status, apply=apply)
        finally:
            trial.discard()

    def _instead(self, error: SandboxError, command: str, cwd: str, *, network: bool) -> Tried:
        """Where nothing can be tried, a person is offered the sandbox.

        Raises: SandboxError.
        """
        from aish.sandbox.changes import Scan

        if self._answers is None or self._sandbox is None:
            raise error
        self._screen.notice(error.message)
        if self._answers.choose(INSTEAD, "yn") != "y":
            raise SandboxError("it did not run") from error
        status = self._sandbox(command, cwd, network)
        return Tried(status, "sandboxed", Scan((), ()))

    def settle(
        self, trial: Trial, about: str, status: int, *, apply: bool = False, head: str = ""
    ) -> Tried:
        """Show what a trial changed and ask what becomes of it; the trial is still to be discarded.

        `about` is what it is remembered by for undo; `head` is said above the list.

        Raises: SandboxError, StoreError.
        """
        head = head or f"tried, exit status {status}; nothing is real yet:"
        found = self._trials.scan(trial)
        self._list(found, trial.cwd, head)
        if found.nothing:
            return Tried(status, "nothing", found)
        if apply or self._answers is None:
            return self._end(trial, about, status, found, None if apply else set())
        while True:
            cut = len(found.changes) > rows_for(self._screen)
            match self._answers.choose(LIST_ALL * cut + QUESTION, "asdh" + "l" * cut):
                case "a":
                    return self._end(trial, about, status, found, None)
                case "s":
                    if only := self._picked(found):
                        return self._end(trial, about, status, found, only)
                case "l":
                    show_changes(self._screen, found, trial.cwd, whole=True)
                case "d":
                    self._differences(found, trial.cwd)
                case "h":
                    self._screen.notice("a shell inside the trial; `exit` comes back here")
                    self._runs(trial, ["bash", "-c", SHELL_INSIDE])
                    found = self._trials.scan(trial)
                    self._list(found, trial.cwd, head)
                case _:
                    return self._end(trial, about, status, found, set())

    def _list(self, found: Scan, cwd: str, head: str) -> None:
        self._screen.line(self._screen.paint(head, DIM))
        show_changes(self._screen, found, cwd)

    def _end(
        self, trial: Trial, about: str, status: int, found: Scan, only: set[str] | None
    ) -> Tried:
        """Apply all (`only` None), some, or nothing (`only` empty)."""
        if only is not None and not only:
            self._screen.notice("discarded; nothing was changed")
            return Tried(status, "discarded", found)
        applied = self._trials.apply(trial, found, about, only)
        show_applied(self._screen, applied, trial.cwd)
        return Tried(status, "applied", found, applied)

    def _differences(self, found: Scan, cwd: str) -> None:
        from aish.sandbox.trials import lines_of

        for change in found.changes:
            if change.what in ("file", "link"):
                for line in painted_difference(
                    self._screen, lines_of(change, shown_path(change.path, cwd))
                ):
                    self._screen.line(line)

    def _picked(self, found: Scan) -> set[str]:
        """The paths of the numbers typed, as in `1 3-5`; the list is numbered."""
        if self._answers is None:
            return set()
        numbers = _numbers(self._answers.typed_line("numbers to apply, as in 1 3-5: "))
        chosen = {
            change.path for number, change in enumerate(found.changes, 1) if number in numbers
        }
        if not chosen:
            self._screen.notice("none of those is in the list")
        return chosen


def _numbers(text: str) -> set[int]:
    found: set[int] = set()
    for part in text.replace(",", " ").split():
        first, _, last = part.partition("-")
        lowest, highest = number_in(first), number_in(last or first)
        if lowest is not None and highest is not None:
            found.update(range(lowest, min(highest, lowest + 100_000) + 1))
    return found
