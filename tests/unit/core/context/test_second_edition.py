"""What the user laid down stays, reports are judged, and messages may be of any kind."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

import aish
from aish.core.context.usage_stats import reset_usage_stats
from aish.core.messages import Usage

RULES = (
    "Never touch /etc/passwd.",
    "Ab jetzt bitte nur noch Tabs verwenden.",
    "从现在开始只用 pytest。",
    "Use postgres instead of sqlite.",
    "N'utilise jamais sudo.",
)


@dataclass
class Said:
    role: str
    content: str


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_outlives_the_turn_it_was_said_in(rule: str) -> None:
    context = aish.Context(aish.ContextManagementConfig(2000, 200))
    for n in range(80):
        context.add_user(rule if n == 3 else f"question {n} " + "word " * 40)
        context.enforce_budget()
        messages = context.to_messages()
        context.add_assistant("word " * 40)
    assert rule in str(messages)
    context.unpin(rule)
    assert rule not in str(context.to_messages()[0])


@pytest.mark.parametrize("rule", RULES)
def test_the_library_repeats_a_rule_from_messages_it_leaves_out(rule: str) -> None:
    messages = [{"role": "user", "content": rule if n == 3 else f"question {n} " + "word " * 40}
                for n in range(80)]  # fmt: skip
    fitted = aish.build_final_prompt(messages, aish.ContextManagementConfig(2000, 200))
    assert fitted.was_trimmed and rule in str(fitted.messages)
    assert fitted.messages[-1]["content"].endswith(messages[-1]["content"])


def test_a_pin_is_in_every_prompt_until_it_is_taken_out() -> None:
    context = aish.Context(aish.ContextManagementConfig(2000, 200))
    context.pin("the port is 8080")
    context.add_user("hello")
    assert "the port is 8080" in context.to_messages()[0]["content"]
    assert context.unpin("the port is 8080") and not context.pins[1:]
    assert "8080" not in str(context.to_messages())


@pytest.mark.parametrize("tokens", [float("nan"), float("inf"), -3, 10**9])
def test_a_report_that_cannot_be_true_changes_nothing(tokens: float) -> None:
    context = aish.Context(aish.ContextManagementConfig(4000, 200))
    context.add_user("word " * 500)
    context.to_messages()
    before = context.estimate_tokens()
    context.observe(Usage(prompt_tokens=tokens))  # type: ignore[arg-type]
    assert context.estimate_tokens() == before
    assert context.enforce_budget() is None


def test_what_is_strange_about_usage_is_said_once() -> None:
    context = aish.Context(aish.ContextManagementConfig(8000, 200))
    warnings = []
    for reported in (10**9, 10**9, 3, 3, 10**9):
        context.add_user("word " * 800)
        context.to_messages()
        warnings.append(context.observe(Usage(prompt_tokens=reported)).warning)
        context.undo()
    assert [bool(warning) for warning in warnings] == [True, False, True, False, True]


def test_objects_come_back_as_objects_and_are_not_shared() -> None:
    given = [Said("user", "hello"), Said("assistant", "hi"), Said("user", "and now?")]
    fitted = aish.build_final_prompt(iter(given), aish.ContextManagementConfig(1000, 100))
    assert fitted.messages == given
    assert all(one is not two for one, two in zip(fitted.messages, given, strict=True))


def test_what_is_no_message_is_named_by_index_and_field() -> None:
    with pytest.raises(aish.MessageError) as caught:
        aish.build_final_prompt(
            [{"role": "user", "content": 7}], aish.ContextManagementConfig(1000, 100)
        )
    assert (caught.value.index, caught.value.field) == (0, "content")
    reset_usage_stats()
