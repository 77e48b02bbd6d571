from __future__ import annotations

import errno
import json
import time
from pathlib import Path

import pytest

from aish.core.errors import CapReached, StoreError, UsageError
from aish.store.ledger import Ledger, Use
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
        "2026-05-13": UseSum(2, 1, 107, 40, 13, 500),
        "2026-05-14": UseSum(1, 0, 100, 40, 10, 500),
    }
    assert ledger.by("model", since="2026-05-14") == {"deep": UseSum(1, 0, 100, 40, 10, 500)}
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


def test_a_cap_holds_between_two_processes_and_after_a_crash(ledger: Ledger, clock: Clock) -> None:
    other = Ledger(ledger.path, clock=clock)
    token = ledger.reserve(CLOUD, cap=600)
    held = other.reserve(CLOUD, cap=600)  # one request may go over
    with pytest.raises(CapReached, match=r"\$0\.00"):
        ledger.reserve(CLOUD, cap=600)
    other.release(held)
    assert ledger.spent() == 500
    ledger.record(CLOUD, settles=token)
    assert other.spent() == 500
    assert other.by("model")["deep"].calls == 1
    crashed = other.reserve(CLOUD, cap=600, session="s1")
    assert crashed
    assert Ledger(ledger.path, clock=clock).spent(today=True) == 1000


def test_a_reservation_on_a_full_disk_refuses_the_call(tmp_path: Path, clock: Clock) -> None:
    ledger = Ledger(tmp_path / "l.jsonl", clock=clock, disk=FaultyDisk("sync", errno.ENOSPC))
    with pytest.raises(StoreError):
        ledger.reserve(CLOUD, cap=10_000)
    assert ledger.spent() == 0


def test_kept_sums_give_what_the_ledger_gives(ledger: Ledger, clock: Clock) -> None:
    ledger = Ledger(ledger.path, clock=clock, checkpoint=0)
    ledger.record(CLOUD)
    token = ledger.reserve(CLOUD, cap=10_000)
    whole = ledger.by("day"), ledger.spent(), ledger.spent(session="s1")
    assert ledger.path.with_suffix(".sums").exists()
    fresh = Ledger(ledger.path, clock=clock)
    assert (fresh.by("day"), fresh.spent(), fresh.spent(session="s1")) == whole
    fresh.record(CLOUD, settles=token)
    assert Ledger(ledger.path, clock=clock).spent() == 1000


@pytest.mark.parametrize("damage", [b"", b"{}", b"[1", b'{"format":1}', b"\0\0"])
def test_damaged_sums_are_made_anew(ledger: Ledger, clock: Clock, damage: bytes) -> None:
    ledger = Ledger(ledger.path, clock=clock, checkpoint=0)
    ledger.record(CLOUD)
    assert ledger.spent() == 500
    ledger.path.with_suffix(".sums").write_bytes(damage)
    assert Ledger(ledger.path, clock=clock).spent() == 500


def test_another_ledger_under_the_same_name_is_added_up_anew(ledger: Ledger, clock: Clock) -> None:
    ledger = Ledger(ledger.path, clock=clock, checkpoint=0)
    for _ in range(3):
        ledger.record(CLOUD)
    assert ledger.spent() == 1500
    ledger.path.unlink()
    assert ledger.spent() == 0
    ledger.record(CLOUD)
    assert ledger.spent() == 500
    assert Ledger(ledger.path, clock=clock).spent() == 500


def test_damage_in_the_ledger_is_said_and_costs_only_itself(ledger: Ledger) -> None:
    ledger.record(CLOUD)
    with ledger.path.open("ab") as file:
        file.write(b'{"ts":1,"model":"torn\n{"ts":"soon","model":7}\n')
    ledger.record(CLOUD)
    assert ledger.spent() == 1000
    assert "2 damaged lines" in ledger.damage
