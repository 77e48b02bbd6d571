"""ledger.jsonl: what every request of every aish used and cost, and how much may still be spent."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from aish.core.errors import StoreError
from aish.core.logged import Record
from aish.core.messages import Usage
from aish.core.money.caps import Charge, Reservation, Spent
from aish.core.values import dataclass
from aish.store.clock import Clock, local_day
from aish.store.disk import DISK, Disk
from aish.store.jsonl import Writer, writing
from aish.store.ledger_sums import MOST, Hold, Sums, UseSum, load_sums, save_sums

CHECKPOINT = 4 << 20  # bytes read beyond the kept sums after which they are kept anew


@dataclass(frozen=True, slots=True)
class Use:
    """What one request used; money is in millionths of a dollar, None where nothing is known.

    `billed` tells a request whose price nobody knows from one that nobody bills.
    """

    model: str
    purpose: str = "main"
    project: str = ""
    session: str = ""
    prompt: int = 0
    cached: int = 0
    completion: int = 0
    micro_dollars: int | None = None
    billed: bool = False
    assumed: str = ""  # why the most it could cost is written down

    def record(self) -> Record:
        """Raises: StoreError, for less than nothing, or for more than there is."""
        amounts = (self.prompt, self.cached, self.completion, self.micro_dollars or 0)
        if min(amounts) < 0:
            raise StoreError("a request that used or cost less than nothing is not written down")
        if max(amounts) > MOST:
            raise StoreError("a request that used or cost more than there is is not written down")
        record = {
            "model": self.model,
            "purpose": self.purpose,
            "project": self.project,
            "prompt": self.prompt,
            "cached": self.cached,
            "completion": self.completion,
            "micro_dollars": self.micro_dollars,
            "session": self.session,
        }
        unknown = self.billed and self.micro_dollars is None
        record |= {"billed": True} if unknown else {}
        return record | ({"assumed": self.assumed} if self.assumed else {})


class Ledger:
    """The ledger all aish of a user share."""

    def __init__(
        self,
        path: Path,
        *,
        clock: Clock = time.time,
        disk: Disk = DISK,
        checkpoint: int = CHECKPOINT,
    ) -> None:
        self.path = path
        self._checkpoint = checkpoint
        self._kept = path.with_suffix(".sums")
        self._clock = clock
        self._disk = disk
        self._sums: Sums | None = None
        self._own = Sums()  # what this process wrote, whatever becomes of the file
        self._open: Writer | None = None  # while it is locked
        self._adding = threading.Lock()  # notes are written and paid for beside a question

    def record(self, use: Use) -> None:
        """Write down a request that was made.

        Raises: StoreError.
        """
        with self.writing() as writer:
            self.write(writer, use.record())

    def book(self, session: str, project: str = "") -> SessionBook:
        """What a session's wallet reserves in and settles with."""
        return SessionBook(self, session, project)

    def held(self, since: str = "") -> list[Hold]:
        """What is set aside for requests that never came to an end, from a day on, oldest first.

        Raises: StoreError.
        """
        with self._adding:
            return [hold for hold in self._caught_up().holds.values() if hold.day >= since]

    def writing(self) -> AbstractContextManager[Writer]:
        return writing(self.path, disk=self._disk)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Nobody else writes inside the block.

        Raises: StoreError.
        """
        with self.writing() as writer:
            self._open = writer
            try:
                yield
            finally:
                self._open = None

    def write_locked(self, record: Record) -> None:
        """Write a record; only inside `locked`.

        Raises: StoreError.
        """
        if self._open is None:
            raise RuntimeError("a reservation is made inside `locked`")
        self.write(self._open, record)

    def write(self, writer: Writer, record: Record) -> None:
        """Raises: StoreError."""
        stamped = {"ts": int(self._clock()), **record}
        writer.append(stamped, durable=True)
        with self._adding:
            self._own.note(stamped)

    def spent(self, *, today: bool = False, session: str = "") -> int:
        """Millionths of a dollar spent or reserved: ever, today, or by one session.

        Never less than this process knows of itself: a ledger that is moved away, emptied or
        damaged gives no cap a second time.

        Raises: StoreError.
        """
        day = local_day(self._clock()) if today else ""
        with self._adding:
            return max(sums.spent(day, session) for sums in (self._caught_up(), self._own))

    def by(self, group: str, since: str = "") -> dict[str, UseSum]:
        """The use by "day", "model", "project" or "purpose", from a day (`2026-05-13`) on.

        Raises: UsageError for another group; StoreError.
        """
        with self._adding:
            return self._caught_up().by(group, since)

    @property
    def damage(self) -> str:
        """One line on what of the ledger could not be read; empty when all could."""
        return self._sums.damage if self._sums else ""

    def _caught_up(self) -> Sums:
        """The sums with all that any process wrote since."""
        if self._sums is None:
            self._sums = load_sums(self._kept, self.path)
        if not self._sums.continues(self.path):
            self._sums = Sums()
        self._sums.read_on(self.path)
        if self._sums.end - self._sums.kept_end > self._checkpoint:
            save_sums(self._kept, self._sums, self._disk)
        return self._sums


class SessionBook:
    """The ledger as one session spends from it: looking and taking happen under one lock.

    A reservation that is never settled (a crash) counts as spent: the provider may bill it.
    """

    def __init__(self, ledger: Ledger, session: str, project: str) -> None:
        self._ledger = ledger
        self._session = session
        self._project = project
        self._sitting = secrets.token_hex(4)  # a resumed session counts its requests from 1 again

    @contextmanager
    def locked(self) -> Iterator[Spent]:
        """What the session and the day cost so far; nobody else reserves inside the block.

        Raises: StoreError.
        """
        with self._ledger.locked():
            today = self._ledger.spent(today=True)
            yield Spent(self._ledger.spent(session=self._session), today)

    def reserve(self, reservation: Reservation) -> None:
        """Write it down, durably; only inside `locked`, of this book or another of its ledger.

        Raises: StoreError.
        """
        use = self._use(reservation, Charge(None, reservation.bound))
        self._ledger.write_locked({**use.record(), "hold": self._token(reservation)})

    def settle(self, reservation: Reservation, outcome: Charge) -> None:
        """Replace the reservation by what the request cost.

        Raises: StoreError.
        """
        settles = {"settles": self._token(reservation)} if reservation.bound else {}
        record = settles
        if outcome.made:
            record = self._use(reservation, outcome).record() | settles
        if record:
            with self._ledger.writing() as writer:
                self._ledger.write(writer, record)

    def _token(self, reservation: Reservation) -> str:
        return f"{reservation.id}:{self._sitting}"

    def _use(self, reservation: Reservation, outcome: Charge) -> Use:
        usage = outcome.usage or Usage(reservation.prompt_tokens)
        return Use(
            reservation.model,
            reservation.purpose,
            self._project,
            self._session,
            usage.prompt_tokens or 0,
            usage.cached_tokens or 0,
            usage.completion_tokens or 0,
            outcome.micro,
            reservation.tariff.billed,
            outcome.assumed,
        )
