"""The ledger added up, kept beside it so that a million calls are read only once."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from aish.core.errors import StoreError, UsageError
from aish.store import jsonl
from aish.store.clock import local_day
from aish.store.disk import Disk
from aish.store.reading import Reading

GROUPS = ("day", "model", "project", "purpose")
SESSIONS_KEPT = 5000  # newest sessions whose spending is known without reading the ledger anew

_QUARTER = 900  # seconds; a day begins on a quarter of an hour in every time zone
_CHECKED = 64
_FORMAT = 1


class _Call(msgspec.Struct, gc=False):
    ts: int = 0
    model: str = ""
    purpose: str = ""
    project: str = ""
    prompt: int = 0
    cached: int = 0
    completion: int = 0
    micro_dollars: int | None = None
    session: str = ""
    billed: bool = False
    hold: str = ""
    settles: str = ""


@dataclass(frozen=True, slots=True)
class UseSum:
    """Calls added up; nobody bills for `unbilled` of them, nobody knows the price of `unknown`."""

    calls: int = 0
    unbilled: int = 0
    unknown: int = 0
    prompt: int = 0
    cached: int = 0
    completion: int = 0
    micro_dollars: int = 0


class Sums:
    """Everything up to a place in the ledger, by day, model, project and purpose."""

    def __init__(self) -> None:
        self.end = 0  # bytes of the ledger that are in
        self.kept_end = 0
        self.damage = ""  # one line on what could not be read
        self.identity = [0, 0]
        self.proof = b""  # the bytes before `end`
        self.rows: dict[tuple[str, str, str, str], list[int]] = {}
        self.sessions: dict[str, int] = {}  # millionths of a dollar
        self.holds: dict[str, tuple[str, str, int]] = {}  # day, session, millionths
        self.days: dict[str, int] = {}
        self._quarters: dict[int, str] = {}

    def continues(self, ledger: Path) -> bool:
        """Whether the ledger is still the one that was read, and only grew."""
        try:
            with ledger.open("rb") as file:
                file.seek(max(0, self.end - _CHECKED))
                same = file.read(len(self.proof)) == self.proof
                return same and (not self.end or self.identity == _identity(file.fileno()))
        except OSError:
            return self.end == 0

    def read_on(self, ledger: Path) -> None:
        """Take in what was written since.

        Raises: StoreError.
        """
        reading = Reading(ledger, _Call, start=self.end, tail=False)
        for batch in reading.batches():
            self._add(batch)
        self.damage = reading.report() or self.damage
        if reading.end == self.end:
            return
        self.end = reading.end
        with suppress(OSError), ledger.open("rb") as file:
            self.identity = _identity(file.fileno())
            file.seek(max(0, self.end - _CHECKED))
            self.proof = file.read(min(self.end, _CHECKED))

    def _add(self, calls: list[_Call]) -> None:
        rows, quarters = self.rows, self._quarters
        for call in calls:
            if call.hold or call.settles:
                self._hold(call)
                if not call.model or call.hold:
                    continue
            quarter = call.ts // _QUARTER
            day = quarters.get(quarter)
            if day is None:
                day = quarters[quarter] = local_day(call.ts)
            key = (day, call.model, call.project, call.purpose)
            row = rows.get(key)
            if row is None:
                row = rows[key] = [0, 0, 0, 0, 0, 0, 0]
            row[0] += 1
            row[3] += call.prompt
            row[4] += call.cached
            row[5] += call.completion
            cost = call.micro_dollars
            if cost is None:
                row[2 if call.billed else 1] += 1
            elif cost:
                row[6] += cost
                self.days[day] = self.days.get(day, 0) + cost
                self.sessions[call.session] = self.sessions.pop(call.session, 0) + cost

    def _hold(self, call: _Call) -> None:
        if call.hold:
            self.holds[call.hold] = (local_day(call.ts), call.session, call.micro_dollars or 0)
        else:
            self.holds.pop(call.settles, None)

    def spent(self, day: str, session: str) -> int:
        """What was spent and is reserved; of all time unless a day or a session is given."""
        if session:
            total = self.sessions.get(session, 0)
        elif day:
            total = self.days.get(day, 0)
        else:
            total = sum(self.days.values())
        return total + sum(
            amount
            for held_on, held_by, amount in self.holds.values()
            if (not session or held_by == session) and (session or not day or held_on == day)
        )

    def by(self, group: str, since: str) -> dict[str, UseSum]:
        if group not in GROUPS:
            raise UsageError(f"cost is not kept by {group!r}", f"use {', '.join(GROUPS)}")
        place = ("day", "model", "project", "purpose").index(group)
        totals: dict[str, list[int]] = {}
        for key, row in self.rows.items():
            if key[0] >= since:
                total = totals.setdefault(key[place], [0] * 7)
                totals[key[place]] = [a + b for a, b in zip(total, row, strict=True)]
        return {name: UseSum(*totals[name]) for name in sorted(totals)}


def load_sums(kept: Path, ledger: Path) -> Sums:
    """The kept sums, or none when they do not belong to this ledger: they can be made anew."""
    try:
        stored = msgspec.json.decode(kept.read_bytes(), type=dict)
        sums = _restored(stored)
    except (OSError, msgspec.MsgspecError, LookupError, TypeError, ValueError):
        return Sums()
    return sums if sums.continues(ledger) else Sums()


def save_sums(kept: Path, sums: Sums, disk: Disk) -> None:
    """Keep the sums; a disk that refuses costs only the time to add up again."""
    with suppress(StoreError):
        jsonl.replace(kept, [jsonl.encode(_stored(sums))], disk=disk)
        sums.kept_end = sums.end


def _stored(sums: Sums) -> dict[str, Any]:
    newest = islice(reversed(sums.sessions.items()), SESSIONS_KEPT)
    return {
        "format": _FORMAT,
        "zone": list(time.tzname),
        "end": sums.end,
        "identity": sums.identity,
        "proof": sums.proof.hex(),
        "damage": sums.damage,
        "rows": [[*key, *row] for key, row in sums.rows.items()],
        "sessions": dict(reversed(list(newest))),
        "holds": sums.holds,
    }


def _restored(stored: dict[str, Any]) -> Sums:
    if stored["format"] != _FORMAT or stored["zone"] != list(time.tzname):
        raise ValueError("made by another version, or in another time zone")
    sums = Sums()
    sums.end = sums.kept_end = int(stored["end"])
    sums.identity = stored["identity"]
    sums.proof = bytes.fromhex(stored["proof"])
    sums.damage = str(stored["damage"])
    for day, model, project, purpose, *row in stored["rows"]:
        sums.rows[day, model, project, purpose] = row
        sums.days[day] = sums.days.get(day, 0) + row[6]
    sums.sessions = stored["sessions"]
    sums.holds = {token: tuple(hold) for token, hold in stored["holds"].items()}
    return sums


def _identity(descriptor: int) -> list[int]:
    status = os.fstat(descriptor)
    return [status.st_dev, status.st_ino]
