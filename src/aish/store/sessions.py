"""All conversations: found, listed, named, resumed, forked and, when old, let go."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from itertools import chain, islice
from pathlib import Path
from typing import Any, TypeVar

from aish.core.errors import Locked, StoreError, UsageError
from aish.core.logged import Record
from aish.core.mask import Mask, NoMask, all_masked
from aish.core.transcript import Transcript, replay
from aish.core.user import User
from aish.core.values import dataclass
from aish.store import jsonl, locks
from aish.store.clock import Clock, utc_text
from aish.store.disk import DISK, Disk
from aish.store.reading import Reading
from aish.store.session_log import FORMAT, About, SessionLog, new_id
from aish.store.summaries import SessionSummary, summary

ALWAYS_KEPT = 20  # the newest sessions outlive any age limit: a wrong clock deletes no work
NAMES = "names.jsonl"
BLOCK = 500  # records
STRETCH = 1 << 20  # characters
T = TypeVar("T")

_name = re.compile(r"[^\W_][\w .+-]{0,79}")


@dataclass(frozen=True)
class StoredSession:
    """A session read from its file."""

    id: str
    meta: dict[str, Any]
    records: tuple[dict[str, Any], ...]  # all but the first line
    damage: str  # one line on what could not be read; empty when all could

    @cached_property
    def transcript(self) -> Transcript:
        return replay(self.records)

    def without_secrets(self, mask: Mask) -> StoredSession:
        """As it may be given away, or kept anew: it may be older than what the mask knows.

        What one record names is hidden in those before it too.
        """
        records = tuple(_masked(self.records, mask))
        return replace(self, meta=all_masked(self.meta, mask), records=records)


@dataclass(frozen=True)
class OpenSession:
    """A session that is being read: its records come one by one, the damage is known at the end."""

    id: str
    meta: dict[str, Any]
    records: Iterator[dict[str, Any]]
    damage: Callable[[], str]

    def without_secrets(self, mask: Mask) -> OpenSession:
        """As a stored one is given away, a stretch at a time: what a record names is hidden in the
        other records of its stretch and in all after them."""
        records = (record for part in _stretches(self.records) for record in _masked(part, mask))
        return replace(self, meta=all_masked(self.meta, mask), records=records)


class Sessions:
    """The directory of sessions."""

    def __init__(self, directory: Path, *, clock: Clock = time.time, disk: Disk = DISK) -> None:
        self.directory = directory
        self._clock = clock
        self._disk = disk

    def start(self, about: About, user: User, mask: Mask | None = None) -> SessionLog:
        """A log for a new conversation; nothing is on the disk before its first record."""
        path = self._unused_path()
        return self._log(path, about, user, mask)

    def resume(
        self, reference: str, user: User, mask: Mask | None = None
    ) -> tuple[SessionLog, StoredSession]:
        """A session as it was, and its log to go on with; calls left open are closed in both.

        Raises: UsageError for a session that is not there; Locked, naming who has it open.
        """
        path = self.find(reference)
        try:
            writer = jsonl.Writer(path, wait=0, disk=self._disk)
        except Locked:
            raise _open_elsewhere(path) from None
        try:
            session = self.read(reference)
        except StoreError:
            writer.close()
            raise
        about = About(*(str(session.meta.get(k, "")) for k in ("version", "model", "directory")))
        log = self._log(path, about, user, mask, writer)
        for turn in session.transcript.aborted:
            log.turn(turn)
        if session.transcript.unanswered:
            log.note("rolled_back", error="aish ended before the answer")
        return log, session

    def read(self, reference: str) -> StoredSession:
        """A session's records.

        Raises: UsageError for a session that is not there; StoreError.
        """
        path = self.find(reference)
        reading: Reading[dict[str, Any]] = Reading(path, dict, shallow=True)
        records = list(reading)
        meta = records.pop(0)["meta"] if records and _is_meta(records[0]) else {}
        return StoredSession(path.stem, meta, tuple(records), reading.report())

    def open(self, reference: str) -> OpenSession:
        """A session to go through once, however long it is.

        Raises: UsageError for a session that is not there; StoreError.
        """
        path = self.find(reference)
        reading: Reading[dict[str, Any]] = Reading(path, dict, shallow=True)
        records = iter(reading)
        first = next(records, {})
        if _is_meta(first):
            return OpenSession(path.stem, first["meta"], records, reading.report)
        return OpenSession(path.stem, {}, chain([first] if first else [], records), reading.report)

    def find(self, reference: str) -> Path:
        """The file of a session, by its name, its id or the beginning of its id.

        Raises: UsageError.
        """
        wanted = self.names().get(reference, reference)
        exact = self.directory / f"{wanted}.jsonl"
        there = os.path.isfile(exact)  # noqa: PTH113  (False where the user may not look)
        if there and exact.parent == self.directory and exact.name != NAMES:
            return exact
        fitting = [path for path in self._paths() if wanted and path.stem.startswith(wanted)]
        if len(fitting) == 1:
            return fitting[0]
        many = f"{len(fitting)} sessions begin with {reference!r}"
        raise UsageError(
            many if fitting else f"there is no session {reference!r}",
            "`aish sessions list` shows them",
        )

    def names(self) -> dict[str, str]:
        """The session each name stands for; a name given again goes to the later session."""
        found: dict[str, str] = {}
        for record in Reading(self.directory / NAMES, dict):
            name, session = record.get("name"), record.get("session")
            if isinstance(name, str) and isinstance(session, str):
                found[name] = session
        return found

    def name(self, log: SessionLog, name: str) -> None:
        """Give a session a name to be resumed by.

        Raises: UsageError for a name that is none or is taken; StoreError.
        """
        if not _name.fullmatch(name):
            raise UsageError(
                f"{name!r} cannot be a session's name",
                "use letters, digits, spaces and . _ + -, at most 80, a letter or digit first",
            )
        holder = self.names().get(name, log.id)
        if holder != log.id and os.path.lexists(self.directory / f"{holder}.jsonl"):
            raise UsageError(f"the name {name!r} belongs to session {holder}", "choose another")
        log.note("named", durable=True, name=name)
        record = {"ts": utc_text(self._clock()), "name": name, "session": log.id}
        jsonl.append(self.directory / NAMES, record, durable=True, disk=self._disk)

    def fork(
        self, reference: str, about: About, user: User, mask: Mask | None = None
    ) -> SessionLog:
        """A new session that begins with everything the other one holds.

        Raises: UsageError, StoreError.
        """
        session = self.read(reference).without_secrets(mask or NoMask())
        path = self._unused_path()
        meta = {
            "format": FORMAT,
            "session": path.stem,
            "started": utc_text(self._clock()),
            "version": about.version,
            "model": about.model,
            "directory": about.directory,
            "forked_from": session.id,
        }
        lines = map(jsonl.encode, ({"meta": meta}, *session.records))
        jsonl.replace(path, lines, disk=self._disk)
        writer = jsonl.Writer(path, wait=0, disk=self._disk)
        return self._log(path, about, user, mask, writer)

    def _log(
        self,
        path: Path,
        about: About,
        user: User,
        mask: Mask | None,
        writer: jsonl.Writer | None = None,
    ) -> SessionLog:
        clock, disk = self._clock, self._disk
        return SessionLog(path, about, user=user, mask=mask, clock=clock, disk=disk, writer=writer)

    def summaries(self, limit: int | None = None) -> list[SessionSummary]:
        """The sessions, the newest first."""
        names = {f"{session}.jsonl": name for name, session in self.names().items()}
        folder = str(self.directory)
        found = (summary(folder, file, names.get(file, "")) for file in self._files())
        return list(islice((row for row in found if row), limit))

    def delete(self, reference: str) -> None:
        """Remove a session for good.

        Raises: UsageError; Locked, when someone has it open.
        """
        path = self.find(reference)
        with jsonl.writing(path, wait=0, disk=self._disk):
            path.unlink(missing_ok=True)

    def prune(self, older_than_days: float) -> int:
        """Remove sessions unchanged for so long, but none that is named, open or among the newest.

        Returns how many went.
        """
        named = set(self.names().values())
        limit = self._clock() - older_than_days * 86400
        gone = 0
        for path in self.newest_first()[ALWAYS_KEPT:]:
            with suppress(OSError, StoreError):
                if path.stem not in named and path.stat().st_mtime < limit:
                    self.delete(path.stem)
                    gone += 1
        return gone

    def newest_first(self) -> list[Path]:
        """The sessions' files; ids begin with the moment of their start."""
        return list(self._paths())

    def _paths(self) -> Iterator[Path]:
        return (self.directory / file for file in self._files())

    def _files(self) -> list[str]:
        try:
            names = os.listdir(self.directory)  # noqa: PTH208  (names are all that is needed)
        except OSError:
            return []
        return sorted((name for name in names if _is_session(name)), reverse=True)

    def _unused_path(self) -> Path:
        while True:
            path = self.directory / f"{new_id(self._clock())}.jsonl"
            if not os.path.lexists(path):
                return path


