from __future__ import annotations

import errno
import json
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from aish.core.errors import StoreError, UsageError
from aish.core.messages import Usage
from aish.core.money.caps import Charge, Reservation, Spent
from aish.core.money.cost import UNBILLED, Tariff
from aish.store import ledger_sums
from aish.store.ledger import Ledger, SessionBook, Use
from aish.store.ledger_sums import UseSum
from support.faulty_disk import FaultyDisk

NOON = time.mktime((2026, 5, 13, 12, 0, 0, 0, 0, -1))
DAY = 86400.0


class Clock:
    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def ledger(tmp_path: Path, clock: Clock) -> Ledger:
    return Ledger(tmp_path / "ledger.jsonl", clock=clock)


CLOUD = Use("deep", "main", "/p", "s1", prompt=100, cached=40, completion=10, micro_dollars=500)
BILLED = Tariff(billed=True)
NEVER_MADE = Charge(None, 0, made=False)
LOCAL = Use("fast", "summary", "/q", "s1", prompt=7, completion=3)


def test_a_record_has_the_documented_form(ledger: Ledger) -> None:
    ledger.record(CLOUD)
    assert json.loads(ledger.path.read_text()) == {
        "ts": int(NOON),
        "model": "deep",
        "purpose": "main",
        "project": "/p",
        "prompt": 100,
        "cached": 40,
        "completion": 10,
        "micro_dollars": 500,
        "session": "s1",
    }


def test_use_is_added_up_by_day_model_project_and_purpose(ledger: Ledger, clock: Clock) -> None:
    ledger.record(CLOUD)
    ledger.record(LOCAL)
    clock.now += DAY
    ledger.record(CLOUD)
    assert ledger.by("day") == {
        "2026-05-13": UseSum(2, 1, 0, 107, 40, 13, 500),
        "2026-05-14": UseSum(1, 0, 0, 100, 40, 10, 500),
    }
    assert ledger.by("model", since="2026-05-14") == {"deep": UseSum(1, 0, 0, 100, 40, 10, 500)}
    assert list(ledger.by("project")) == ["/p", "/q"]
    assert list(ledger.by("purpose")) == ["main", "summary"]
    with pytest.raises(UsageError, match="not kept by"):
        ledger.by("colour")


def test_a_local_call_is_told_from_a_cloud_call_that_cost_nothing(ledger: Ledger) -> None:
    ledger.record(LOCAL)
    ledger.record(Use("free", micro_dollars=0))
    assert ledger.by("model")["fast"].unbilled == 1
    assert ledger.by("model")["free"].unbilled == 0


def test_spending_is_known_ever_today_and_by_session_across_processes(
    ledger: Ledger, clock: Clock
) -> None:
    other = Ledger(ledger.path, clock=clock)
    ledger.record(CLOUD)
    assert (other.spent(), other.spent(today=True), other.spent(session="s1")) == (500, 500, 500)
    clock.now += DAY
    other.record(CLOUD)
    assert (ledger.spent(), ledger.spent(today=True), ledger.spent(session="s2")) == (1000, 500, 0)


def hold(number: int, bound: int, tariff: Tariff = BILLED) -> Reservation:
    return Reservation(f"s1:{number}", "deep", "main", bound, 100, tariff)


def reserve(book: SessionBook, reservation: Reservation) -> int:
    with book.locked() as spent:
        book.reserve(reservation)
    return spent.day


def test_what_is_reserved_counts_as_spent_in_every_process_until_it_is_settled(
    ledger: Ledger, clock: Clock
) -> None:
    mine = ledger.book("s1", "/p")
    yours = Ledger(ledger.path, clock=clock).book("s2")
    assert reserve(mine, hold(1, 900)) == 0
    assert reserve(yours, hold(1, 50)) == 900
    mine.settle(hold(1, 900), Charge(Usage(100, 10, 40), 500))
    with yours.locked() as today:
        assert today == Spent(50, 550)
    yours.settle(hold(1, 50), NEVER_MADE)  # it never arrived
    assert ledger.spent() == ledger.spent(session="s1") == 500
    assert ledger.by("model") == {"deep": UseSum(1, 0, 0, 100, 40, 10, 500)}


