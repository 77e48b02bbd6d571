"""Recent exchanges stay in the prompt while they fit, whatever else has to go."""

from __future__ import annotations

import pytest

from aish.core.context.rolling import build_final_prompt
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


@pytest.mark.parametrize(("keep", "kept"), [(0, 2), (2, 2), (3, 3), (4, 4)])
def test_a_request_made_to_fit_keeps_as_many(keep: int, kept: int) -> None:
    """Here the low mark alone would leave two."""
    config = ContextManagementConfig(
        1000, 0, preserve_recent_turns=keep, low_water=0.05, keep_rules=False
    )
    messages: list[dict[str, object]] = []
    for number in range(10):
        messages.append({"role": "user", "content": f"question {number} " + "word " * 150})
        messages.append({"role": "assistant", "content": f"answer {number}"})
    fitted = build_final_prompt(messages[:-1], config).messages
    asked = [str(message["content"])[:10] for message in fitted if message["role"] == "user"]
    assert asked == [f"question {number}" for number in range(10 - kept, 10)]


@pytest.mark.parametrize(("keep", "kept"), [(1, False), (2, True)])
def test_a_result_made_up_for_a_call_without_one_does_not_cost_a_recent_exchange(
    keep: int, kept: bool
) -> None:
    """Six messages are not too many; with the seventh, which is made up, a cut goes to three."""
    config = ContextManagementConfig(1000, 0, preserve_recent_turns=keep, max_turns=6)
    call = {"id": "1", "function": {"name": "read", "arguments": "{}"}}
    messages: list[dict[str, object]] = [
        {"role": "user", "content": "first"},
        {"role": "assistant", "content": "fine"},
        {"role": "user", "content": "second"},
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "assistant", "content": "done"},
        {"role": "user", "content": "third"},
    ]
    roles = [message["role"] for message in build_final_prompt(messages, config).messages]
    assert (roles == ["user", "assistant", "tool", "assistant", "user"]) is kept
