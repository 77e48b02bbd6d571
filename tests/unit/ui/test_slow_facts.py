"""What is slow to find is never waited for, and told when it comes."""

from __future__ import annotations

import threading

from aish.ui.slow_facts import SlowFact


def test_a_quick_value_is_there_at_once_and_a_slow_one_is_told_later() -> None:
    go, told = threading.Event(), threading.Event()
    values: list[str] = []

    def find(about: str) -> str:
        if about == "slow":
            go.wait(20)
        return about.upper()

    def tell(value: str) -> None:
        values.append(value)
        told.set()

    late = SlowFact(find, patience=0.2)
    late.tell = tell
    assert late("quick") == "QUICK"
    assert late("slow") == ""
    go.set()
    assert told.wait(20)
    assert values == ["SLOW"]
