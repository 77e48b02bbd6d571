"""Caps: refused before the call, reserved, settled."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aish.core.errors import CapReached, StoreError
from aish.core.messages import Delta, Usage
from aish.core.money.caps import (
    Caps,
    Charge,
    Reservation,
    Spent,
    Wallet,
    refusal,
)
from aish.core.money.cost import UNBILLED, Price, Tariff
from aish.core.money.received import Received
from support.books import MemoryBook
from support.relaxed import relaxed
from support.users import ScriptedUser

DOLLAR_PER_TOKEN = Tariff(True, Price.per_million(1e6, 1e6, 1e6, 1e6))
DOLLAR = 1_000_000


def wallet(book: MemoryBook | None = None, **caps: int) -> Wallet:
    return Wallet(book or MemoryBook(), Caps(**caps), "s1")


def settled(
    purse: Wallet, held: Reservation, usage: Usage | None, text: str = "", *, complete: bool = True
) -> int | None:
    received = Received()
    received.take(Delta(text, usage=usage))
    return purse.settle(held, received, complete=complete).micro


def spend(purse: Wallet, prompt: int, output: int, tariff: Tariff = DOLLAR_PER_TOKEN) -> None:
    held = purse.reserve("m", "main", tariff, prompt, output)
    settled(purse, held, Usage(prompt, output))


@pytest.mark.parametrize("which", ["session", "day"])
def test_a_request_that_could_pass_the_cap_is_refused_before_it_is_made(which: str) -> None:
    book = MemoryBook()
    purse = wallet(book, **{which: 10 * DOLLAR})
    spend(purse, 4, 4)
    with pytest.raises(CapReached, match=r"\$10\.00"):
        purse.reserve("m", "main", DOLLAR_PER_TOKEN, 1, 2)
    assert not book.open
    spend(purse, 1, 1)
    assert purse.spent == 10 * DOLLAR


@pytest.mark.parametrize(
    ("text", "passes"),
    [
        ("w " * 100, False),  # as long as it may be
        ("語" * 400, False),  # some vocabularies have words of many letters
        ("語" * 900, False),
        ("語" * 1100, True),  # none has that many: it heeds no limit, and each may be a token
        ("w " * 150, False),  # it heeds none either, and there is room for as much
        ("w " * 1100, True),
    ],
)
def test_an_answer_that_is_surely_too_long_ends_where_it_may_cost_more_than_is_left(
    text: str, passes: bool
) -> None:
    roomy, full, received = wallet(session=1001 * DOLLAR), wallet(session=101 * DOLLAR), Received()
    received.take(Delta(text))
    for purse, stops in ((roomy, passes), (full, received.least_tokens > 100)):
        held = purse.reserve("m", "main", DOLLAR_PER_TOKEN, 1, 100)
        assert (purse.keep_up(held, received) is None) is stops


def test_what_is_set_aside_grows_with_an_answer_that_goes_on_and_others_see_it() -> None:
    book, received = MemoryBook(), Received()
    first, second = (Wallet(book, Caps(day=1000 * DOLLAR), name) for name in ("s1", "s2"))
    held = first.reserve("m", "main", DOLLAR_PER_TOKEN, 1, 100)
    received.take(Delta("w " * 400))
    grown = first.keep_up(held, received)
    assert grown is not None
    assert book.today == first.spent == grown.bound == 401 * DOLLAR * 5 // 4
    assert first.keep_up(grown, received) == grown, "it is not written down with every piece"
    received.take(Delta("w " * 200))
    other = second.reserve("m", "main", DOLLAR_PER_TOKEN, 1, 399)
    assert first.keep_up(grown, received) is None, "another has what was left"
    second.release(other)
    grown = first.keep_up(grown, received)
    assert grown is not None
    assert settled(first, grown, Usage(1, 600), "w " * 600) == 601 * DOLLAR
    assert book.today == 601 * DOLLAR


def test_a_cap_reached_elsewhere_today_counts_here() -> None:
    with pytest.raises(CapReached, match="today"):
        wallet(MemoryBook(today=9 * DOLLAR), day=10 * DOLLAR).reserve(
            "m", "main", DOLLAR_PER_TOKEN, 1, 1
        )


def test_what_costs_nothing_goes_on_after_the_cap() -> None:
    purse = wallet(FullDisk(today=1), day=1)
    spend(purse, 1000, 1000, UNBILLED)
    spend(purse, 1000, 1000, Tariff(True, Price.per_million(0, 0), proven=True))
    assert purse.spent == 0


@pytest.mark.parametrize("free", [Tariff(False), Tariff(True, Price.per_million(0, 0))])
def test_what_has_never_been_seen_to_cost_nothing_is_asked_while_something_is_left(
    free: Tariff,
) -> None:
    book = MemoryBook()
    purse = wallet(book, day=DOLLAR)
    spend(purse, 1000, 1000, free)
    assert book.today == purse.spent == 0
    held = purse.reserve("m", "main", free, 1, 1)
    assert settled(purse, held, Usage(1, 1, cost=1.0)) == DOLLAR
    with pytest.raises(CapReached, match=r"\$1\.00 are spent, and nobody knows what this costs"):
        purse.reserve("m", "main", free, 1, 1)
    with pytest.raises(StoreError):
        wallet(FullDisk(), day=DOLLAR).reserve("m", "main", free, 1, 1)


def test_an_unknown_price_under_a_cap_asks_and_without_an_answer_refuses() -> None:
    user = ScriptedUser(True)
    with pytest.raises(CapReached, match="nobody knows"):
        wallet(session=DOLLAR).reserve("m", "main", Tariff(True), 1, 1)
    purse = Wallet(MemoryBook(), Caps(day=1), "s", user=user)
    purse.reserve("m", "x", Tariff(True), 1, 1)
    assert user.questions == ["Nobody knows what m costs, and a cap is set. Ask it all the same?"]
    wallet().reserve("m", "main", Tariff(True), 1, 1)  # without a cap nobody needs to know


def test_every_purpose_is_under_the_cap() -> None:
    purse = wallet(session=DOLLAR)
    for purpose in ("summary", "memory", "probe", "delegate", "norris", "norris-preplan", "odd"):
        with pytest.raises(CapReached):
            purse.reserve("m", purpose, DOLLAR_PER_TOKEN, 1, 1)


def test_a_run_has_a_cap_of_its_own() -> None:
    purse = wallet(run=4 * DOLLAR)
    spend(purse, 5, 5)
    purse.begin_run()
    spend(purse, 1, 1)
    with pytest.raises(CapReached, match="run"):
        spend(purse, 2, 2)
    purse.end_run()
    spend(purse, 2, 2)


def test_a_settled_request_gives_back_what_it_did_not_use() -> None:
    book = MemoryBook()
    purse = wallet(book, session=10 * DOLLAR)
    held = purse.reserve("m", "main", DOLLAR_PER_TOKEN, 1, 8)
    assert purse.spent == 9 * DOLLAR
    assert settled(purse, held, Usage(1, 2)) == 3 * DOLLAR
    assert (purse.spent, book.today) == (3 * DOLLAR, 3 * DOLLAR)


def test_a_refused_request_costs_nothing() -> None:
    book = MemoryBook()
    purse = wallet(book)
    purse.release(purse.reserve("m", "main", DOLLAR_PER_TOKEN, 1, 8))
    assert (purse.spent, book.today) == (0, 0)


def test_without_usage_all_that_was_set_aside_is_charged() -> None:
    purse = wallet()
    held = purse.reserve("m", "main", DOLLAR_PER_TOKEN, 2, 8)
    assert settled(purse, held, None) == 10 * DOLLAR


def test_an_answer_that_broke_off_keeps_all_that_was_set_aside() -> None:
    book = MemoryBook()
    purse = wallet(book)
    held = purse.reserve("m", "main", DOLLAR_PER_TOKEN, 2, 8)
    assert settled(purse, held, Usage(2, 1), "so far", complete=False) == 10 * DOLLAR
    assert book.assumed == ["the answer broke off"]


@pytest.mark.parametrize(
    ("usage", "cost"),
    [
        (None, 108),
        (Usage(0, 0), 108),
        (Usage(30, 0), 108),
        (Usage(0, 6), 108),
        (Usage(0, 1, cost=0.0), 108),
        (Usage(30, 6, cost=0.0), 108),
        (Usage(1 << 50, 6), 108),
        (Usage(30, 6, cost=900_000.0), 108),
        (Usage(30, 6), 36),
        (Usage(30, 40), 70),  # thinking that is not shown
        (Usage(30, 6, cost=41.0), 41),
        (Usage(total_tokens=88), 88),
        (Usage(total_tokens=5), 108),
    ],
)
def test_no_report_frees_what_it_cannot_prove(usage: Usage | None, cost: int) -> None:
    purse = wallet()
    held = purse.reserve("m", "main", DOLLAR_PER_TOKEN, 40, 68, fewest=30)
    assert settled(purse, held, usage, "six words have arrived by now") == cost * DOLLAR


@pytest.mark.parametrize("usage", [None, Usage(2, 1), Usage(2, 40), Usage(1 << 50, 1)])
@pytest.mark.parametrize("complete", [True, False])
def test_an_answer_longer_than_allowed_is_charged_for_what_arrived(
    usage: Usage | None, complete: bool
) -> None:
    purse = wallet()
    held = purse.reserve("m", "main", DOLLAR_PER_TOKEN, 2, 8)
    micro = settled(purse, held, usage, "word " * 40, complete=complete)
    assert micro is not None and micro >= 40 * DOLLAR


@pytest.mark.parametrize("usage", [None, Usage(2, 8)])
@pytest.mark.parametrize("text", ["答" * 300, "x=f(a);" * 100, "word " * 300])
def test_what_is_longer_than_allowed_is_charged_as_high_as_it_may_be_billed(
    usage: Usage | None, text: str
) -> None:
    purse = wallet()
    held = purse.reserve("m", "main", DOLLAR_PER_TOKEN, 2, 8)
    micro = settled(purse, held, usage, text)
    assert micro is not None and micro >= 220 * DOLLAR


def test_an_answer_that_broke_off_is_charged_what_was_reported_beyond_the_reservation() -> None:
    purse = wallet()
    held = purse.reserve("m", "main", DOLLAR_PER_TOKEN, 2, 8)
    assert settled(purse, held, Usage(2, 30), "so far", complete=False) == 32 * DOLLAR


def test_a_reported_cost_that_some_model_has_is_believed_whatever_the_price_says() -> None:
    by_the_thousand = Tariff(True, Price.per_million(0.003, 0.015))  # and not by the million
    purse = wallet()
    held = purse.reserve("m", "main", by_the_thousand, 1000, 100)
    assert settled(purse, held, Usage(1000, 100, cost=0.0045)) == 4500


@pytest.mark.parametrize(
    ("usage", "micro"),
    [
        (Usage(300, 5, cost=2.0), 2 * DOLLAR),  # searches, or a price of long ago
        (Usage(300, 200_000), 2_000_300),  # thinking that heeds no limit and is not shown
        (Usage(300, 5, cost=90_000.0), 1_375),  # of another currency, or none at all
        (Usage(300, (1 << 32) - 1), 1_375),  # less than nothing, in 32 bits
    ],
)
def test_what_is_reported_beyond_all_that_was_allowed_is_charged_unless_no_model_costs_it(
    usage: Usage, micro: int
) -> None:
    purse = wallet()
    held = purse.reserve("m", "main", Tariff(True, Price.per_million(1, 10)), 300, 100)
    assert settled(purse, held, usage, "five words have arrived now") == micro


def test_a_server_thought_free_that_reports_a_cost_is_charged_and_then_capped() -> None:
    purse = wallet(session=10 * DOLLAR)
    held = purse.reserve("m", "main", UNBILLED, 1, 1)
    assert settled(purse, held, Usage(1, 1, cost=6.0)) == 6 * DOLLAR
    with pytest.raises(CapReached):
        purse.reserve("m", "main", Tariff(True, None, 6 * DOLLAR), 1, 1)


@pytest.mark.parametrize(
    ("usage", "complete"),
    [(Usage(1, 1, cost=0.0), True), (Usage(cost=1e-6), False), (Usage(1, 1), True), (None, True)],
)
@pytest.mark.parametrize("price", [None, Price.per_million(0, 0), Price.per_million(1, 10)])
def test_a_server_that_billed_once_is_not_believed_to_be_free(
    price: Price | None, usage: Usage | None, complete: bool
) -> None:
    purse = wallet(session=10 * DOLLAR)
    held = purse.reserve("m", "main", Tariff(True, price, 6 * DOLLAR), 1, 1)
    assert settled(purse, held, usage, complete=complete) == 6 * DOLLAR
    assert settled(purse, held, Usage(1, 1, cost=0.5)) == DOLLAR // 2


def test_an_answer_without_words_is_not_free_because_its_server_says_so() -> None:
    purse = wallet()
    held = purse.reserve("m", "main", Tariff(True, Price.per_million(0.1, 1)), 9, 1000)
    assert settled(purse, held, Usage(9, 0, cost=0.0)) == held.bound


@pytest.mark.parametrize("usage", [Usage(100), Usage(None, 100)])
def test_half_a_report_frees_nothing(usage: Usage) -> None:
    purse = wallet()
    held = purse.reserve("m", "main", DOLLAR_PER_TOKEN, 100, 50)
    assert settled(purse, held, usage) == 150 * DOLLAR
    assert settled(purse, held, replace(usage, cost=90.0)) == 90 * DOLLAR


def test_an_unknown_price_that_was_allowed_still_ends_at_the_cap() -> None:
    book = MemoryBook(session=DOLLAR)
    purse = Wallet(book, Caps(session=DOLLAR), "s", user=ScriptedUser(True))
    with pytest.raises(CapReached, match="session"):
        purse.reserve("m", "main", Tariff(True), 1, 1)


def test_a_crash_leaves_the_reservation_as_spent() -> None:
    book = MemoryBook()
    wallet(book).reserve("m", "main", DOLLAR_PER_TOKEN, 2, 8)
    with pytest.raises(CapReached):
        wallet(book, day=12 * DOLLAR).reserve("m", "main", DOLLAR_PER_TOKEN, 1, 2)


class FullDisk(MemoryBook):
    """A book that can be read and not written."""

    def reserve(self, reservation: Reservation) -> None:
        raise StoreError("no space left")

    def settle(self, reservation: Reservation, outcome: Charge) -> None:
        raise StoreError("no space left")


def test_a_full_disk_is_told_and_does_not_stop_what_has_no_cap() -> None:
    user = ScriptedUser()
    purse = Wallet(FullDisk(), Caps(), "s", user=user)
    spend(purse, 2, 2)
    assert user.told == ["the cost is not written down: no space left"]
    assert purse.spent == 4 * DOLLAR


@pytest.mark.parametrize("which", ["session", "day"])
def test_under_a_cap_a_book_that_cannot_be_written_refuses(which: str) -> None:
    with pytest.raises(StoreError):
        spend(wallet(FullDisk(), **{which: 20 * DOLLAR}), 2, 2)


@relaxed
@given(
    cap=st.integers(0, 50),
    requests=st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(0, 9))),
)
def test_no_order_of_requests_passes_a_cap(cap: int, requests: list[tuple[int, int, int]]) -> None:
    book = MemoryBook()
    purses = [Wallet(book, Caps(session=cap * DOLLAR, day=cap * DOLLAR), f"s{n}") for n in range(2)]
    for number, (prompt, most, used) in enumerate(requests):
        purse = purses[number % 2]
        try:
            held = purse.reserve("m", "main", DOLLAR_PER_TOKEN, prompt, most)
        except CapReached:
            continue
        settled(purse, held, Usage(prompt, min(used, most)))
    assert book.today <= cap * DOLLAR


def test_a_cost_that_was_once_reported_is_named_as_what_stands_in_the_way() -> None:
    purse = wallet(session=DOLLAR)
    with pytest.raises(CapReached) as raised:
        purse.reserve("m", "main", Tariff(False, None, seen=5 * DOLLAR), 10, 10)
    assert "reported" in raised.value.hint and "price_in" in raised.value.hint
    with pytest.raises(CapReached) as raised:
        purse.reserve("m", "main", DOLLAR_PER_TOKEN, 10, 10)
    assert "reported" not in raised.value.hint


def test_the_refusal_names_the_numbers() -> None:
    error = refusal(2_000, Spent(day=999_000), Caps(day=1_000_000))
    assert error is not None
    assert "$0.9990" in error.message
    assert "$0.0020" in error.message
    assert error.hint
