"""How full the last hundred requests of this process were, and how many had to be trimmed."""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

_LAST = 100


class UsageLog(NamedTuple):
    """One request."""

    original_tokens: int
    final_tokens: int
    max_tokens: int
    trimmed: bool
    dropped_messages: int

    @property
    def utilization(self) -> float:
        return self.final_tokens / self.max_tokens if self.max_tokens > 0 else 1.0


class UsageStats(NamedTuple):
    total_requests: int
    trimmed_requests: int
    avg_utilization: int  # percent


# A deque takes and copies in one act each, so threads need no lock.
_requests: deque[UsageLog] = deque(maxlen=_LAST)


def log_token_usage(
    *,
    original_tokens: int,
    final_tokens: int,
    max_tokens: int,
    trimmed: bool,
    dropped_messages: int = 0,
) -> None:
    """Note one request, for programs that fit their prompts in another way."""
    entry = UsageLog(original_tokens, final_tokens, max_tokens, trimmed, dropped_messages)
    _requests.append(entry)


def record_request(tokens: int, limit: int, *, trimmed: bool) -> None:
    """Note one request: what it took of what it could have taken."""
    log_token_usage(original_tokens=tokens, final_tokens=tokens, max_tokens=limit, trimmed=trimmed)


def get_usage_log() -> tuple[UsageLog, ...]:
    """The last hundred requests, the oldest first."""
    return tuple(_requests.copy())


def get_usage_stats() -> UsageStats:
    """The last hundred requests in three numbers; zeros when there were none."""
    requests = get_usage_log()
    if not requests:
        return UsageStats(0, 0, 0)
    trimmed = sum(request.trimmed for request in requests)
    average = sum(request.utilization for request in requests) / len(requests)
    return UsageStats(len(requests), trimmed, round(100 * average))


def reset_usage_stats() -> None:
    _requests.clear()
