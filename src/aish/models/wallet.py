"""What this session used, what it may still spend, and the ledger it shares with all others."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from aish.config.places import project_of
from aish.core.context.counted import UNCOUNTED
from aish.core.mask import Mask, NoMask
from aish.core.money.bill import Bill

if TYPE_CHECKING:
    from aish.broker.metered import Prices
    from aish.broker.redacting import Source
    from aish.config.schema import CostConfig
    from aish.core.located import Located
    from aish.core.logged import Logged
    from aish.core.messages import Message, ModelSpec, Request
    from aish.core.money.caps import Caps, Charge, PromptTokens, Reservation, Spent, Wallet
    from aish.core.money.meter import CostRow, CountedRequest, Meter, Thresholds
    from aish.core.user import User
    from aish.store.ledger import Ledger, SessionBook
    from aish.store.ledger_sums import Hold, UseSum

SURELY_READ: tuple[str, ...] = ("role", "content", "tool_call_id")
NAMELESS = "default"  # the id of presets that do not give one


class _Asked(threading.local):
    """What the request of each thread is about: notes are written beside a question."""

    preset = ""
    expected = 0  # tokens


class Spending:
    """Every request of this process pays from here; made ready with the first one."""

    def __init__(
        self,
        config: CostConfig,
        ledger: Path,
        *,
        user: User,
        place: Located,
        conversation: Logged,
        bill: Bill | None = None,
        mask: Mask | None = None,
    ) -> None:
        self._config = config
        self._mask = mask or NoMask()
        self._path = ledger
        self._bill = bill or Bill()
        self._user = user
        self._place = place  # the project a request counts for is found from here
        self._asked = _Asked()
        self._own = f"~{os.urandom(6).hex()}"  # counts what belongs to no logged conversation
        self._conversation = conversation  # the one it counts for

    def metered(self, source: Source, prices: Prices) -> Source:
        """The source with every answer paid for; above a cap it sends nothing (CapReached)."""
        from aish.broker.metered import Metered

        return Metered(source, self.wallet, prices=prices, accounts=self)

    @cached_property
    def wallet(self) -> Wallet:
        """The session's money; an autonomous run begins and ends here."""
        from aish.core.money.caps import Wallet

        return Wallet(self._books, self._caps(), self._own, user=self._user)

    @cached_property
    def _books(self) -> _Books:
        return _Books(self.ledger, self._own, self._conversation, self._place, self._mask)

    @cached_property
    def ledger(self) -> Ledger:
        from aish.store.ledger import Ledger

        return Ledger(self._path)

    @cached_property
    def _meter(self) -> Meter:
        from aish.core.money.meter import Meter

        return Meter(self._thresholds())

    @contextmanager
    def one_at_a_time(self, wait: float) -> Iterator[None]:
        """Nobody else of this user is in this block.

        Raises: Locked, after so many seconds; StoreError.
        """
        from aish.store.jsonl import writing

        with writing(self._path.with_suffix(".turn"), wait=wait):
            yield

    def adopt(self, config: CostConfig) -> None:
        """Other caps and warnings from now on; what was spent stays spent."""
        self._config = config
        if "wallet" in vars(self):
            self.wallet.caps = self._caps()
        if self._used:
            self._meter.thresholds = self._thresholds()

    def _caps(self) -> Caps:
        from aish.core.money.caps import Caps
        from aish.core.money.cost import micro_dollars

        limits = (self._config.cap_at_dollars, self._config.cap_per_day, self._config.cap_per_run)
        return Caps(*(micro_dollars(limit) if limit else None for limit in limits))

    def _thresholds(self) -> Thresholds:
        from aish.core.money.cost import micro_dollars
        from aish.core.money.meter import Thresholds

        dollars, tokens = self._config.warn_at_dollars, self._config.warn_at_tokens
        return Thresholds(micro_dollars(dollars) if dollars else None, tokens or None)

    def begin_run(self) -> None:
        """An autonomous run begins; its own cap counts from here."""
        self.wallet.begin_run()

    def end_run(self) -> None:
        self.wallet.end_run()

    @property
    def in_run(self) -> bool:
        """Whether an autonomous run is spending."""
        return "wallet" in vars(self) and self.wallet.in_run

    # What the user asks

    def rows(self) -> list[CostRow]:
        """What the session used, by model and purpose."""
        return self._meter.rows if self._used else []

    @property
    def micro(self) -> int:
        """What the session has cost so far, in millionths of a dollar."""
        return self._bill.micro

    @property
    def caps(self) -> tuple[float, float]:
        """Dollars a session and a day may cost; 0 is no cap."""
        return self._config.cap_at_dollars, self._config.cap_per_day

    def capped(self) -> int:
        """Millionths of a dollar that count towards the cap of the session, resumed or not.

        Raises: StoreError.
        """
        return self._books.of_session()

    def held(self, since: str = "") -> list[Hold]:
        """What is set aside for requests that never came to an end.

        Raises: StoreError.
        """
        return self.ledger.held(since)

    def today(self) -> int:
        """Millionths of a dollar of today, all aish together.

        Raises: StoreError.
        """
        return self.ledger.spent(today=True)

    def history(self, group: str, since: str = "") -> dict[str, UseSum]:
        """The ledger of all sessions, added up by day, model, project or purpose.

        Raises: UsageError, StoreError.
        """
        return self.ledger.by(group, since)

    def reset(self) -> None:
        """What is shown of the session counts from zero; no cap forgets."""
        if self._used:
            self._meter.reset()
            self._bill.micro = 0

    @property
    def _used(self) -> bool:
        return "_meter" in self.__dict__

    # What a request does

    def measure(self, request: Request) -> PromptTokens:
        """Tokens a provider may bill for a prompt.

        What we really expect is kept for the comparison.
        """
        from aish.core.context.estimate import FEWEST
        from aish.core.context.media import MOST_BILLED_FOR_IMAGE, images_in
        from aish.core.context.tokens import count_messages, get_tokenizer
        from aish.core.money.caps import PromptTokens

        own = count_messages(request.messages, get_tokenizer(request.spec.model), request.tools)
        fewest = count_messages(map(_surely_read, request.messages), FEWEST, request.tools)
        expected = request.expected or own
        self._asked.preset, self._asked.expected = request.spec.name, expected
        images = images_in(request.messages)
        words = int(max(max(own, expected) - sum(images), 1) * UNCOUNTED)
        return PromptTokens(
            words, len(images) * MOST_BILLED_FOR_IMAGE, min(own, fewest) - sum(images)
        )

    def label(self, spec: ModelSpec) -> str:
        return model_name(spec)

    def record(self, call: CountedRequest) -> None:
        """Count a request for `:cost`, and warn where that was wanted."""
        from dataclasses import replace

        preset, expected = self._asked.preset, self._asked.expected
        name = call.model if call.model == preset else f"{preset} ({call.model})"
        warnings = self._meter.add(replace(call, model=name, estimate=expected))
        self._bill.micro = self._meter.micro
        for warning in warnings:
            self._user.tell(warning)


