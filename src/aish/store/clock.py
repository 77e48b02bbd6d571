"""Moments as the files write them."""

from __future__ import annotations

import time
from collections.abc import Callable

Clock = Callable[[], float]

_FORMAT = "%Y-%m-%dT%H:%M:%SZ"


def utc_text(seconds: float) -> str:
    """Seconds since 1970 as `2026-05-13T19:01:01Z`."""
    return time.strftime(_FORMAT, time.gmtime(seconds))


def local_day(seconds: float) -> str:
    """The day a moment belongs to where the user is, as `2026-05-13`."""
    return time.strftime("%Y-%m-%d", time.localtime(seconds))
