"""A book of spending in memory, and the prices and accounts beside it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

from aish.core.messages import ModelSpec, Request
from aish.core.money.caps import Charge, PromptTokens, Reservation, Spent
from aish.core.money.cost import Tariff
from aish.core.money.meter import CountedRequest


class MemoryBook:
    """What one process has spent."""

    def __init__(self, today: int = 0, session: int = 0) -> None:
        self.open: dict[str, int] = {}
        self.settled: dict[str, int | None] = {}
        self.assumed: list[str] = []
        self.earlier = today
        self._session = session
        self._lock = threading.Lock()

    @property
    def now(self) -> int:
        spent = sum(micro or 0 for micro in self.settled.values())
        return spent + sum(self.open.values())

    @property
    def today(self) -> int:
        return self.earlier + self.now

    @contextmanager
    def locked(self) -> Iterator[Spent]:
        with self._lock:
            yield Spent(self._session + self.now, self.today)

    def reserve(self, reservation: Reservation) -> None:
        assert self._lock.locked()
        self.open[reservation.id] = reservation.bound

    def settle(self, reservation: Reservation, outcome: Charge) -> None:
        self.open.pop(reservation.id, None)
        self.settled[reservation.id] = outcome.micro
        self.assumed += [outcome.assumed] if outcome.assumed else []


class OnePrice:
    """Every model costs the same."""

    def __init__(self, tariff: Tariff) -> None:
        self._tariff = tariff

    def tariff(self, spec: ModelSpec) -> Tariff:
        del spec
        return self._tariff

    def asked_tariff(self, spec: ModelSpec) -> Tariff:
        return self.tariff(spec)

    def in_turn(self, spec: ModelSpec) -> AbstractContextManager[None]:
        del spec
        return nullcontext()

    def reported(self, spec: ModelSpec, micro: int) -> None:
        """It is the same afterwards."""


class FixedAccounts:
    """Every request has the same length; what it came to is noted."""

    def __init__(self, tokens: int) -> None:
        self._tokens = tokens
        self.calls: list[CountedRequest] = []

    def measure(self, request: Request) -> PromptTokens:
        del request
        return PromptTokens(self._tokens, fewest=self._tokens)

    def label(self, spec: ModelSpec) -> str:
        return spec.model

    def record(self, call: CountedRequest) -> None:
        self.calls.append(call)
