"""Signs of life: one at a time."""

from __future__ import annotations

import io
import time

from aish.ui.screen import Screen
from aish.ui.spinner import Spinner, turning


def test_a_sign_within_a_sign_stands_alone_and_gives_way_again() -> None:
    out = io.StringIO()
    screen = Screen(out, out, colours=True, terminal=True)
    outer = Spinner(screen, "thinking")
    outer.start()
    turned: list[bool] = []
    with turning(screen, "waiting for the tools"):
        turned.append(outer.turns)
        until = time.monotonic() + 30
        while "waiting for the tools" not in out.getvalue() and time.monotonic() < until:
            time.sleep(0.02)
    turned.append(outer.turns)
    screen.interject("something else")  # stops the one that turns now
    turned.append(outer.turns)
    assert turned == [False, True, False]
    assert "waiting for the tools" in out.getvalue()
