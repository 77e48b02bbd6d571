"""Rules said in passing outlive their turns: a hundred conversations, in 27 languages."""

from __future__ import annotations

from aish.core.context.rolling import build_final_prompt
from aish.core.context.settings import ContextManagementConfig
from support.rules import Messages, lost

MOST_LOST = 2  # of a hundred


def test_rules_placed_anywhere_are_in_what_is_sent() -> None:
    config = ContextManagementConfig(4096, 512)

    def fit(messages: Messages) -> Messages:
        found = build_final_prompt(messages, config)
        assert found.was_trimmed
        return found.messages

    gone = lost(fit)
    assert len(gone) <= MOST_LOST, gone
