"""`:pin`, `:pins` and `:unpin`: what was laid down, seen and changed by the user."""

from __future__ import annotations

from pathlib import Path

import pytest

from aish.core.errors import UsageError
from support.sitting import Sitting

RULE = "Never touch /srv/archive."
PIN = "the port is 8443"


def test_pins_are_listed_with_numbers_and_statements_are_counted(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path)
    assert "nothing is pinned" in sitting.type(":pins")
    for line in ("?Tidy up the disk.", f"?{RULE}", "?The sheep graze quietly.", f":pin {PIN}"):
        sitting.type(line)
    shown = sitting.type(":pins")
    assert "  1  task       Tidy up the disk." in shown
    assert f"  2  rule       {RULE}" in shown
    assert f"  3  pin        {PIN}" in shown
    assert "sheep" not in shown and "1 other thing you said is kept" in shown
    assert "  4  said       The sheep graze quietly." in sitting.type(":pins all")
    sitting.type(":unpin 4")
    assert "sheep" not in sitting.type(":pins all")
    with pytest.raises(UsageError, match="is not `all`"):
        sitting.type(":pins some")


def test_a_long_pin_is_cut_at_the_edge_of_the_screen(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path)
    sitting.type(":pin " + "绝不要碰归档目录" * 40)
    (row,) = (line for line in sitting.type(":pins").splitlines() if "绝不" in line)
    assert row.endswith("…")
    assert sum(2 if letter > "\u2e80" else 1 for letter in row) <= 80


def test_what_is_pinned_is_in_every_request_until_it_is_taken_out(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path)
    sitting.type(f":pin {PIN}")
    sitting.type("?hello")
    assert PIN in sitting.system()
    for wrong in ("7", "", "0", "-1", "x"):
        with pytest.raises(UsageError, match="there is no pin"):
            sitting.type(f":unpin {wrong}")
    sitting.type(":unpin 2")
    sitting.type("?hello again")
    assert PIN not in sitting.system()