def as_shown(rows: Sequence[SessionSummary], mask: Mask) -> list[SessionSummary]:
    """What is listed of sessions: their logs may be older than what is known to be secret."""
    told = [text for row in rows for text in (row.name, row.directory, row.first_question)]
    whole = "\0".join(told)  # together: one by one takes much longer
    if mask.without_known(whole) == whole:
        return [*rows]
    shown = {text: mask.without_known(text) for text in set(told)}
    return [
        replace(
            row,
            name=shown[row.name],
            directory=shown[row.directory],
            first_question=shown[row.first_question],
        )
        for row in rows
    ]


def _stretches(records: Iterator[Record]) -> Iterator[list[Record]]:
    """Records in groups that are read before the first of them is shown."""
    stretch: list[Record] = []
    size = 0
    for record in records:
        stretch.append(record)
        size += len(_texts(record))
        if size > STRETCH:
            yield stretch
            stretch, size = [], 0
    yield stretch


def _masked(records: Sequence[T], mask: Mask) -> Iterator[T]:
    blocks = [*_blocks(records)]
    texts = [*map(_texts, blocks)]
    if [*map(mask.without_secrets, texts)] == texts:
        return iter(records)
    return (record for block in blocks for record in _masked_block(block, mask))


def _blocks(records: Sequence[T]) -> Iterator[Sequence[T]]:
    """Records in groups of which the texts are read together: one by one takes much longer."""
    return (records[at : at + BLOCK] for at in range(0, len(records), BLOCK))


def _masked_block(block: Sequence[T], mask: Mask) -> Sequence[T]:
    texts = _texts(block)
    return block if mask.without_secrets(texts) == texts else all_masked(block, mask)


def _texts(value: Any) -> str:
    """Every text in a value, with a line between two."""
    if isinstance(value, str):
        return value
    inner = value.values() if isinstance(value, dict) else value
    return "\n\n".join(map(_texts, inner)) if isinstance(value, dict | list | tuple) else ""


def _open_elsewhere(path: Path) -> Locked:
    """One terminal at a time goes on with a session."""
    try:
        holder = locks.holder_of(path.stat().st_ino)
    except OSError:
        holder = None
    who = f" ({holder})" if holder else ""
    return Locked(
        f"the session {path.stem} is open elsewhere{who}",
        f"go on there; `aish sessions show {path.stem}` reads it",
    )


def _is_session(file: str) -> bool:
    return file.endswith(".jsonl") and file[0] != "." and file != NAMES


def _is_meta(record: dict[str, Any]) -> bool:
    return isinstance(record.get("meta"), dict)
