"""Two minutes of a session in small windows on a real server; bench/context/soak.py runs longer."""

from __future__ import annotations

import pytest

from support.embedded import server
from support.llama import Llama
from support.soak import Session, Tally

SECONDS = 60.0
RESERVE = 128


@pytest.mark.long
@pytest.mark.parametrize("window", [1024, 2048])
def test_a_minute_in_a_small_window_without_a_refused_request(window: int) -> None:
    with server(n_ctx=window) as endpoint:
        llama = Llama(endpoint.base_url, endpoint.api_key)
        tally = Session(llama, window, RESERVE).run(_going_on)
        llama.close()
    print(tally.line)
    assert tally.faults == 0, tally.line
    assert tally.counts < tally.requests / 3, "the server is asked only near the limit"


def _going_on(tally: Tally) -> bool:
    """A minute, and longer on a busy machine: until room was made at least twice."""
    return tally.seconds < SECONDS or tally.cuts < 2
