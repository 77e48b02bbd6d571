"""What is kept of a long output has no half of a word at the cut."""

from __future__ import annotations

import pytest

from aish.shell.capture import Capture
from aish.shell.outcome import captured_text

TOKEN = "ghp_Zk3vQ9xWb7Lm2Np5Rt8Ys1Ud4Fg6Hj0KaBcD"


@pytest.mark.parametrize("into", [1, 20, len(TOKEN) - 1])
def test_one_long_line_is_cut_between_words(into: int) -> None:
    capture = Capture(2000)
    filler = "word " * 1000
    head = filler[: 1000 - into - 1] + f" {TOKEN} "
    tail = f" {TOKEN} " + filler[: 1000 - into - 1]
    capture.add(f"{head}{filler}{tail}".encode())
    text = captured_text("cat x", capture, (24, 0))
    assert "bytes cut ...]" in text
    assert not any(part in text for part in (TOKEN[:4], TOKEN[-4:], TOKEN[: into + 1]))
