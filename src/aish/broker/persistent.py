"""A model asked again: after a failure that may pass, or without what its server rejects.

It stands outside the wallet, so that every attempt is paid for by itself.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from aish.broker.address import WITHOUT_V1
from aish.broker.refusal import Busy, Unsupported
from aish.broker.retry import Patience, Pause, Retry, ToldPause, wait_before_retry
from aish.broker.stream import says_something
from aish.broker.unsupported import STATUSES
from aish.core.errors import BrokerError, Overflow, Rejected
from aish.core.messages import BEGUN, Delta, ModelSpec, Request
from aish.core.user import Nobody
from aish.core.values import dataclass

if TYPE_CHECKING:
    from aish.broker.redacting import Source


class Quirks(Protocol):
    """What is known of servers that do not take every part of a request."""

    def of(self, spec: ModelSpec) -> frozenset[str]: ...

    def learn(self, spec: ModelSpec, without: frozenset[str]) -> None: ...

    def refused(self, spec: ModelSpec, window: int) -> None:
        """A server said that a request is too long, and named its window (0: it did not)."""
        ...


class QuirksInMemory:
    """As long as this process lives."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], frozenset[str]] = {}

    def of(self, spec: ModelSpec) -> frozenset[str]:
        return self._known.get((spec.endpoint, spec.model), frozenset())

    def learn(self, spec: ModelSpec, without: frozenset[str]) -> None:
        self._known[spec.endpoint, spec.model] = without

    def refused(self, spec: ModelSpec, window: int) -> None:
        """The conversation itself knows for as long as it lives."""


@dataclass
class _Tries:
    """How one question has fared so far."""

    without: frozenset[str]
    remembered: bool = False  # some of it was rejected earlier, perhaps by another server
    first: Unsupported | None = None  # the complaint that began the leaving out
    attempt: int = 1
    begun: bool = False
    thought: bool = False

    def note(self, delta: Delta) -> None:
        """An answer that turns out to begin amid its thinking shows how this server's do."""
        self.begun = self.begun or says_something(delta)
        if delta.retract and not self.thought:
            self.without |= {BEGUN}
        self.thought = self.thought or delta.retract or bool(delta.reasoning)

    def doubts(self, error: BrokerError) -> bool:
        """Ask for all of it once more, where a server rejects what was made as remembered.

        Another one may be there by now, which takes what the one before it did not.
        """
        if self.begun or not self.remembered or isinstance(error, Busy):
            return False
        if not isinstance(error, Rejected) or error.status not in STATUSES:
            return False
        self.remembered, self.first, self.without = False, None, self.without & {BEGUN}
        return True

    def learned(self) -> frozenset[str]:
        return self.without if self.thought else self.without - {BEGUN}


class Persistent:
    """Repeats a request, but only while nothing of an answer has arrived."""

    def __init__(
        self,
        source: Source,
        *,
        quirks: Quirks | None = None,
        patience: Patience | None = None,
        pause: Pause | None = None,
    ) -> None:
        self._source = source
        self._quirks = quirks or QuirksInMemory()
        self._patience = patience or Patience()
        self._pause = pause or ToldPause(Nobody())

    def stream(self, request: Request) -> Generator[Delta, None, None]:
        """As the source does it.

        Raises: BrokerError; CapReached, when another attempt would be too dear.
        """
        known = self._quirks.of(request.spec)
        tries = _Tries(known, remembered=bool(known - {BEGUN}))
        while True:
            try:
                attempt = replace(request, without=request.without | tries.without)
                with closing(self._source.stream(attempt)) as deltas:
                    for delta in deltas:
                        tries.note(delta)
                        yield delta
            except Unsupported as error:
                self._leave_out(error, tries)
            except Overflow as error:
                self._quirks.refused(request.spec, error.window)
                raise
            except BrokerError as error:
                self._wait(error, tries)
            else:
                if tries.learned() != known:
                    self._quirks.learn(request.spec, tries.learned())
                return

    def _leave_out(self, error: Unsupported, tries: _Tries) -> None:
        """Each part is left out once: the preset's options are few, and the rest is ours.

        Raises: Unsupported, when leaving out did not help.
        """
        tries.first = tries.first or error
        if not tries.begun and error.parameter not in tries.without:
            tries.without |= {error.parameter}
        elif not tries.doubts(error):
            raise tries.first

    def _wait(self, error: BrokerError, tries: _Tries) -> None:
        """Raises: the error, when asking again is no use."""
        if tries.doubts(error):
            return
        first, missing = tries.first, isinstance(error, Rejected) and error.status in (404, 405)
        if first and first.parameter == WITHOUT_V1 and missing:
            raise first  # there was nothing at the other address either
        wait = wait_before_retry(error, tries.attempt, self._patience, self._pause.jitter())
        if tries.begun or wait is None:
            raise error
        self._pause.wait(Retry(error, tries.attempt, wait))
        tries.attempt += 1