def test_a_reservation_left_by_a_crash_counts_for_good(ledger: Ledger, clock: Clock) -> None:
    reserve(ledger.book("s1"), hold(1, 700))
    resumed = Ledger(ledger.path, clock=clock).book("s1")
    assert reserve(resumed, hold(1, 100)) == 700  # the same number of the same session
    resumed.settle(hold(1, 100), Charge(Usage(1, 1), 20))
    assert ledger.spent(session="s1") == 720


def test_calls_without_a_reservation_are_told_apart(ledger: Ledger) -> None:
    book = ledger.book("s1")
    book.settle(hold(1, 0, UNBILLED), Charge(Usage(10, 5), None))
    book.settle(hold(2, 0, Tariff(billed=True)), Charge(Usage(10, 5), None))
    book.settle(hold(3, 0, UNBILLED), NEVER_MADE)  # refused: no call
    assert ledger.by("model") == {"deep": UseSum(2, 1, 1, 20, 0, 10, 0)}


def test_a_reservation_on_a_full_disk_refuses_the_call(tmp_path: Path, clock: Clock) -> None:
    ledger = Ledger(tmp_path / "l.jsonl", clock=clock, disk=FaultyDisk("sync", errno.ENOSPC))
    with pytest.raises(StoreError):
        reserve(ledger.book("s1"), hold(1, 5))
    assert ledger.spent() == 0


def test_kept_sums_give_what_the_ledger_gives(ledger: Ledger, clock: Clock) -> None:
    ledger = Ledger(ledger.path, clock=clock, checkpoint=0)
    ledger.record(CLOUD)
    reserve(ledger.book("s1"), hold(1, 40))
    whole = ledger.by("day"), ledger.spent(), ledger.spent(session="s1")
    assert ledger.path.with_suffix(".sums").exists()
    fresh = Ledger(ledger.path, clock=clock)
    assert (fresh.by("day"), fresh.spent(), fresh.spent(session="s1")) == whole
    assert whole[1:] == (540, 540)


def test_a_session_keeps_its_cap_however_many_came_after_it(
    ledger: Ledger, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ledger_sums, "PASSING_KEPT", 5)
    ledger = Ledger(ledger.path, clock=clock, checkpoint=0)
    ledger.record(CLOUD)
    for number in range(6):
        ledger.record(replace(CLOUD, session=f"~{number}"))
    assert ledger.spent() == 3500
    fresh = Ledger(ledger.path, clock=clock)
    assert fresh.spent(session="s1") == 500
    assert fresh.spent(session="~0") == 0  # its process alone could have asked again
    assert fresh.spent(session="~1") == 500


def test_a_request_over_midnight_is_of_the_day_it_was_made_on(ledger: Ledger, clock: Clock) -> None:
    book = ledger.book("s1")
    reserve(book, hold(1, 900))
    clock.now += DAY
    assert ledger.spent(today=True) == 0
    book.settle(hold(1, 900), Charge(Usage(100, 10), 500))
    assert ledger.spent(today=True) == 0
    assert [name for name, total in ledger.by("day").items() if total.most == 500] == ["2026-05-13"]
    clock.now -= DAY
    assert ledger.spent(today=True) == 500


def test_what_grows_over_midnight_is_of_the_day_it_was_made_on(
    ledger: Ledger, clock: Clock
) -> None:
    book, today = ledger.book("s1"), ledger.spent(today=True)
    reserve(book, hold(1, 70))
    clock.now += DAY
    reserve(book, hold(1, 90))
    assert ledger.spent(today=True) == today == 0
    assert [(one.ts, one.micro_dollars) for one in ledger.held()] == [(int(NOON), 90)]


