"""How full the last hundred requests were."""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

_LAST = 100


class UsageStats(NamedTuple):
    total_requests: int
    trimmed_requests: int
    avg_utilization: int  # percent


_requests: deque[tuple[float, bool]] = deque(maxlen=_LAST)


def record_request(tokens: int, limit: int, *, trimmed: bool) -> None:
    """Note one request: what it took of what it could have taken."""
    _requests.append((tokens / limit if limit > 0 else 1.0, trimmed))


def get_usage_stats() -> UsageStats:
    """The last hundred requests in three numbers; zeros when there were none."""
    total = len(_requests)
    if not total:
        return UsageStats(0, 0, 0)
    trimmed = sum(was for _, was in _requests)
    return UsageStats(total, trimmed, round(100 * sum(part for part, _ in _requests) / total))


def reset_usage_stats() -> None:
    _requests.clear()
