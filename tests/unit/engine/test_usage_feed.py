"""The shell's requests in the usage statistics."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from aish.core.context.eviction import Eviction
from aish.core.context.usage_stats import get_usage_stats, reset_usage_stats
from aish.core.events import Asked, Evicted, Replied
from aish.core.messages import ModelSpec, Reply, Turn, Usage
from aish.engine.usage_feed import UsageFeed

SPEC = ModelSpec("fake", "http://fake", "fake-1", window=1000, reserve=200)


@pytest.fixture(autouse=True)
def _clean() -> Iterator[None]:
    reset_usage_stats()
    yield
    reset_usage_stats()


def test_each_answered_request_counts_once() -> None:
    feed = UsageFeed()
    feed(Asked(Turn("user", "one"), SPEC))
    feed(Replied(Reply("yes", usage=Usage(prompt_tokens=400)), estimated=390))
    feed(Asked(Turn("user", "two"), SPEC))
    feed(Evicted(Eviction((), 1, 0, 900, 500, 800)))
    feed(Replied(Reply("no"), estimated=800))
    feed(Asked(Turn("user", "never answered"), SPEC))
    assert get_usage_stats() == (2, 1, 75)
