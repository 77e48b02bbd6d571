"""When a request is made again, and when it must not be."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aish.broker.http_client import Dropped
from aish.broker.refusal import Busy
from aish.broker.retry import Patience, retry_after, wait_before_retry
from aish.core.errors import BrokerError, Garbled, Rejected, Timeout
from support.asking import Asker, request_for, text_of
from support.relaxed import relaxed
from support.scripted import STREAM_HEADERS, event, plain, scripted_server, stream, text_event

NOW = 1_700_000_000.0
DATE = "Tue, 14 Nov 2023 22:13:30 GMT"  # ten seconds after NOW


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504, 529])
def test_a_busy_server_is_asked_again(status: int) -> None:
    asker = Asker()
    with scripted_server(plain(status, {}), plain(status, {}), stream("a")) as server:
        assert text_of(asker.ask(server.url)) == "a"
    assert len(server.chats) == 3
    assert asker.waits == [0.5, 1.0]
    assert [retry.attempt for retry in asker.retries] == [1, 2]


def test_retries_are_bounded_and_the_last_error_is_shown() -> None:
    asker = Asker()
    with scripted_server(plain(503, {"error": {"message": "Loading model"}})) as server:
        with pytest.raises(Rejected, match="Loading model"):
            asker.ask(server.url)
        assert len(server.chats) == asker.patience.attempts


def test_retry_after_is_honoured() -> None:
    asker = Asker()
    with scripted_server(plain(429, {}, "Retry-After: 7"), stream("a")) as server:
        asker.ask(server.url)
    assert 7 <= asker.waits[0] <= 8


def test_a_wait_longer_than_aishs_patience_is_left_to_the_user() -> None:
    asker = Asker()
    script = plain(429, {}, "Retry-After: 3600")
    with scripted_server(script, stream("a")) as server, pytest.raises(Rejected) as caught:
        asker.ask(server.url)
    assert "wait 3600 s" in caught.value.hint
    assert not asker.waits


def test_a_connection_dropped_before_the_answer_is_made_again() -> None:
    asker = Asker()
    with scripted_server([b""], [STREAM_HEADERS], stream("a")) as server:
        assert text_of(asker.ask(server.url)) == "a"
    assert len(server.chats) == 3


def test_an_error_event_before_the_first_word_is_tried_again() -> None:
    busy = event({"error": {"code": 429, "message": "upstream is busy"}})
    asker = Asker()
    with scripted_server([STREAM_HEADERS, busy], stream("a")) as server:
        assert text_of(asker.ask(server.url)) == "a"


@pytest.mark.parametrize(
    "fault", [b"", event({"error": {"code": 503, "message": "x"}}), event("{broken")]
)
def test_nothing_is_retried_once_a_word_has_arrived(fault: bytes) -> None:
    asker = Asker()
    with scripted_server([STREAM_HEADERS, text_event("a"), fault], stream("b")) as server:
        deltas = asker.client().stream(request_for(server.url))
        assert next(deltas).text == "a"
        with pytest.raises(BrokerError):
            list(deltas)
    assert len(server.chats) == 1


@pytest.mark.parametrize("status", [400, 401, 402, 403, 422])
def test_a_refusal_is_final(status: int) -> None:
    asker = Asker()
    with scripted_server(plain(status, {}), stream("a")) as server, pytest.raises(Rejected):
        asker.ask(server.url)
    assert len(server.chats) == 1


def test_a_silent_server_is_not_made_to_work_twice() -> None:
    asker = Asker()
    with scripted_server([10.0], stream("a")) as server, pytest.raises(Timeout):
        asker.ask(server.url, idle_timeout=0.2)
    assert len(server.chats) == 1


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "5"}, 5.0),
        ({"retry-after": "0.25"}, 0.25),
        ({"retry-after": DATE}, 10.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-3"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "1e400"}, None),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
    ],
)
def test_the_wait_a_server_asks_for(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers, NOW) == seconds


@relaxed
@given(
    attempt=st.integers(1, 20),
    jitter=st.floats(0, 0.999),
    asked=st.none() | st.floats(0, 1e6),
)
def test_every_wait_is_bounded_and_never_shorter_than_asked(
    attempt: int, jitter: float, asked: float | None
) -> None:
    patience = Patience(attempts=100)
    wait = wait_before_retry(Busy("x", retry_after=asked), attempt, patience, jitter)
    if asked is not None and asked > patience.longest_wait:
        assert wait is None
    else:
        assert wait is not None
        assert (asked or 0) <= wait <= patience.longest_wait * 1.1


def test_only_what_may_pass_is_retried() -> None:
    patience = Patience()
    assert wait_before_retry(Garbled("x"), 1, patience, 0.5) is None
    assert wait_before_retry(Dropped("x"), 1, patience, 0.5) is not None