class _Books:
    """The ledger by conversation and project: a request counts for those it was made in."""

    def __init__(
        self, ledger: Ledger, own: str, conversation: Logged, place: Located, mask: Mask
    ) -> None:
        self._ledger = ledger
        self._own = own
        self._conversation = conversation
        self._place = place
        self._mask = mask
        self._books: dict[tuple[str, str], SessionBook] = {}
        self._reserved_in: dict[str, SessionBook] = {}

    @contextmanager
    def locked(self) -> Iterator[Spent]:
        from aish.core.money.caps import Spent

        with self._book().locked() as spent:
            yield Spent(self.of_session(), spent.day)

    def of_session(self) -> int:
        """What the conversation cost in all its sittings, and this process before and beside it."""
        session = self._session
        spent = self._ledger.spent(session=session)
        return spent if session == self._own else spent + self._ledger.spent(session=self._own)

    def reserve(self, reservation: Reservation) -> None:
        """One that grows stays where it was made, wherever the user has gone since."""
        self._reserved_in.setdefault(reservation.id, self._book()).reserve(reservation)

    def settle(self, reservation: Reservation, outcome: Charge) -> None:
        book = self._reserved_in.pop(reservation.id, None) or self._book()
        book.settle(reservation, outcome)

    @property
    def _session(self) -> str:
        return self._conversation.id or self._own

    def _book(self) -> SessionBook:
        key = session, project = self._session, project_of(self._place.cwd)
        if key not in self._books:
            self._books[key] = self._ledger.book(session, self._mask.without_secrets(project))
        return self._books[key]


def _surely_read(message: Message) -> Message:
    """Without what a server that wants it back may yet leave out: thinking and signatures."""
    read = {name: message.get(name) for name in SURELY_READ}
    calls = [{"function": call.get("function")} for call in message.get("tool_calls") or ()]
    return {**read, "tool_calls": calls}


def model_name(spec: ModelSpec) -> str:
    """What the ledger calls a model: its id, but never an id that says nothing or is a path."""
    if spec.model in ("", NAMELESS):
        return spec.name
    return Path(spec.model).stem if spec.model.endswith(".gguf") else spec.model
