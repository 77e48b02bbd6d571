"""The spending cap: decided before a request with the most it can cost, reserved, then settled.

    with book.locked() as spent:                   all processes; nobody else reserves meanwhile
        refusal(bound, spent, caps)
        book.reserve(...)                          on disk before the request leaves
    ... the request ...
    book.settle(...)                               what it did cost replaces the reservation

Every attempt is reserved by itself. A process that dies leaves its reservation, and it counts as
spent: the provider may bill it. So does an answer that broke off, and one whose report cannot be
true: only a whole answer with a report that fits what arrived frees what was not used. What was
reported or has arrived beyond the reservation is charged as well, and under a cap the reservation
grows with an answer that is longer than it may be.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Protocol

from aish.core.errors import CapReached, StoreError
from aish.core.messages import Usage
from aish.core.money.cost import (
    Price,
    Tariff,
    charge,
    dollar_text,
    is_free,
    least_charge,
    price_bound,
    upper_bound,
)
from aish.core.money.received import Received
from aish.core.user import Nobody, User
from aish.core.values import dataclass

EXPECTED_SHARE = 1.25  # a reservation counts the prompt this much longer than it is expected to be
LEAST_SHARE = 2  # a report of less than half of the fewest tokens of a prompt is not believed,
UNSURE = 20  # give or take what templates add
MOST_TIMES = 10  # nor one of so many times what a request can cost,
SURELY_LONGER = 2  # times what was allowed, counted high: a server that heeds no limit
AHEAD = 4  # a growing reservation is a quarter ahead of its answer: not every piece is written down
DEAREST = Price.per_million(200, 800)  # unless some model somewhere would cost as much
DEAR = "raise it under [cost] in the config, or choose a model that costs less"
REPORTED = (
    "its server reported as much for one request; if that was wrong, "
    "set or change price_in and price_out of this model"
)
LONGEST = 200_000  # tokens that one may think and write, whatever it was allowed: they are billed


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
class PromptTokens:
    """How many tokens a prompt may be."""

    words: int  # at most
    pictures: int = 0  # at most, on top of them
    fewest: int = 0  # words, for the best of vocabularies


@dataclass(frozen=True, slots=True)
class Reservation:
    """What a request may cost, held until it is known what it did cost."""

    id: str
    model: str
    purpose: str
    bound: int
    prompt_tokens: int
    tariff: Tariff
    output_tokens: int = 0  # that the answer may have
    fewest: int = 0  # tokens that the prompt is for the best of vocabularies


@dataclass(frozen=True, slots=True)
class Charge:
    """What a request came to; `micro` None is unbilled, or at a price nobody knows.

    `assumed` says why the most it could cost is charged, "" when the provider's report counts.
    """

    usage: Usage | None
    micro: int | None
    assumed: str = ""
    made: bool = True  # False: it was refused or never arrived


class Book(Protocol):
    """What all processes of the user have spent and reserved."""

    def locked(self) -> AbstractContextManager[Spent]:
        """What the session and the day cost so far; nobody else reserves inside the block.

        Raises: StoreError.
        """
        ...

    def reserve(self, reservation: Reservation) -> None:
        """Write it down, durably; only inside `locked`. The same one again replaces itself."""
        ...

    def settle(self, reservation: Reservation, outcome: Charge) -> None:
        """Replace the reservation by what the request cost."""
        ...


def refusal(
    bound: int | None, spent: Spent, caps: Caps, *, reported: bool = False
) -> CapReached | None:
    """Why a request that may cost `bound` must not be made; None when it may.

    What costs nothing may always be made. Where nobody knows (None), something must be left.
    `reported`: it may, because another one did, whatever the price says.
    """
    if bound == 0:
        return None
    may = f"this request may cost {dollar_text(bound)}" if bound else "nobody knows what this costs"
    for name, used, cap in (
        ("of this run", spent.run, caps.run),
        ("of this session", spent.session, caps.session),
        ("of today", spent.day, caps.day),
    ):
        if cap is not None and used + (bound or 1) > cap:
            return CapReached(
                f"the cap {name} is {dollar_text(cap)}: {dollar_text(used)} are spent, and {may}",
                REPORTED if reported else DEAR,
            )
    return None


def unchecked(trouble: StoreError) -> StoreError:
    """A cap nobody can check is a cap that may be passed: what depends on it is not asked."""
    return StoreError(f"the cap cannot be checked: {trouble.message}", trouble.hint)


def _left(spent: Spent, caps: Caps) -> int:
    """What the caps leave; there is one."""
    limits = ((spent.run, caps.run), (spent.session, caps.session), (spent.day, caps.day))
    return min(cap - used for used, cap in limits if cap is not None)


def cost_so_far(reservation: Reservation, received: Received) -> int:
    """What an answer costs by what has arrived of it; its server may heed no limit.

    It is what the fewest tokens cost. Of an answer that is surely longer than it may be, as many
    count as it may be.
    """
    longer = received.least_tokens + received.unread_tokens > reservation.output_tokens
    return max(_least(reservation, received), _beyond(reservation, received) if longer else 0)


class Wallet:
    """A session's spending under its caps, with a book shared by all processes."""

    def __init__(
        self,
        book: Book,
        caps: Caps,
        session: str,
        *,
        spent: int = 0,
        user: User | None = None,
    ) -> None:
        self._book = book
        self.caps = caps
        self._session = session
        self._user = user or Nobody()
        self._allowed: set[str] = set()  # models at an unknown price, with the user's word
        self._troubled = False
        self._number = 0
        self._run_began_at: int | None = None
        self.spent = spent  # micro-dollars of this process, reservations included

    def begin_run(self) -> None:
        """An autonomous run begins; its own cap counts from here."""
        self._run_began_at = self.spent

    def end_run(self) -> None:
        self._run_began_at = None

    @property
    def in_run(self) -> bool:
        return self._run_began_at is not None

    def reserve(
        self,
        model: str,
        purpose: str,
        tariff: Tariff,
        prompt_tokens: int,
        max_tokens: int,
        *,
        pictures: int = 0,
        fewest: int = 0,
    ) -> Reservation:
        """Set aside the most a request can cost.

        `prompt_tokens` must not be too low, and `fewest` of them not too high. `pictures` are
        tokens on top of them that a model may count for what is no text; another counts hardly
        any, so no report is too low for them.
        A price nobody knows is asked about while a cap is set.

        Raises: CapReached, StoreError.
        """
        bound = upper_bound(prompt_tokens + pictures, max_tokens, tariff)
        if bound is None:
            self.permit(model)
        self._number += 1
        name = f"{self._session}:{self._number}"
        reservation = Reservation(
            name, model, purpose, bound or 0, prompt_tokens, tariff, max_tokens, fewest
        )
        if bound or (self.caps and not (is_free(tariff) and tariff.proven)):
            return self._set_aside(reservation)
        return reservation

    def permit(self, model: str) -> None:
        """Ask about a model at a price that nobody knows, while a cap is set.

        Raises: CapReached, without a yes.
        """
        if self.caps and not self._allow_unknown(model):
            raise CapReached(
                f"nobody knows what {model} costs, and a cap is set",
                "set price_in and price_out of this model, or remove the cap",
            )

    def _allow_unknown(self, model: str) -> bool:
        """One yes is for the session; a no is for this request."""
        if model not in self._allowed:
            question = f"Nobody knows what {model} costs, and a cap is set. Ask it all the same?"
            if not self._user.confirm(question):
                return False
            self._allowed.add(model)
        return True

    def _trouble(self, error: StoreError) -> None:
        """The book cannot be written, and nothing depends on it."""
        if not self._troubled:
            self._troubled = True
            self._user.tell(f"the cost is not written down: {error.message}")

    def _set_aside(self, reservation: Reservation) -> Reservation:
        caps, bound = self._caps_now, reservation.bound
        try:
            with self._book.locked() as spent:
                reported = 0 < bound == reservation.tariff.seen
                if error := refusal(bound or None, self._with_run(spent), caps, reported=reported):
                    raise error
                self._book.reserve(reservation)  # what it turns out to cost must be writable too
        except StoreError as trouble:
            if caps:
                raise unchecked(trouble) from None
            self._trouble(trouble)
        self.spent += bound
        return reservation

    @property
    def _caps_now(self) -> Caps:
        return self.caps if self.in_run else replace(self.caps, run=None)

    def _with_run(self, spent: Spent) -> Spent:
        return replace(spent, run=self.spent - (self._run_began_at or 0))

    def keep_up(self, held: Reservation, received: Received) -> Reservation | None:
        """Set aside as much as has arrived, and some more; None where the caps leave less.

        What is on the disk counts for all others meanwhile, and when this process is killed.

        Raises: StoreError.
        """
        caps, cost = self._caps_now, cost_so_far(held, received)
        if cost <= held.bound or not caps:
            return held
        with self._book.locked() as spent:
            left = _left(self._with_run(spent), caps)
            if held.bound + left < cost:
                return None
            more = min(cost + cost // AHEAD - held.bound, left)
            held = replace(held, bound=held.bound + more)
            self._book.reserve(held)
        self.spent += more
        return held

    def settle(self, reservation: Reservation, received: Received, *, complete: bool) -> Charge:
        """The request is over; what it cost replaces what was set aside."""
        outcome = outcome_of(reservation, received, complete=complete)
        self.spent += (outcome.micro or 0) - reservation.bound
        self._write_down(reservation, outcome)
        return outcome

    def release(self, reservation: Reservation) -> None:
        """The request was refused or never arrived: it costs nothing."""
        self.spent -= reservation.bound
        if reservation.bound:
            self._write_down(reservation, Charge(None, 0, made=False))

    def _write_down(self, reservation: Reservation, outcome: Charge) -> None:
        """An answer is not lost because the disk is full; what was reserved then stays spent."""
        try:
            self._book.settle(reservation, outcome)
        except StoreError as trouble:
            self._trouble(trouble)


def outcome_of(reservation: Reservation, received: Received, *, complete: bool) -> Charge:
    """What a request is charged: the report, or all that was set aside when it cannot be true.

    A server that answers at greater length than it was allowed to is paid for what has arrived.
    """
    tariff, bound = reservation.tariff, reservation.bound
    usage = _whole(reservation, received.usage)
    reported = charge(usage, tariff) if usage else None
    if reported is None and not bound:
        return Charge(usage, 0 if tariff.price else None)
    most = max(bound, _least(reservation, received), _beyond(reservation, received))
    doubt = ""
    if usage is None or reported is None:
        doubt = "the usage was not reported"
    elif bound and reported > _believable(most, reservation, received):
        return Charge(usage, most, "the reported usage is too high to be true")
    elif not complete:
        doubt = "the answer broke off"
    elif _is_half(usage):
        doubt = "a part of the usage was not reported"
    elif not _can_be_true(usage, reported, reservation, received):
        doubt = "the reported usage is too low to be true"
    return Charge(usage, max(most, reported or 0), doubt) if doubt else Charge(usage, reported)


def _least_prompt(reservation: Reservation) -> int:
    return max(1, reservation.fewest // LEAST_SHARE - UNSURE)


def _least(reservation: Reservation, received: Received) -> int:
    """The least that what was sent and has arrived can cost."""
    price = reservation.tariff.price
    prompt, output = _least_prompt(reservation), received.least_tokens
    return least_charge(prompt, output, price) if price else 0


def _beyond(reservation: Reservation, received: Received) -> int:
    """What an answer may cost that is longer than it was allowed to be; 0 where it is not."""
    price, output = reservation.tariff.price, received.many_tokens
    if price is None or output <= reservation.output_tokens * SURELY_LONGER:
        return 0
    return price_bound(reservation.prompt_tokens, output, price)


def _believable(most: int, reservation: Reservation, received: Received) -> int:
    """The highest amount a report may come to.

    The price that we know may be far too low, and much of what is billed (thinking, searches) is
    never seen: only what no model could come to is nonsense.
    """
    output = max(reservation.output_tokens, received.least_tokens, LONGEST)
    return max(most * MOST_TIMES, price_bound(reservation.prompt_tokens, output, DEAREST))


def _is_half(usage: Usage) -> bool:
    """Whether what one part cost is told, and of the other nothing."""
    parts = (usage.prompt_tokens, usage.completion_tokens)
    return usage.cost is None and None in parts


def _can_be_true(usage: Usage, reported: int, reservation: Reservation, received: Received) -> bool:
    """Whether a report is no less than what was sent and has arrived; zero never is.

    Of a server whose bill no price explains, only its own word on what it bills can be true.
    """
    if reservation.bound and not reported:
        return False
    if reservation.tariff.price is None or (reservation.tariff.seen and usage.cost is None):
        return usage.cost is not None
    told = (
        (usage.prompt_tokens, _least_prompt(reservation)),
        (usage.completion_tokens, received.least_tokens),
    )
    enough = all(said is None or said >= known for said, known in told)
    return enough and reported >= _least(reservation, received)


def _whole(reservation: Reservation, usage: Usage | None) -> Usage | None:
    """The usage with what only its total says; the prompt's part is what was expected of it."""
    if usage is None or usage.total_tokens is None:
        return usage
    if usage.prompt_tokens is not None or usage.completion_tokens is not None:
        return usage
    prompt = min(usage.total_tokens, int(reservation.prompt_tokens / EXPECTED_SHARE))
    return replace(usage, prompt_tokens=prompt, completion_tokens=usage.total_tokens - prompt)
