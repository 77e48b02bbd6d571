"""What nobody sees is one table for all who look for it."""

import pytest

from aish.core.unseen import visible
from support.safety import verdict

UNSEEN = (
    "\u034f\u115f\u3164\ufe0f\u200d\u202e\U0001bca0\U0001bca3\U0001d173\U0001d17a\U000e0100\udc80"
)


def test_nothing_that_nobody_sees_is_left() -> None:
    assert ascii(visible("".join(f"{ch}a" for ch in UNSEEN))) == repr("a" * len(UNSEEN))
    assert visible("Grüße,\tmehr\n日本語 e\u0301 ✓") == "Grüße,\tmehr\n日本語 e\u0301 ✓"


@pytest.mark.parametrize("ch", UNSEEN[:-1])
def test_a_command_that_shows_less_than_it_does_is_told_as_such(ch: str) -> None:
    found = verdict(f"ls {ch}a")
    assert found.level == "destructive"
    assert f"U+{ord(ch):04X}" in found.reason
