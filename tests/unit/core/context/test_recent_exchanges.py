"""Recent exchanges stay in the prompt while they fit, whatever else has to go."""

from __future__ import annotations

import pytest

from aish.core.context.settings import ContextManagementConfig
from aish.core.context.window import Context


@pytest.mark.parametrize("keep", [1, 2, 3])
def test_as_many_recent_exchanges_stay_as_were_asked_for(keep: int) -> None:
    """A cut goes down to the low mark, which alone would take all but the newest."""
    config = ContextManagementConfig(1000, 0, preserve_recent_turns=keep, low_water=0.05)
    context = Context(config)
    for number in range(12):
        context.add_user(f"question {number} " + "word " * 150)
        context.add_assistant(f"answer {number}")
    assert context.enforce_budget() is not None
    said = " ".join(str(message["content"]) for message in context.to_messages()[-2 * keep :])
    for number in range(12 - keep, 12):
        assert f"question {number} " in said
        assert f"answer {number}" in said
    assert f"question {11 - keep} word" not in said
