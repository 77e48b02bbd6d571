"""The spending cap: decided before a request with the most it can cost, reserved, then settled.

    with book.locked() as spent_today:            all processes; nobody else reserves meanwhile
        decide(bound, Spent(session, spent_today, run), caps)
        book.reserve(...)                          on disk before the request leaves
    ... the request ...
    book.settle(...)                               what it did cost replaces the reservation

A process that dies leaves its reservation, and it counts as spent: the provider may bill it.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from aish.core.errors import CapReached, StoreError
from aish.core.messages import Usage
from aish.core.money.cost import Tariff, charge, shown, upper_bound


@dataclass(frozen=True, slots=True)
class Caps:
    """Limits in micro-dollars; None is no limit."""

    session: int | None = None
    day: int | None = None
    run: int | None = None  # one autonomous run

    def __bool__(self) -> bool:
        return any(limit is not None for limit in (self.session, self.day, self.run))


@dataclass(frozen=True, slots=True)
class Spent:
    """Micro-dollars settled or reserved so far."""

    session: int = 0
    day: int = 0
    run: int = 0


@dataclass(frozen=True, slots=True)
class Reservation:
    """What a request may cost, held until it is known what it did cost."""

    id: str
    model: str
    purpose: str
    bound: int
    prompt_tokens: int
    tariff: Tariff


class Book(Protocol):
    """What all processes of the user have spent and reserved."""

    def locked(self) -> AbstractContextManager[int]:
        """Today's micro-dollars, settled and reserved; nobody else reserves inside the block.

        Raises: StoreError.
        """
        ...

    def reserve(self, reservation: Reservation) -> None:
        """Write it down, durably; only inside `locked`."""
        ...

    def settle(self, reservation: Reservation, usage: Usage | None, micro: int | None) -> None:
        """Replace the reservation by what the request cost; None is unbilled or unknown."""
        ...


def refusal(bound: int | None, spent: Spent, caps: Caps) -> CapReached | None:
    """Why a request that may cost `bound` must not be made; None when it may.

    What costs nothing may always be made. A price that is not known is the caller's question.
    """
    if not bound:
        return None
    for name, used, cap in (
        ("of this run", spent.run, caps.run),
        ("of this session", spent.session, caps.session),
        ("of today", spent.day, caps.day),
    ):
        if cap is not None and used + bound > cap:
            return CapReached(
                f"the cap {name} is {shown(cap)}: {shown(used)} are spent, and this request may "
                f"cost {shown(bound)}",
                "raise it under [cost] in the config, or choose a model that costs less",
            )
    return None


class Wallet:
    """One session's spending under its caps, with a book shared by all processes."""

    def __init__(
        self,
        book: Book,
        caps: Caps,
        session: str,
        *,
        spent: int = 0,
        allow_unknown: Callable[[str], bool] = lambda _: False,
        trouble: Callable[[StoreError], None] = lambda _: None,
    ) -> None:
        self._book = book
        self._caps = caps
        self._session = session
        self._allow_unknown = allow_unknown
        self._trouble = trouble  # told when the book cannot be written and nothing depends on it
        self._number = 0
        self._run_began_at: int | None = None
        self.spent = spent  # micro-dollars of the session, reservations included

    def begin_run(self) -> None:
        """An autonomous run begins; its own cap counts from here."""
        self._run_began_at = self.spent

    def end_run(self) -> None:
        self._run_began_at = None

    def reset(self) -> None:
        """`:cost reset`: the session counts from zero; the day does not forget."""
        self.spent = 0
        self._run_began_at = None if self._run_began_at is None else 0

    def reserve(
        self, model: str, purpose: str, tariff: Tariff, prompt_tokens: int, max_tokens: int
    ) -> Reservation:
        """Set aside the most a request can cost.

        `prompt_tokens` must not be too low. A price nobody knows is asked about while a cap is set.

        Raises: CapReached, StoreError.
        """
        bound = upper_bound(prompt_tokens, max_tokens, tariff)
        if bound is None and self._caps and not self._allow_unknown(model):
            raise CapReached(
                f"nobody knows what {model} costs, and a cap is set",
                "set price_in and price_out of this model, or remove the cap",
            )
        self._number += 1
        reservation = Reservation(
            f"{self._session}:{self._number}", model, purpose, bound or 0, prompt_tokens, tariff
        )
        if reservation.bound:
            self._set_aside(reservation)
        return reservation

    def _set_aside(self, reservation: Reservation) -> None:
        bound, caps = reservation.bound, self._caps
        run = 0 if self._run_began_at is None else self.spent - self._run_began_at
        run_cap = None if self._run_began_at is None else caps.run
        if error := refusal(bound, Spent(self.spent, 0, run), Caps(caps.session, None, run_cap)):
            raise error
        try:
            with self._book.locked() as today:
                if error := refusal(bound, Spent(day=today), Caps(day=caps.day)):
                    raise error
                self._book.reserve(reservation)
        except StoreError as trouble:
            if caps.day is not None:  # a cap nobody can check is a cap that may be passed
                raise
            self._trouble(trouble)
        self.spent += bound

    def settle(
        self, reservation: Reservation, usage: Usage | None, received_tokens: int | None = None
    ) -> int | None:
        """The request is over; what it cost replaces what was set aside.

        Without usage (an interrupted answer), what had arrived is charged when the caller knows
        it, else all that was set aside: the provider may have worked to the end.
        """
        micro = _cost(reservation, usage, received_tokens)
        self.spent += (micro or 0) - reservation.bound
        self._write_down(reservation, usage, micro)
        return micro

    def release(self, reservation: Reservation) -> None:
        """The request was refused or never arrived: it costs nothing."""
        self.spent -= reservation.bound
        if reservation.bound:
            self._write_down(reservation, None, 0)

    def _write_down(self, reservation: Reservation, usage: Usage | None, micro: int | None) -> None:
        """An answer is not lost because the disk is full; what was reserved then stays spent."""
        try:
            self._book.settle(reservation, usage, micro)
        except StoreError as trouble:
            self._trouble(trouble)


def _cost(reservation: Reservation, usage: Usage | None, received_tokens: int | None) -> int | None:
    tariff = reservation.tariff
    micro = charge(usage, tariff) if usage else None
    if micro is not None or not tariff.billed or tariff.price is None:
        return micro
    if received_tokens is None:
        return reservation.bound
    partial = charge(Usage(reservation.prompt_tokens, received_tokens), tariff)
    return min(partial or 0, reservation.bound)