def test_threads_that_look_at_once_count_every_request_once(ledger: Ledger, clock: Clock) -> None:
    other = Ledger(ledger.path, clock=clock)
    faults: list[Exception] = []
    done = threading.Event()

    def look() -> None:
        try:
            while not done.is_set():
                ledger.spent()
                ledger.by("model")
        except Exception as error:  # noqa: BLE001  (told below)
            faults.append(error)

    threads = [threading.Thread(target=look) for _ in range(4)]
    for thread in threads:
        thread.start()
    for number in range(200):
        other.record(replace(CLOUD, model=f"m{number}"))
    done.set()
    for thread in threads:
        thread.join()
    assert faults == []
    assert ledger.spent() == 200 * 500


@pytest.mark.parametrize("part", ["rows", "sessions"])
def test_sums_of_the_wrong_kind_are_made_anew(ledger: Ledger, clock: Clock, part: str) -> None:
    ledger = Ledger(ledger.path, clock=clock, checkpoint=0)
    ledger.record(CLOUD)
    assert ledger.spent() == 500
    kept = ledger.path.with_suffix(".sums")
    wrong = {"rows": [["2026-05-13", "m", "p", "q", "many"]], "sessions": {"s1": "many"}}
    kept.write_text(json.dumps(json.loads(kept.read_text()) | {part: wrong[part]}))
    book = Ledger(ledger.path, clock=clock).book("s1")
    assert reserve(book, hold(1, 40)) == 500


