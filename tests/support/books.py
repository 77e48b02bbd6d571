"""A book of spending in memory, and one in a file that several processes share."""

from __future__ import annotations

import fcntl
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from aish.core.caps import Reservation
from aish.core.messages import Usage


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


class FileBook:
    """The same over a file: the least a ledger must do for a cap to hold across processes."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @contextmanager
    def locked(self) -> Iterator[int]:
        with self._path.open("a+") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield self.total()

    def total(self) -> int:
        amounts: dict[str, int] = {}
        for line in self._path.read_text().splitlines():
            record = json.loads(line)
            amounts[record["id"]] = record["micro"]
        return sum(amounts.values())

    def reserve(self, reservation: Reservation) -> None:
        self._write(reservation.id, reservation.bound)

    def settle(self, reservation: Reservation, usage: Usage | None, micro: int | None) -> None:
        self._write(reservation.id, micro or 0)

    def _write(self, name: str, micro: int) -> None:
        with self._path.open("a") as file:
            file.write(json.dumps({"id": name, "micro": micro}) + "\n")
