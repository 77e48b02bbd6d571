"""What this session used, what it may still spend, and the ledger it shares with all others."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aish.broker.sealed import Source
    from aish.config.schema import CostConfig
    from aish.core.errors import StoreError
    from aish.core.messages import ModelSpec, Request, Usage
    from aish.core.money.caps import Reservation, Wallet
    from aish.core.money.cost import Tariff
    from aish.core.money.meter import Call, Meter, Row
    from aish.store.ledger import Ledger, SessionBook
    from aish.store.ledger_sums import UseSum

NAMELESS = "default"  # the id of presets that do not give one
UNCOUNTED = 1.25  # a provider may count this much more than we estimate


class Spending:
    """Every request of this process pays from here; made ready with the first one."""

    def __init__(
        self,
        config: CostConfig,
        ledger: Path,
        *,
        confirm: Callable[[str], bool],
        notice: Callable[[str], None],
        directory: Callable[[], str] = os.getcwd,
    ) -> None:
        self._config = config
        self._path = ledger
        self._confirm = confirm
        self._notice = notice
        self._known_estimate = 0
        self._preset = ""
        self._allowed: set[str] = set()
        self._troubled = False
        self.directory = directory  # the project a request counts for is found from here

    def metered(self, source: Source, tariff_of: Callable[[ModelSpec], Tariff]) -> Source:
        """The source with every answer paid for; above a cap it sends nothing (CapReached)."""
        from aish.broker.metered import Metered

        return Metered(
            source,
            self.wallet,
            tariff_of=tariff_of,
            count=self._most,
            label=model_name,
            record=self._record,
        )

    @cached_property
    def wallet(self) -> Wallet:
        """The session's money; an autonomous run begins and ends here."""
        from aish.core.money.caps import Caps, Wallet
        from aish.core.money.cost import micro_dollars

        limits = (self._config.cap_at_dollars, self._config.cap_per_day, self._config.cap_per_run)
        caps = Caps(*(micro_dollars(limit) if limit else None for limit in limits))
        session = os.urandom(6).hex()
        return Wallet(
            _Books(self.ledger, session, lambda: project_of(self.directory())),
            caps,
            session,
            allow_unknown=self._allow_unknown,
            trouble=self._trouble,
        )

    @cached_property
    def ledger(self) -> Ledger:
        from aish.store.ledger import Ledger

        return Ledger(self._path)

    @cached_property
    def _meter(self) -> Meter:
        from aish.core.money.cost import micro_dollars
        from aish.core.money.meter import Meter, Thresholds

        dollars, tokens = self._config.warn_at_dollars, self._config.warn_at_tokens
        return Meter(Thresholds(micro_dollars(dollars) if dollars else None, tokens or None))

    # What the user asks

    def rows(self) -> list[Row]:
        """What the session used, by model and purpose."""
        return self._meter.rows if self._used else []

    @property
    def micro(self) -> int:
        """What the session has cost so far, in millionths of a dollar."""
        return self._meter.micro if self._used else 0

    @property
    def caps(self) -> tuple[float, float]:
        """Dollars a session and a day may cost; 0 is no cap."""
        return self._config.cap_at_dollars, self._config.cap_per_day

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
        """The session counts from zero; the day does not forget."""
        if self._used:
            self._meter.reset()
            self.wallet.reset()

    @property
    def _used(self) -> bool:
        return "_meter" in self.__dict__

    # What a request does

    def _most(self, request: Request) -> int:
        """Prompt tokens a provider may bill; what we really expect is kept for the comparison."""
        from aish.core.context.tokens import count_messages, count_tools, get_tokenizer

        self._preset = request.spec.name
        tokenizer = get_tokenizer(request.spec.model)
        messages = count_messages(request.messages, tokenizer)
        self._known_estimate = messages + count_tools(request.tools, tokenizer)
        return int(self._known_estimate * UNCOUNTED)

    def _record(self, call: Call) -> None:
        from dataclasses import replace

        name = call.model if call.model == self._preset else f"{self._preset} ({call.model})"
        for warning in self._meter.add(replace(call, model=name, estimate=self._known_estimate)):
            self._notice(warning)

    def _allow_unknown(self, model: str) -> bool:
        """One yes is for the session; a no is for this request."""
        if model not in self._allowed:
            question = f"Nobody knows what {model} costs, and a cap is set. Ask it all the same?"
            if not self._confirm(question):
                return False
            self._allowed.add(model)
        return True

    def _trouble(self, error: StoreError) -> None:
        if not self._troubled:
            self._troubled = True
            self._notice(f"the cost is not written down: {error.message}")


class _Books:
    """The ledger by project: a request counts for the one it was made in."""

    def __init__(self, ledger: Ledger, session: str, project: Callable[[], str]) -> None:
        self._ledger = ledger
        self._session = session
        self._project = project
        self._books: dict[str, SessionBook] = {}
        self._reserved_in: dict[str, SessionBook] = {}
        self._open: SessionBook | None = None

    @contextmanager
    def locked(self) -> Iterator[int]:
        self._open = self._book()
        try:
            with self._open.locked() as today:
                yield today
        finally:
            self._open = None

    def reserve(self, reservation: Reservation) -> None:
        book = self._open or self._book()
        self._reserved_in[reservation.id] = book
        book.reserve(reservation)

    def settle(self, reservation: Reservation, usage: Usage | None, micro: int | None) -> None:
        book = self._reserved_in.pop(reservation.id, None) or self._book()
        book.settle(reservation, usage, micro)

    def _book(self) -> SessionBook:
        project = self._project()
        if project not in self._books:
            self._books[project] = self._ledger.book(self._session, project)
        return self._books[project]


def model_name(spec: ModelSpec) -> str:
    """What the ledger calls a model: its id, but never an id that says nothing or is a path."""
    if spec.model == NAMELESS:
        return spec.name
    return Path(spec.model).stem if spec.model.endswith(".gguf") else spec.model


def project_of(directory: str) -> str:
    """The repository a directory lies in, else the directory."""
    place = Path(directory)
    for folder in (place, *place.parents):
        if (folder / ".git").exists():
            return str(folder)
    return directory
