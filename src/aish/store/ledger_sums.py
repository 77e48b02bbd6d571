"""The ledger added up, kept beside it so that a million calls are read only once."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from aish.core.errors import StoreError, UsageError
from aish.core.logged import Record
from aish.core.values import dataclass
from aish.store import jsonl
from aish.store.clock import local_day
from aish.store.disk import Disk, open_regular
from aish.store.reading import Reading

GROUPS = ("day", "model", "project", "purpose")
PASSING = "~"  # begins the name of what ends with its process; other sessions are resumed one day
PASSING_KEPT = 5000  # newest of them whose spending is kept

LARGEST = 256 << 20  # bytes of the kept sums; ours stay far below
MOST = 1 << 53  # tokens or millionths of a dollar of one request: more than any bill
_QUARTER = 900  # seconds; a day begins on a quarter of an hour in every time zone
_FIRST, _LAST = 0, 253_370_764_800  # seconds: from 1970 to 9999
_CHECKED = 64
_NUMBERS = 8  # of a row: as the fields of `UseSum`, without the holds
_FORMAT = 5
_Row = tuple[str, str, str, str, int, int, int, int, int, int, int, int]  # as they are kept


class _Call(msgspec.Struct, gc=False):
    ts: int = 0
    model: str | None = None  # a preset may have an empty one; what used nothing has none
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
    assumed: str = ""


class Hold(msgspec.Struct, frozen=True, array_like=True):
    """What a request may cost, set aside before it was made and not settled."""

    day: str
    model: str
    project: str
    purpose: str
    session: str
    ts: int
    micro_dollars: int


@dataclass(frozen=True, slots=True)
class UseSum:
    """Calls added up; nobody bills for `unbilled` of them, nobody knows the price of `unknown`.

    `assumed` is the part of the money that no report confirms; `held` comes on top of it, for
    `holds` requests that are under way or ended with their process.
    """

    calls: int = 0
    unbilled: int = 0
    unknown: int = 0
    prompt: int = 0
    cached: int = 0
    completion: int = 0
    micro_dollars: int = 0
    assumed: int = 0
    holds: int = 0
    held: int = 0

    @property
    def most(self) -> int:
        """What counts towards a cap."""
        return self.micro_dollars + self.held


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
        self.holds: dict[str, Hold] = {}
        self.impossible = 0  # records of less than nothing or more than there is do not count
        self.days: dict[str, int] = {}
        self._quarters: dict[int, str] = {}

    def continues(self, ledger: Path) -> bool:
        """Whether the ledger is still the one that was read, and only grew."""
        try:
            with os.fdopen(open_regular(ledger), "rb") as file:
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
        if self.impossible:
            records = "record" if self.impossible == 1 else "records"
            what = (
                f"{self.impossible} {records} of less than nothing or more than there is left out"
            )
            self.damage = self.damage or what
        if reading.end == self.end:
            return
        self.end = reading.end
        with suppress(OSError), os.fdopen(open_regular(ledger), "rb") as file:
            self.identity = _identity(file.fileno())
            file.seek(max(0, self.end - _CHECKED))
            self.proof = file.read(min(self.end, _CHECKED))

    def note(self, record: Record) -> None:
        """Take in a record as it is written."""
        self._add([msgspec.convert(record, _Call)])

    def _add(self, calls: list[_Call]) -> None:
        rows, quarters = self.rows, self._quarters
        for call in calls:
            amounts = (call.prompt, call.cached, call.completion, call.micro_dollars or 0)
            if min(amounts) < 0 or max(amounts) > MOST:
                self.impossible += 1  # and what is held for it stays held
                continue
            moment = call.ts
            if call.hold or call.settles:
                held = self._hold(call)
                moment = held.ts if held else moment  # a request is of the day it was made on
            if call.hold or (call.model is None and call.micro_dollars is None):
                continue  # it sets aside, or only gives back
            quarter = moment // _QUARTER
            day = quarters.get(quarter)
            if day is None:
                day = quarters[quarter] = _day(moment)
            key = (day, call.model or "", call.project, call.purpose)
            row = rows.get(key)
            if row is None:
                row = rows[key] = [0] * _NUMBERS
            row[0] += 1
            row[3] += call.prompt
            row[4] += call.cached
            row[5] += call.completion
            cost = call.micro_dollars
            if cost is None:
                row[2 if call.billed else 1] += 1
            elif cost:
                row[6] += cost
                row[7] += cost if call.assumed else 0
                self.days[day] = self.days.get(day, 0) + cost
                self.sessions[call.session] = self.sessions.pop(call.session, 0) + cost

    def _hold(self, call: _Call) -> Hold | None:
        """Set an amount aside, or give back the one that is settled."""
        if not call.hold:
            return self.holds.pop(call.settles, None)
        if call.micro_dollars:
            before = self.holds.get(call.hold)  # it grows with an answer that goes on
            ts, amount = before.ts if before else call.ts, call.micro_dollars
            self.holds[call.hold] = Hold(
                _day(ts), call.model or "", call.project, call.purpose, call.session, ts, amount
            )
        return None

    def spent(self, day: str, session: str) -> int:
        """What was spent and is reserved; of all time unless a day or a session is given."""
        if session:
            total = self.sessions.get(session, 0)
        elif day:
            total = self.days.get(day, 0)
        else:
            total = sum(self.days.values())
        return total + sum(
            hold.micro_dollars
            for hold in self.holds.values()
            if (hold.session == session if session else not day or hold.day == day)
        )

    def by(self, group: str, since: str) -> dict[str, UseSum]:
        if group not in GROUPS:
            raise UsageError(f"cost is not kept by {group!r}", f"use {', '.join(GROUPS)}")
        place = GROUPS.index(group)
        totals: dict[str, list[int]] = {}
        for key, row in self.rows.items():
            if key[0] >= since:
                total = totals.setdefault(key[place], [0] * (_NUMBERS + 2))
                totals[key[place]] = [a + b for a, b in zip(total, [*row, 0, 0], strict=True)]
        for hold in self.holds.values():
            if hold.day >= since:
                total = totals.setdefault(getattr(hold, group), [0] * (_NUMBERS + 2))
                total[-2] += 1
                total[-1] += hold.micro_dollars
        return {name: UseSum(*totals[name]) for name in sorted(totals)}


def load_sums(kept: Path, ledger: Path) -> Sums:
    """The kept sums, or none when they do not belong to this ledger: they can be made anew."""
    try:
        with os.fdopen(open_regular(kept), "rb") as file:
            if os.fstat(file.fileno()).st_size > LARGEST:
                return Sums()
            stored = msgspec.json.decode(file.read(), type=dict)
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
    passing = [name for name in sums.sessions if name.startswith(PASSING)]
    gone = set(passing[:-PASSING_KEPT])
    return {
        "format": _FORMAT,
        "zone": _zone(),
        "end": sums.end,
        "identity": sums.identity,
        "proof": sums.proof.hex(),
        "damage": sums.damage,
        "rows": [[*key, *row] for key, row in sums.rows.items()],
        "sessions": {name: spent for name, spent in sums.sessions.items() if name not in gone},
        "holds": sums.holds,
        "impossible": sums.impossible,
    }


def _restored(stored: dict[str, Any]) -> Sums:
    if stored["format"] != _FORMAT or stored["zone"] != _zone():
        raise ValueError("made by another version, or in another time zone")
    sums = Sums()
    sums.end = sums.kept_end = int(stored["end"])
    sums.identity = stored["identity"]
    sums.proof = bytes.fromhex(stored["proof"])
    sums.damage = str(stored["damage"])
    for day, model, project, purpose, *row in msgspec.convert(stored["rows"], list[_Row]):
        sums.rows[day, model, project, purpose] = row
        sums.days[day] = sums.days.get(day, 0) + row[6]
    sums.sessions = msgspec.convert(stored["sessions"], dict[str, int])
    sums.holds = msgspec.convert(stored["holds"], dict[str, Hold])
    sums.impossible = int(stored["impossible"])
    return sums


def _day(seconds: int) -> str:
    """The day of a record; a moment beyond all calendars is the first or the last day of ours."""
    return local_day(min(max(seconds, _FIRST), _LAST))


def _zone() -> list[str | int]:
    """Where days begin; several zones have one name."""
    return [*time.tzname, time.timezone, time.altzone]


def _identity(descriptor: int) -> list[int]:
    status = os.fstat(descriptor)
    return [status.st_dev, status.st_ino]
