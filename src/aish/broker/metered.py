"""A model behind a wallet: the most a request can cost is set aside before it is made."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import closing
from typing import TYPE_CHECKING

from aish.core.errors import BrokerError, Overflow, Rejected, Unreachable
from aish.core.messages import Delta, ModelSpec, Request, Usage
from aish.core.money.caps import Reservation, Wallet
from aish.core.money.cost import Tariff
from aish.core.money.meter import Call

if TYPE_CHECKING:
    from aish.broker.sealed import Source

NEVER_BILLED = (Unreachable, Rejected, Overflow)  # the server did no work
CHARACTERS_PER_TOKEN = 3


class Metered:
    """Every request of a source, whatever its purpose, goes through the wallet."""

    def __init__(
        self,
        source: Source,
        wallet: Wallet,
        *,
        tariff_of: Callable[[ModelSpec], Tariff],
        count: Callable[[Request], int],
        label: Callable[[ModelSpec], str] = lambda spec: spec.model,
        record: Callable[[Call], None] = lambda _: None,
    ) -> None:
        self._source = source
        self._wallet = wallet
        self._tariff_of = tariff_of
        self._count = count
        self._label = label
        self._record = record

    def stream(self, request: Request) -> Generator[Delta, None, None]:
        """As the source does it.

        Raises: BrokerError; CapReached, and then nothing was sent.
        """
        expected = self._count(request)
        held = self._wallet.reserve(
            self._label(request.spec),
            request.purpose,
            self._tariff_of(request.spec),
            expected,
            request.max_tokens,
        )
        usage, received, settled = None, 0, False
        try:
            with closing(self._source.stream(request)) as deltas:
                for delta in deltas:
                    usage = delta.usage or usage
                    received += _size(delta)
                    yield delta
        except NEVER_BILLED:
            if not received:
                self._wallet.release(held)
                settled = True
            raise
        except BrokerError:
            if not received:  # the server may have worked to the end without a word
                self._settle(held, usage, None, expected)
                settled = True
            raise
        finally:
            if not settled:
                self._settle(held, usage, -(-received // CHARACTERS_PER_TOKEN), expected)

    def _settle(
        self, held: Reservation, usage: Usage | None, received: int | None, expected: int
    ) -> None:
        micro = self._wallet.settle(held, usage, received)
        self._record(
            Call(held.model, held.purpose, usage or Usage(), micro, held.tariff.billed, expected)
        )


def _size(delta: Delta) -> int:
    arguments = sum(len(call.arguments) for call in delta.tool_calls)
    return len(delta.text) + len(delta.reasoning) + arguments
