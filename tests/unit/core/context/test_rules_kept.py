"""Rules said in passing outlive their turns: sets of a hundred conversations."""

from __future__ import annotations

import pytest

from aish.core.context.rolling import build_final_prompt
from aish.core.context.settings import ContextManagementConfig
from support.rules import SETS, Messages, lost

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