def test_sums_of_a_zone_of_the_same_name_are_made_anew(
    ledger: Ledger, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = Ledger(ledger.path, clock=clock, checkpoint=0)
    ledger.record(CLOUD)
    before = list(ledger.by("day"))
    monkeypatch.setenv("TZ", f"{time.tzname[0]}-14")
    time.tzset()
    try:
        assert list(Ledger(ledger.path, clock=clock).by("day")) != before
    finally:
        monkeypatch.undo()
        time.tzset()


@pytest.mark.parametrize("damage", [b"", b"{}", b"[1", b'{"format":1}', b"\0\0"])
def test_damaged_sums_are_made_anew(ledger: Ledger, clock: Clock, damage: bytes) -> None:
    ledger = Ledger(ledger.path, clock=clock, checkpoint=0)
    ledger.record(CLOUD)
    assert ledger.spent() == 500
    ledger.path.with_suffix(".sums").write_bytes(damage)
    assert Ledger(ledger.path, clock=clock).spent() == 500


def test_huge_sums_are_not_read(ledger: Ledger, clock: Clock) -> None:
    ledger = Ledger(ledger.path, clock=clock, checkpoint=0)
    ledger.record(CLOUD)
    with ledger.path.with_suffix(".sums").open("wb") as file:
        file.truncate(1 << 40)  # more than any memory has room for
    assert Ledger(ledger.path, clock=clock).spent() == 500


def test_another_ledger_under_the_same_name_is_added_up_anew(ledger: Ledger, clock: Clock) -> None:
    ledger = Ledger(ledger.path, clock=clock, checkpoint=0)
    for _ in range(3):
        ledger.record(CLOUD)
    assert ledger.spent() == 1500
    ledger.path.unlink()
    assert ledger.by("model") == {}
    Ledger(ledger.path, clock=clock).record(CLOUD)
    assert ledger.by("model") == {"deep": UseSum(1, 0, 0, 100, 40, 10, 500)}
    assert Ledger(ledger.path, clock=clock).spent() == 500


def test_damage_in_the_ledger_is_said_and_costs_only_itself(ledger: Ledger) -> None:
    ledger.record(CLOUD)
    with ledger.path.open("ab") as file:
        file.write(b'{"ts":1,"model":"torn\n{"ts":"soon","model":7}\n')
    ledger.record(CLOUD)
    assert ledger.spent() == 1000
    assert "2 damaged lines" in ledger.damage


def test_a_session_is_capped_by_its_id_whatever_process_it_is_in(
    ledger: Ledger, clock: Clock
) -> None:
    reserve(ledger.book("s1"), hold(1, 700))
    elsewhere = Ledger(ledger.path, clock=clock).book("s1", "/other")
    with elsewhere.locked() as spent:
        assert spent.session == 700
    with Ledger(ledger.path, clock=clock).book("s2").locked() as spent:
        assert (spent.session, spent.day) == (0, 700)


@pytest.mark.parametrize("damage", [Path.unlink, lambda path: path.write_bytes(b"")])
def test_a_ledger_that_is_gone_gives_an_open_session_no_second_cap(
    ledger: Ledger, damage: Callable[[Path], object]
) -> None:
    ledger.record(CLOUD)
    damage(ledger.path)
    ledger.record(replace(CLOUD, micro_dollars=20))
    assert ledger.spent(session="s1") == ledger.spent(today=True) == 520


def test_a_reset_that_an_earlier_aish_wrote_frees_nothing(ledger: Ledger, clock: Clock) -> None:
    ledger.record(CLOUD)
    with ledger.path.open("a") as file:
        file.write('{"ts":1778698890,"session":"s1","reset":true}\n')
    again = Ledger(ledger.path, clock=clock)
    assert again.spent(session="s1") == again.spent(today=True) == 500
    assert sum(use.calls for use in again.by("model").values()) == 1


def test_a_model_without_a_name_costs_what_it_costs(ledger: Ledger, clock: Clock) -> None:
    book, nameless = ledger.book("s1"), replace(hold(1, 70), model="")
    reserve(book, nameless)
    book.settle(nameless, Charge(Usage(20, 3), 60))
    again = Ledger(ledger.path, clock=clock)
    assert again.spent(session="s1") == again.spent(today=True) == 60
    assert again.by("model")[""].micro_dollars == 60


def test_what_is_held_is_shown_beside_what_was_spent(ledger: Ledger) -> None:
    ledger.record(CLOUD)
    reserve(ledger.book("s1", "/p"), hold(1, 70))
    (found,) = ledger.by("project").values()
    assert (found.micro_dollars, found.holds, found.held, found.most) == (500, 1, 70, 570)
    assert ledger.spent() == found.most
    assert [(held.model, held.micro_dollars) for held in ledger.held()] == [("deep", 70)]
    assert ledger.held(since="2999-01-01") == []


def test_what_is_assumed_is_told_apart(ledger: Ledger) -> None:
    reserve(book := ledger.book("s1"), hold(1, 70))
    book.settle(hold(1, 70), Charge(None, 70, "the answer broke off"))
    (found,) = ledger.by("model").values()
    assert (found.micro_dollars, found.assumed, found.holds) == (70, 70, 0)


@pytest.mark.parametrize("amount", [-400, 10**40])
@pytest.mark.parametrize("field", ["micro_dollars", "prompt", "completion", "cached"])
def test_less_than_nothing_and_more_than_there_is_are_neither_written_nor_counted(
    ledger: Ledger, field: str, amount: int
) -> None:
    changed: dict[str, Any] = {field: amount}
    with pytest.raises(StoreError, match=r"less than nothing|more than there is"):
        ledger.record(replace(CLOUD, **changed))
    ledger.record(CLOUD)
    record = json.loads(ledger.path.read_text())
    held = record | {"hold": "x", "micro_dollars": 70}
    with ledger.path.open("a") as file:
        file.write(json.dumps(record | {field: amount}) + "\n")
        file.write(json.dumps(held) + "\n")
        file.write(json.dumps(held | {"hold": "y", "micro_dollars": amount}) + "\n")
        file.write(json.dumps(record | {"settles": "x", field: amount}) + "\n")
    assert ledger.spent() == 570, "nor is what was set aside given back for it"
    assert "3 records of less than nothing or more than there is" in ledger.damage


@pytest.mark.parametrize("ts", [2**63 - 1, -(2**63), 10**14])
def test_a_moment_beyond_all_calendars_is_still_added_up(ledger: Ledger, ts: int) -> None:
    record = {"ts": ts, "model": "m", "session": "s", "micro_dollars": 5}
    held = {**record, "hold": "h"}
    ledger.path.write_text(f"{json.dumps(record)}\n{json.dumps(held)}\n")
    assert ledger.spent(session="s") == 10
    assert sum(used.most for used in ledger.by("day").values()) == 10
