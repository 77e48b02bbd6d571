"""The shell for commands of the model: tried when asked, and run so that they can be taken back."""

from __future__ import annotations

import shlex
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from aish.core.errors import SandboxError
from aish.ui.style import harmless

if TYPE_CHECKING:
    from collections.abc import Callable

    from aish.core.messages import ExecResult
    from aish.sandbox.safeguards import Safeguards
    from aish.sandbox.trial import Trial
    from aish.sandbox.trials import Trials
    from aish.session.hands import Settle
    from aish.session.ports import Bash
    from aish.shell.command_reader import CommandReader
    from aish.ui.answers import Answers
    from aish.ui.screen import Screen
    from aish.ui.trying import Tried

NOT_RUN = 1  # the status of a typed command that its user thought better of
COULD_NOT = 125  # the status of a command that could not be tried


class CarefulShell:
    """Wraps the live shell; what the user types themselves goes straight through."""

    def __init__(
        self,
        shell: Bash,
        safeguards: Safeguards,
        screen: Screen,
        answers: Answers | None,
        *,
        reader: Callable[[], CommandReader | None] | None = None,
        tells_once: bool = False,
    ) -> None:
        """`tells_once`: that old files are kept is said with the first of them only.

        `reader` gives what reads the lines the user types, where they are read now: they are asked
        before one destroys.
        """
        self._shell = shell
        self._safeguards = safeguards
        self._screen = screen
        self._answers = answers
        self._reader = reader
        self._told = False
        self._tells_once = tells_once
        self._told_kept = False

    @property
    def kept_files(self) -> bool:
        """Whether a command left its old files."""
        return self._told_kept

    @property
    def trials(self) -> Trials:
        return self._safeguards.trials

    @property
    def cwd(self) -> str:
        return self._shell.cwd

    @property
    def reads_typed(self) -> bool:
        """Whether what the user types is read before the shell gets it."""
        return self._reader is not None and self._reader() is not None

    def enter(self, line: str) -> ExecResult:
        """Run what the user typed. Raises: ShellError."""
        reader = self._reader() if self._reader else None
        if reader is not None and not self._allows(line, reader):
            from aish.core.messages import ExecResult

            return ExecResult(line, NOT_RUN, "")
        return self._shell.enter(line)

    def _allows(self, line: str, reader: CommandReader) -> bool:
        from aish.ui.person import Person

        verdict = reader.judge(line, self.cwd)
        if verdict.level != "destructive":
            return True
        return Person(self._screen).confirm(f"this {verdict.reason}. Run it?")

    def run(self, command: str) -> ExecResult:
        """Run a command of the model; one that deletes or overwrites leaves the old files.

        Raises: ShellError, SandboxError, StoreError.
        """
        if self._may_keep(command):
            result = self._run_and_keep(command)
            if result is not None:
                return result
        return self._shell.run(command)

    def keeps(self, command: str) -> bool:
        """Whether this command of the model would leave what it deletes or overwrites."""
        return self._may_keep(command) and self._overlays

    def _may_keep(self, command: str) -> bool:
        from aish.sandbox.limits import cannot_show
        from aish.sandbox.undoable import undoable

        shown = not cannot_show(command, self.cwd, network=False)
        return undoable(command, self._shell.defines) and shown

    @cached_property
    def _overlays(self) -> bool:
        """Tried out once, when it is first of interest."""
        from aish.sandbox.status import protection

        return protection().trial

    def tried(self, command: str, *, network: bool = False) -> ExecResult:
        """Try a command, show what it changes, and let the user decide.

        Raises: ShellError, StoreError.
        """
        from aish.ui.trying import TryFace

        outcomes: list[ExecResult] = []

        def runs(trial: Trial, argv: list[str]) -> int:
            outcomes.append(self._inside(trial, argv))
            return outcomes[-1].status

        def confined(command: str, cwd: str, network: bool) -> int:
            outcomes.append(self._confined(command, cwd, network=network))
            return outcomes[-1].status

        try:
            face = TryFace(self.trials, self._screen, self._answers, runs, confined)
            tried = face(command, self.cwd, network=network)
        except SandboxError as error:
            self._screen.error(error)
            from aish.core.messages import ExecResult

            return ExecResult(command, COULD_NOT, f"[{error.message}; it did not run]")
        first = outcomes[0]
        text = f"{first.output.rstrip()}\n{note_on(tried)}".lstrip("\n")
        return replace(first, command=command, output=text, private=False)

    def _confined(self, command: str, cwd: str, *, network: bool) -> ExecResult:
        """Run it in the sandbox and show what it printed. Raises: SandboxError."""
        words, jail = ["bash", "-c", command], self._safeguards.jail(cwd)
        status, said = jail.run(words, network=network, captured=True)
        text = said.decode("utf-8", "replace")
        self._screen.write(harmless(text))
        from aish.core.messages import ExecResult

        return ExecResult(command, status, text, cwd=cwd)

    def _inside(self, trial: Trial, argv: list[str]) -> ExecResult:
        """Run a program inside a trial from the live shell, with its terminal and environment.

        Raises: SandboxError, ShellError.
        """
        result = self._shell.run(" " + shlex.join(trial.argv(argv)))
        trial.check()
        return result

    def _run_and_keep(self, command: str) -> ExecResult | None:
        """Run it in a trial that is applied at once; None where that is not possible here.

        Raises: SandboxError, StoreError, ShellError; then none of its changes was made.
        """
        try:
            trial = self.trials.prepare(self.cwd)
        except SandboxError as error:
            self._without_undo(error)
            return None
        try:
            try:
                result = self._inside(trial, ["bash", "-c", command])
            except SandboxError as error:  # it never began
                self._without_undo(error)
                return None
            found = self.trials.scan(trial)
            if not found.nothing:
                applied = self.trials.apply(trial, found, command, as_run=True)
                self._tell(applied.refused, len(applied.not_kept))
        finally:
            trial.discard()
        return replace(result, command=command, private=False)

    def _without_undo(self, error: SandboxError) -> None:
        if not self._told:
            self._told = True
            self._screen.notice(f"commands cannot be taken back here: {error.message}")

    def _tell(self, refused: tuple[object, ...], not_kept: int) -> None:
        if refused:
            self._screen.notice(f"{len(refused)} changes could not be made; see :changes")
        elif not_kept:
            self._screen.notice(f"done; {not_kept} old files were too big to keep for :undo files")
        elif not (self._tells_once and self._told_kept):
            self._told_kept = True
            self._screen.notice(
                "old files are kept: :changes shows what changed, :undo files undoes it"
            )


def settling(trials: Trials, screen: Screen, answers: Answers | None) -> Settle:
    """Shows what was changed in a trial of a run, and applies what the user wants of it."""
    from aish.ui.trying import TryFace

    face = TryFace(trials, screen, answers, lambda inner, argv: inner.run(argv)[0])

    def settled(trial: Trial, title: str) -> str:
        head = "what it changed; nothing is real yet:"
        return note_on(face.settle(trial, title, 0, head=head))

    return settled


def note_on(tried: Tried) -> str:
    """What the model is told of how a trial ended."""
    from aish.ui.trial_view import summary

    if tried.end == "sandboxed":
        return "[nothing can be tried here; the user let it run in the sandbox, for real]"
    if tried.end == "nothing":
        return "[tried: it changes nothing]"
    what = summary(tried.found.changes)
    if tried.applied is None:
        return f"[tried only: {what}; the user discarded it, nothing was changed]"
    return f"[tried: {what}; the user applied: {summary(tried.applied.done)}]"
