"""ledger.jsonl: what every request of every aish used and cost, and how much may still be spent."""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass
from pathlib import Path

from aish.core.errors import CapReached
from aish.store.clock import Clock, local_day
from aish.store.disk import DISK, Disk
from aish.store.jsonl import Record, writing
from aish.store.ledger_sums import Sums, UseSum, load_sums, save_sums

CHECKPOINT = 4 << 20  # bytes read beyond the kept sums after which they are kept anew


@dataclass(frozen=True, slots=True)
class Use:
    """What one request used; money is in millionths of a dollar, None where nothing is billed."""

    model: str
    purpose: str = "main"
    project: str = ""
    session: str = ""
    prompt: int = 0
    cached: int = 0
    completion: int = 0
    micro_dollars: int | None = None

    def record(self) -> Record:
        return {
            "model": self.model,
            "purpose": self.purpose,
            "project": self.project,
            "prompt": self.prompt,
            "cached": self.cached,
            "completion": self.completion,
            "micro_dollars": self.micro_dollars,
            "session": self.session,
        }


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

    def record(self, use: Use, *, settles: str = "") -> None:
        """Write down a request that was made, and with `settles` end the reservation for it.

        Raises: StoreError.
        """
        extra = {"settles": settles} if settles else {}
        with writing(self.path, disk=self._disk) as writer:
            writer.append({"ts": int(self._clock()), **use.record(), **extra}, durable=True)

    def reserve(self, use: Use, *, cap: int, today: bool = False, session: str = "") -> str:
        """Take what a request may cost from what may be spent, before it is sent.

        Two processes never reserve the same money: looking and taking happen under one lock. A
        reservation that is never settled (a crash) counts as spent. Returns its token.

        Raises: CapReached, when the cap is spent; nothing is then reserved. StoreError.
        """
        token = secrets.token_hex(8)
        with writing(self.path, disk=self._disk) as writer:
            spent = self.spent(today=today, session=session)
            if spent >= cap:
                raise CapReached(
                    f"the spending cap of ${cap / 1e6:.2f} is reached (${spent / 1e6:.4f} spent)",
                    "raise it in [cost], or use a local model",
                )
            record = {"ts": int(self._clock()), **use.record(), "hold": token}
            writer.append(record, durable=True)
        return token

    def release(self, token: str) -> None:
        """End a reservation whose request was never made.

        Raises: StoreError.
        """
        with writing(self.path, disk=self._disk) as writer:
            writer.append({"ts": int(self._clock()), "settles": token}, durable=True)

    def spent(self, *, today: bool = False, session: str = "") -> int:
        """Millionths of a dollar spent or reserved: ever, today, or by one session.

        Raises: StoreError.
        """
        return self._caught_up().spent(local_day(self._clock()) if today else "", session)

    def by(self, group: str, since: str = "") -> dict[str, UseSum]:
        """The use by "day", "model", "project" or "purpose", from a day (`2026-05-13`) on.

        Raises: UsageError for another group; StoreError.
        """
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
