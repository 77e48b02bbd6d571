"""Trials and undo as aish uses them: where they are kept, and what is never touched."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path

from aish.core.errors import SandboxError
from aish.core.logged import Logged, Unlogged
from aish.core.mask import Mask, NoMask
from aish.sandbox.applying import Applied, apply
from aish.sandbox.changes import FileChange, Scan, scan
from aish.sandbox.differences import difference
from aish.sandbox.rehearsal import Rehearsal, plain_text
from aish.sandbox.trial import Trial, prepare
from aish.sandbox.undo_store import Step, UndoRecord, UndoStore
from aish.sandbox.undoing import UndoResult, undo


class Trials:
    """Tries commands, makes their changes real, and takes those back."""

    def __init__(
        self,
        data: Path,
        limit: int,
        home: str = "",
        conversation: Logged | None = None,
        mask: Mask | None = None,
    ) -> None:
        """`mask`: a command as it may be kept, without secrets."""
        self._data = data
        self._home = home
        self._conversation = conversation or Unlogged()
        self._mask = mask or NoMask()
        self._store = UndoStore(data / "undo", limit)
        self._made: set[str] = set()  # records by name: some are older than the session's log

    @property
    def limit(self) -> int:
        """Bytes of old files that are kept."""
        return self._store.limit

    @limit.setter
    def limit(self, limit: int) -> None:
        self._store.limit = limit

    def prepare(self, cwd: str, *, network: bool = False) -> Trial:
        """A new trial.

        Raises: SandboxError.
        """
        return prepare(self._data / "trials", cwd, network=network, home=self._home)

    def rehearse(
        self,
        cwd: str,
        *,
        network: bool = False,
        as_text: Callable[[bytes], str] = plain_text,
        environment: Mapping[str, str] | None = None,
    ) -> Rehearsal:
        """A trial of many commands; `as_text` makes text of what they print.

        `environment` is what the first of them finds; None: that of aish itself.

        Raises: SandboxError.
        """
        return Rehearsal(self, self.prepare(cwd, network=network), as_text, environment)

    def scan(self, trial: Trial) -> Scan:
        """What it changed.

        Raises: SandboxError.
        """
        try:
            return scan(trial)
        except OSError as error:
            raise SandboxError(f"the trial cannot be read: {error}") from error

    def apply(
        self,
        trial: Trial,
        found: Scan,
        command: str,
        only: Collection[str] | None = None,
        *,
        as_run: bool = False,
    ) -> Applied:
        """Make its changes real, keeping what they replace.

        Raises: StoreError when nothing can be kept; then nothing is changed.
        """
        kept = self._mask.without_secrets(command)
        writer = self._store.begin(kept, trial.cwd, self._conversation.id)
        self._made.add(writer.record.name)
        own = (str(self._data / "trials"), str(self._data / "undo"))
        return apply(trial, found, writer, only=only, never=own, as_run=as_run)

    def records(self, *, everywhere: bool = False) -> list[UndoRecord]:
        """What was changed and stands, newest first: in this session, or ever."""
        found = (record for record in self._store.records() if not record.undone and record.steps)
        return [record for record in found if everywhere or self._is_of_here(record)]

    def _is_of_here(self, record: UndoRecord) -> bool:
        if not record.session:
            return record.name in self._made
        return record.session == self._conversation.id

    def undo(self, record: UndoRecord) -> UndoResult:
        """Take back what a record says."""
        undone = undo(record)
        if not undone.refused:
            self._store.mark_undone(record)
        return undone


def lines_of(change: FileChange, name: str) -> Iterator[str]:
    """What a change of a trial does to a file's text."""
    old = "" if change.kind == "created" else change.path
    yield from difference(old, change.upper, name)


def lines_since(record: UndoRecord, step: Step, name: str) -> Iterator[str]:
    """How a file differs now from what a record kept of it."""
    old = record.old(step) if step.kept else ""
    yield from difference(old, step.path, name)
