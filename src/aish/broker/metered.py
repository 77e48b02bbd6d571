"""A model behind a wallet: the most a request can cost is set aside before it is made."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import AbstractContextManager, closing, nullcontext
from threading import Lock
from typing import TYPE_CHECKING, Protocol

from aish.core.errors import BrokerError, CapReached, Empty
from aish.core.messages import Delta, ModelSpec, Request, Usage
from aish.core.money.caps import MOST_TIMES, PromptTokens, Reservation, Wallet
from aish.core.money.cost import Tariff, upper_bound
from aish.core.money.meter import CountedRequest
from aish.core.money.received import Received

if TYPE_CHECKING:
    from aish.broker.redacting import Source


class Prices(Protocol):
    """What models cost, as far as it is known."""

    def tariff(self, spec: ModelSpec) -> Tariff: ...

    def asked_tariff(self, spec: ModelSpec) -> Tariff:
        """The same, with what the server itself says when it is asked."""
        ...

    def in_turn(self, spec: ModelSpec) -> AbstractContextManager[None]:
        """While a request is made under a cap: until it is known to be free, there is only one.

        Raises: CapReached.
        """
        ...

    def reported(self, spec: ModelSpec, micro: int) -> None:
        """A request cost something that no price announced, or (0) nothing, as was thought."""
        ...


class Accounts(Protocol):
    """Who counts what is asked."""

    def measure(self, request: Request) -> PromptTokens:
        """Tokens that may be billed for a prompt."""
        ...

    def label(self, spec: ModelSpec) -> str:
        """What a model is called in the books."""
        ...

    def record(self, call: CountedRequest) -> None:
        """A request is over."""
        ...


class Metered:
    """Every attempt of a source, whatever its purpose, goes through the wallet."""

    def __init__(
        self, source: Source, wallet: Wallet, *, prices: Prices, accounts: Accounts
    ) -> None:
        self._source = source
        self._wallet = wallet
        self._prices = prices
        self._accounts = accounts
        self._paying = Lock()  # notes are written, and paid for, beside a question
        self._asking = Lock()  # and nobody is asked two things at once

    def stream(self, request: Request) -> Generator[Delta, None, None]:
        """As the source does it.

        Raises: BrokerError; CapReached, and then nothing was sent, or far more came than may.
        """
        in_turn = self._prices.in_turn(request.spec) if self._wallet.caps else nullcontext()
        with in_turn:
            yield from self._paid(request)

    def _paid(self, request: Request) -> Generator[Delta, None, None]:
        held = self._reserve(request, self._accounts.measure(request))
        received, ended, complete, released = Received(), False, False, False
        try:
            with closing(self._source.stream(request)) as deltas:
                for delta in deltas:
                    received.take(delta)
                    yield delta
                    if ended or delta.finish is None:
                        held = self._kept_up(request, held, received)
                    ended = delta.finish is not None  # some say so with every piece
            complete = True
        except BrokerError as error:
            complete = isinstance(error, Empty)  # it came to its end, without words
            released = not error.worked and not received
            raise
        finally:
            with self._paying:
                if released:
                    self._wallet.release(held)
                else:
                    self._settle(request.spec, held, received, complete=complete)

    def _reserve(self, request: Request, prompt: PromptTokens) -> Reservation:
        label, tariff = self._accounts.label(request.spec), self._prices.tariff(request.spec)
        if self._wallet.caps and upper_bound(prompt.words, request.max_tokens, tariff) is None:
            tariff = self._prices.asked_tariff(request.spec)
        if upper_bound(prompt.words, request.max_tokens, tariff) is None:
            with self._asking:  # an answer may take its time, and others pay meanwhile
                self._wallet.permit(label)
        with self._paying:
            return self._wallet.reserve(
                label,
                request.purpose,
                tariff,
                prompt.words,
                request.max_tokens,
                pictures=prompt.pictures,
                fewest=prompt.fewest,
            )

    def _kept_up(self, request: Request, held: Reservation, received: Received) -> Reservation:
        """What is set aside, grown with the answer.

        Raises: CapReached, StoreError.
        """
        with self._paying:
            grown = self._wallet.keep_up(held, received)
        if grown is None:
            raise _endless(request)
        return grown

    def _settle(
        self, spec: ModelSpec, held: Reservation, received: Received, *, complete: bool
    ) -> None:
        outcome = self._wallet.settle(held, received, complete=complete)
        usage, micro = outcome.usage or Usage(), outcome.micro
        if micro and usage.cost is not None and _unannounced(micro, held):
            self._prices.reported(spec, micro)
        elif complete and not held.bound and not micro:
            self._prices.reported(spec, 0)
        billed = held.tariff.billed or bool(micro)
        self._accounts.record(
            CountedRequest(held.model, held.purpose, usage, micro, billed, held.prompt_tokens)
        )


def _endless(request: Request) -> CapReached:
    return CapReached(
        f"{request.spec.name}: the answer goes on beyond its {request.max_tokens:,} tokens and "
        "past the cap, so it was stopped",
        "the server does not keep to max_tokens; choose another `:model`",
    )


def _unannounced(micro: int, held: Reservation) -> bool:
    """Whether a cost has nothing to do with the price that is known."""
    return held.tariff.price is None or micro > held.bound * MOST_TIMES
