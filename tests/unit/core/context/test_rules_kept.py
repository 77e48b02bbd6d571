"""Rules said in passing outlive their turns: sets of a hundred conversations."""

from __future__ import annotations

import pytest

from aish.core.context.pins import pins_in
from aish.core.context.rolling import build_final_prompt
from aish.core.context.settings import ContextManagementConfig
from support.rules import SETS, Messages, chatter, lost

MOST_LOST = 2  # of a hundred


@pytest.mark.parametrize("which", SETS)
def test_rules_placed_anywhere_are_in_what_is_sent(which: str) -> None:
    config = ContextManagementConfig(4096, 512)

    def fit(messages: Messages) -> Messages:
        found = build_final_prompt(messages, config)
        assert found.was_trimmed
        return found.messages

    gone = lost(fit, which=which)
    assert len(gone) <= MOST_LOST, gone


def test_small_talk_is_seldom_taken_for_a_rule() -> None:
    taken = [pins_in(said, 5, first=False) for said in chatter()]
    rules = [pins for pins in taken if any(pin.kind != "said" for pin in pins)]
    near = [pins for pins in taken if any(pin.rank >= 2 for pin in pins)]
    assert len(taken) == 300
    assert len(rules) <= 15, rules
    assert len(near) <= 45, near
