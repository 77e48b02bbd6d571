"""Whether and when a failed request is made again."""

from __future__ import annotations

import random
import time
from collections.abc import Mapping
from typing import Protocol

from aish.broker.http_client import Dropped
from aish.broker.refusal import Busy
from aish.core.errors import BrokerError
from aish.core.user import User
from aish.core.values import dataclass


@dataclass(frozen=True, slots=True)
class Patience:
    """How often a request is made, and how long aish waits in between."""

    attempts: int = 3
    first_wait: float = 0.5
    longest_wait: float = 20.0


@dataclass(frozen=True, slots=True)
class Retry:
    """The request failed before anything arrived; it is made again after `seconds`."""

    error: BrokerError
    attempt: int  # the one that failed, from 1
    seconds: float


class Pause(Protocol):
    """What is between two attempts."""

    def jitter(self) -> float:
        """A chance in [0, 1), so that many clients do not come back at once."""
        ...

    def wait(self, retry: Retry) -> None: ...


class ToldPause:
    """The user hears of it, and the time passes."""

    def __init__(self, user: User) -> None:
        self._user = user

    def jitter(self) -> float:
        return random.random()  # noqa: S311  (no secret depends on it)

    def wait(self, retry: Retry) -> None:
        self._user.tell(f"{retry.error.message}; asking again in {retry.seconds:.1f} s")
        time.sleep(retry.seconds)


def wait_before_retry(
    error: BrokerError, attempt: int, patience: Patience, jitter: float
) -> float | None:
    """Seconds to wait before the next attempt; None when there should be none.

    `jitter` in [0, 1) spreads the waits of many clients. A server that asks for a longer wait
    than aish has patience for is not asked again: the user decides.
    """
    if attempt >= patience.attempts or not isinstance(error, Busy | Dropped):
        return None
    wait = patience.first_wait * float(1 << (attempt - 1)) * (0.5 + jitter)
    if isinstance(error, Busy) and error.retry_after is not None:
        if error.retry_after > patience.longest_wait:
            return None
        wait = max(wait, error.retry_after * (1 + jitter / 10))
    return min(wait, patience.longest_wait * 1.1)


def retry_after(headers: Mapping[str, str], now: float) -> float | None:
    """The wait a server asks for: seconds, milliseconds or a date; None when it does not."""
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        value = headers.get(name, "").strip()
        try:
            seconds = float(value) / unit
        except ValueError:
            continue
        if 0 <= seconds < 1e9:
            return seconds
    return _until(headers.get("retry-after", ""), now)


def _until(date: str, now: float) -> float | None:
    if not date.strip():
        return None
    from email.utils import parsedate_to_datetime

    try:
        return max(0.0, parsedate_to_datetime(date).timestamp() - now)
    except (ValueError, TypeError, OverflowError):
        return None
