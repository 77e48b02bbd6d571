"""What every book of spending promises, over the fake and the ledger on the disk."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from aish.core.errors import CapReached
from aish.core.messages import Usage
from aish.core.money.caps import Book, Caps, Charge, Reservation, Wallet
from aish.core.money.cost import Price, Tariff
from aish.store.ledger import Ledger
from support.books import MemoryBook

TARIFF = Tariff(True, Price(1000, 1000, 1000, 1000))  # a micro-dollar for each token


def in_memory(_: Path) -> Book:
    return MemoryBook()


def on_disk(folder: Path) -> Book:
    return Ledger(folder / "ledger.jsonl").book("session", "project")


Make = Callable[[Path], Book]
books = pytest.mark.parametrize("make", [in_memory, on_disk])


def held(name: str, micro: int) -> Reservation:
    return Reservation(name, "model", "main", micro, 10, TARIFF)


def spent(book: Book) -> tuple[int, int]:
    with book.locked() as now:
        return now.session, now.day


@books
def test_what_is_reserved_counts_for_the_session_and_the_day(make: Make, tmp_path: Path) -> None:
    book = make(tmp_path)
    assert spent(book) == (0, 0)
    with book.locked():
        book.reserve(held("1", 500))
    assert spent(book) == (500, 500)


@books
def test_a_reservation_that_grows_is_still_one(make: Make, tmp_path: Path) -> None:
    book = make(tmp_path)
    for micro in (500, 800):
        with book.locked():
            book.reserve(held("1", micro))
    assert spent(book) == (800, 800)
    book.settle(held("1", 800), Charge(Usage(20, 3), 23))
    assert spent(book) == (23, 23)


@books
def test_what_a_request_cost_replaces_its_reservation(make: Make, tmp_path: Path) -> None:
    book = make(tmp_path)
    for name, micro in (("1", 500), ("2", 900)):
        with book.locked():
            book.reserve(held(name, micro))
    book.settle(held("1", 500), Charge(Usage(20, 3), 23))
    assert spent(book) == (923, 923)


@books
def test_a_request_that_was_not_made_frees_its_reservation(make: Make, tmp_path: Path) -> None:
    book = make(tmp_path)
    with book.locked():
        book.reserve(held("1", 500))
    book.settle(held("1", 500), Charge(None, None, made=False))
    assert spent(book) == (0, 0)


@books
def test_a_cap_refuses_what_would_pass_it(make: Make, tmp_path: Path) -> None:
    wallet = Wallet(make(tmp_path), Caps(session=1000), "s")
    wallet.reserve("model", "main", TARIFF, 400, 400)
    with pytest.raises(CapReached):
        wallet.reserve("model", "main", TARIFF, 400, 400)
