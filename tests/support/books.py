"""A book of spending in memory."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from aish.core.messages import Usage
from aish.core.money.caps import Reservation


class MemoryBook:
    """What one process has spent."""

    def __init__(self, today: int = 0) -> None:
        self.open: dict[str, int] = {}
        self.settled: dict[str, int | None] = {}
        self.earlier = today
        self._lock = threading.Lock()

    @property
    def today(self) -> int:
        spent = sum(micro or 0 for micro in self.settled.values())
        return self.earlier + spent + sum(self.open.values())

    @contextmanager
    def locked(self) -> Iterator[int]:
        with self._lock:
            yield self.today

    def reserve(self, reservation: Reservation) -> None:
        assert self._lock.locked()
        self.open[reservation.id] = reservation.bound

    def settle(self, reservation: Reservation, usage: Usage | None, micro: int | None) -> None:
        self.open.pop(reservation.id, None)
        self.settled[reservation.id] = micro
