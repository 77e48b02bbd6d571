"""Twenty thousand hostile conversations; bench/context/hostile.py tries a million and more."""

from __future__ import annotations

import pytest

from support.hostile import tried

SHARE = 2500  # conversations in one test, so that the tests can be shared out


@pytest.mark.parametrize("first", range(0, 20_000, SHARE))
def test_hostile_conversations_fit_or_are_rightly_refused_and_lose_no_rule(first: int) -> None:
    """0 over, 0 false refusals, 0 changed inputs, newest last, what was laid down present."""
    tally = tried(range(first, first + SHARE))
    assert tally.conversations == SHARE
    assert tally.trimmed > SHARE / 10 and tally.rules > SHARE / 10, "something was at stake"
