"""Where the commands of an autonomous run go: the shell, an overlay, or one trial for all."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from aish.core.errors import SandboxError
from aish.core.messages import ExecResult
from aish.session.ports import Workplace
from aish.shell.captured import INTERRUPTED, TIMED_OUT, Display, WholeLines

if TYPE_CHECKING:
    from aish.engine.ports import RunPlace
    from aish.sandbox.changes import Scan
    from aish.sandbox.rehearsal import Rehearsal
    from aish.sandbox.trial import Trial
    from aish.sandbox.trials import Trials
    from aish.shell.captured import Bounds

    # Shows what a trial changed, applies what the user wants of it, and says what came of it.
    Settle = Callable[[Trial, str], str]


class KeepingShell(Workplace, Protocol):
    """One that keeps what its commands replace, where it can."""

    def keeps(self, command: str) -> bool:
        """Whether it can, of this command."""
        ...


class Workbench(Protocol):
    """Hands that have something to finish when a run is over."""

    @property
    def cwd(self) -> str: ...

    @property
    def tried(self) -> bool: ...

    def confines(self) -> bool: ...

    def keeps(self, command: str) -> bool:
        """Whether what this command deletes or overwrites can be had back."""
        ...

    def run(self, command: str, place: RunPlace) -> ExecResult: ...

    def finish(self, goal: str) -> str:
        """Let the user decide on what was only tried; what came of it, "" where nothing was.

        Raises: AishError.
        """
        ...

    def discard(self) -> None:
        """The run is over; what was only tried and not applied is gone."""
        ...


class RealHands:
    """Works on the real files; what nobody knows is tried first, and judged by what it did."""

    tried = False

    def __init__(self, shell: KeepingShell, rehearsals: Rehearsals, settle: Settle) -> None:
        self._shell = shell
        self._rehearsals = rehearsals
        self._settle = settle
        self._overlays: dict[str, bool] = {}  # by folder, whether they work there

    @property
    def cwd(self) -> str:
        return self._shell.cwd

    def confines(self) -> bool:
        if self.cwd not in self._overlays:
            self._overlays[self.cwd] = self._can_try()
        return self._overlays[self.cwd]

    def keeps(self, command: str) -> bool:
        return self._shell.keeps(command)

    def run(self, command: str, place: RunPlace) -> ExecResult:
        """Raises: ShellError, SandboxError."""
        return self._confined(command) if place == "sandbox" else self._shell.run(command)

    def finish(self, goal: str) -> str:
        del goal
        return ""

    def discard(self) -> None:
        pass

    def _can_try(self) -> bool:
        try:
            with self._rehearsals.begin(self.cwd) as rehearsal:
                return rehearsal.run("true").status == 0
        except SandboxError:
            return False

    def _confined(self, command: str) -> ExecResult:
        """Run it in an overlay; what it only adds to this folder becomes real, the rest is asked.

        Raises: SandboxError, StoreError.
        """
        with self._rehearsals.begin(self.cwd) as rehearsal:
            result = rehearsal.run(command)
            found = rehearsal.changes()
            if found.nothing or result.status == INTERRUPTED:
                return result
            if found.only_adds(self.cwd):
                rehearsal.apply(found, command)
                return result
            return _with_note(result, self._settle(rehearsal.trial, command))


class TrialHands:
    """Works in one trial from start to finish; nothing is real before the user applies it."""

    tried = True

    def __init__(self, rehearsal: Rehearsing, settle: Settle) -> None:
        self._rehearsal = rehearsal
        self._settle = settle

    @property
    def cwd(self) -> str:
        return self._rehearsal.cwd

    def confines(self) -> bool:
        return True

    def keeps(self, command: str) -> bool:
        del command
        return True

    def run(self, command: str, place: RunPlace) -> ExecResult:
        """Raises: SandboxError."""
        del place
        return self._rehearsal.run(command)

    def finish(self, goal: str) -> str:
        """Raises: SandboxError, StoreError."""
        return self._settle(self._rehearsal.trial, goal)

    def discard(self) -> None:
        self._rehearsal.discard()


class Rehearsals:
    """Opens trials for the commands of a run."""

    def __init__(
        self, trials: Trials, bounds: Bounds, show: Display, environment: Mapping[str, str]
    ) -> None:
        self._trials = trials
        self._bounds = bounds
        self._show = show
        self._environment = environment

    def begin(self, cwd: str) -> Rehearsing:
        """Raises: SandboxError."""
        as_text, environment = self._bounds.text_of, self._environment
        rehearsal = self._trials.rehearse(cwd, as_text=as_text, environment=environment)
        return Rehearsing(rehearsal, self._bounds.seconds, self._show)


class Rehearsing:
    """A rehearsal with the limits of a run: what is kept and shown, and how long it may take."""

    def __init__(self, rehearsal: Rehearsal, seconds: float, show: Display) -> None:
        self._rehearsal = rehearsal
        self._seconds = seconds
        self._show = show

    def __enter__(self) -> Rehearsing:
        return self

    def __exit__(self, *_: object) -> None:
        self.discard()

    @property
    def trial(self) -> Trial:
        return self._rehearsal.trial

    @property
    def cwd(self) -> str:
        return self._rehearsal.cwd

    def run(self, command: str) -> ExecResult:
        """Raises: SandboxError."""
        from aish.sandbox.denied import denied

        lines = WholeLines(self._show)
        try:
            result = self._rehearsal.run(command, timeout=self._seconds, show=lines.add)
        except KeyboardInterrupt:
            return ExecResult(command, INTERRUPTED, "[stopped by the user]", cwd=self.cwd)
        finally:
            lines.end()
        if result.status == TIMED_OUT:
            return _with_note(result, f"[stopped after {self._seconds:.0f} seconds]")
        reasons = denied(result.output) if 0 < result.status < 128 else []
        why = f"[it ran confined, without the network: {'; '.join(reasons)}]" if reasons else ""
        return _with_note(result, why)

    def changes(self) -> Scan:
        return self._rehearsal.changes()

    def apply(self, found: Scan, about: str) -> None:
        """Raises: StoreError."""
        self._rehearsal.apply(found, about)

    def discard(self) -> None:
        self._rehearsal.discard()


def _with_note(result: ExecResult, note: str) -> ExecResult:
    text = f"{result.output.rstrip()}\n{note}".lstrip("\n")
    return replace(result, output=text) if note else result
