"""What a stranger gives the library by mistake, or in the form their SDK has it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import pytest
from pydantic import BaseModel

import aish

CONFIG = aish.ContextManagementConfig(1500, 200)
HELLO = [{"role": "user", "content": "hello"}]
NUMBERS = ("max_context_tokens", "reserved_output_tokens", "max_age", "token_budget", "max_turns")


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize("value", ["8k", "8192", 8192.0, float("nan"), True, [8192]])
def test_a_limit_that_is_no_whole_number_is_refused_by_name(name: str, value: Any) -> None:
    given: dict[str, Any] = {"max_context_tokens": 8192, name: value}
    with pytest.raises(aish.ConfigError, match=name) as caught:
        aish.ContextManagementConfig(**given)
    assert caught.value.key == name and "whole number" in str(caught.value)


def test_only_a_limit_that_may_be_left_out_may_be_none() -> None:
    nothing: Any = None
    with pytest.raises(aish.ConfigError):
        aish.ContextManagementConfig(nothing)
    settings = aish.ContextManagementConfig(8192, token_budget=None, max_turns=None)
    assert settings.max_input_tokens == 7168


class Count:
    """A number of a numeric library."""

    def __index__(self) -> int:
        return 8192


def test_whole_numbers_of_other_libraries_are_numbers() -> None:
    count: Any = Count()
    assert aish.ContextManagementConfig(8192, small_output_tokens=count).small_output_tokens


@dataclass
class Counter:
    """A tokenizer that forgot its name."""

    def count(self, text: str) -> int:
        return len(text)


WRONG: dict[str, tuple[Callable[[Any], object], Any]] = {
    "model": (lambda model: aish.build_final_prompt(HELLO, CONFIG, model), 5),
    "config": (lambda config: aish.build_final_prompt(HELLO, config), 8192),
    "config of a budget": (lambda config: aish.check_budget(HELLO, config), {"max": 5}),
    "config of a context": (aish.Context, None),
    "tokenizer": (lambda given: aish.Context(CONFIG, given), "gpt-4o"),
    "tokenizer without a name": (lambda given: aish.Context(CONFIG, given), Counter()),
    "tokenizer, registered": (lambda given: aish.register_tokenizer("mine", given), len),
    "family": (lambda family: aish.register_tokenizer(family, aish.get_tokenizer()), " "),
    "model as a family": (lambda given: aish.register_tokenizer(given, aish.get_tokenizer()), 7),
    "tools": (lambda tools: aish.build_final_prompt(HELLO, CONFIG, tools=tools), "ls"),
    "tools, one of them": (lambda tools: aish.estimate_tokens(HELLO, tools=tools), {"type": "x"}),
    "tools, a number": (lambda tools: aish.check_budget(HELLO, CONFIG, tools=tools), 5),
    "block": (lambda name: aish.Context(CONFIG).set_block(name, "text"), "sytem"),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_setting_is_one_error_that_names_it(case: str) -> None:
    call, value = WRONG[case]
    with pytest.raises(aish.ConfigError, match=case.split(" ", maxsplit=1)[0].strip(",")):
        call(value)


def _not_none(given: Any) -> Any:
    return 5 if given is None else given


SAID: dict[str, Callable[[aish.Context, Any], object]] = {
    "content": lambda context, given: context.add_user(given),
    "content of an answer": lambda context, given: context.add_assistant(_not_none(given)),
    "content of an output": lambda context, given: context.add_exec_output(given),
    "pin": lambda context, given: context.pin(given),
    "base": lambda context, given: context.set_block("base", given),
}


@pytest.mark.parametrize("given", [None, 5, b"x", ["x"]])
@pytest.mark.parametrize("case", SAID)
def test_words_that_are_none_are_a_message_error(case: str, given: Any) -> None:
    context = aish.Context(CONFIG)
    context.add_user("hello")
    context.add_assistant("hello")
    with pytest.raises(aish.MessageError) as caught:
        SAID[case](context, given)
    assert (caught.value.index, caught.value.field) == (2, case.split(" ", maxsplit=1)[0])
    assert len(context.turns) == 2


def test_a_result_without_its_call_is_a_message_error() -> None:
    context = aish.Context(CONFIG)
    context.add_user("hello")
    with pytest.raises(aish.MessageError, match="nobody") as caught:
        context.add_tool_result("nobody", "x")
    assert caught.value.field == "tool_call_id"


class Function(BaseModel):
    name: str
    arguments: str


class Call(BaseModel):
    id: str
    type: str = "function"
    function: Function


class Part(BaseModel):
    type: str = "text"
    text: str


@dataclass
class Answer:
    role: str
    content: str | None
    tool_calls: list[Call]


def answered() -> list[Any]:
    """As programs write it: their own dict around the calls of an SDK's answer."""
    call = Call(id="c1", function=Function(name="ls", arguments='{"path": "/tmp"}'))
    return [
        {"role": "user", "content": [Part(text="What is in /tmp?")]},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": "a b c"},
    ]


def test_objects_inside_a_dict_are_read_counted_and_given_back() -> None:
    given = answered()
    as_dicts = [
        {"role": "user", "content": [given[0]["content"][0].model_dump()]},
        {**given[1], "tool_calls": [given[1]["tool_calls"][0].model_dump()]},
        given[2],
    ]
    result = aish.build_final_prompt(given, CONFIG)
    assert result.messages == given and result.token_count == aish.estimate_tokens(as_dicts)
    assert result.messages[1]["tool_calls"][0] is not given[1]["tool_calls"][0]


def test_objects_inside_a_dict_survive_a_cut_with_their_results() -> None:
    given = [one for _ in range(60) for one in (*answered(), {"role": "assistant", "content": "."})]
    result = aish.build_final_prompt([*given, *HELLO], CONFIG)
    assert result.was_trimmed and result.token_count <= CONFIG.max_input_tokens
    calls = sum(bool(message.get("tool_calls")) for message in result.messages)
    assert calls == sum(message["role"] == "tool" for message in result.messages) > 0


def test_objects_inside_an_object_are_read_too() -> None:
    call = Call(id="c1", function=Function(name="ls", arguments="{}"))
    given = [HELLO[0], Answer("assistant", None, [call]), answered()[2]]
    result = aish.build_final_prompt(given, CONFIG)
    assert [type(one) for one in result.messages] == [dict, Answer, dict]


@pytest.mark.parametrize("calls", [None, (), []])
def test_an_sdks_answer_goes_in_as_it_is(calls: Any) -> None:
    context = aish.Context(CONFIG)
    context.add_user("What is in /tmp?")
    context.add_assistant(None, answered()[1]["tool_calls"])
    context.add_tool_result("c1", "a b c")
    context.add_assistant("Three files.", calls)
    roles = [message["role"] for message in context.to_messages()]
    assert roles == ["user", "assistant", "tool", "assistant"]


@pytest.mark.parametrize("calls", [["ls"], [{"function": 5}], [5]])
def test_a_call_that_is_none_is_named(calls: Any) -> None:
    context = aish.Context(CONFIG)
    with pytest.raises(aish.MessageError) as caught:
        context.add_assistant("", calls)
    assert caught.value.field.startswith("tool_calls[0]")


@pytest.mark.parametrize(
    "usage", [{"prompt_tokens": 20}, SimpleNamespace(prompt_tokens=20), aish.Usage(20)]
)
def test_usage_is_taken_as_an_sdk_has_it(usage: Any) -> None:
    context = aish.Context(CONFIG)
    context.add_user("hello")
    context.to_messages()
    assert context.observe(usage).reported == 20
    assert context.breakdown().method == "reported"


def test_usage_that_was_not_reported_is_no_error() -> None:
    context = aish.Context(CONFIG)
    context.add_user("hello")
    context.to_messages()
    assert context.observe(None).reported is None


def once(items: list[Any]) -> Iterator[Any]:
    yield from items


def test_what_can_be_read_only_once_is_read_once() -> None:
    tools = [{"type": "function", "function": {"name": "ls", "description": "lists " * 50}}]
    wanted = aish.enforce_context_limit(HELLO, CONFIG, tools=tools)
    found = aish.enforce_context_limit(once(HELLO), CONFIG, tools=once(tools))
    assert found == wanted and found.final_tokens > 50
    context = aish.Context(CONFIG)
    context.load(once(HELLO))
    assert [turn.content for turn in context.turns] == ["hello"]


def test_nothing_to_send_is_no_error() -> None:
    assert aish.build_final_prompt([], CONFIG).messages == []
    assert not aish.build_final_prompt([], CONFIG).was_trimmed
    assert aish.enforce_context_limit([], CONFIG).messages == []
    assert aish.Context(CONFIG).to_messages() == []


@pytest.mark.parametrize("data", [12345, 1.5, [1, 2, 3], list(range(1000))])
def test_sound_given_as_numbers_is_counted_as_it_is_sent(data: Any) -> None:
    part = {"type": "input_audio", "input_audio": {"data": data, "format": "wav"}}
    tokens = aish.estimate_tokens([{"role": "user", "content": [part]}])
    assert len(str(data)) / 8 < tokens < 60 + 2 * len(str(data))


def test_a_reserve_that_takes_the_whole_window_is_said_to() -> None:
    with pytest.raises(aish.ContextOverflowError, match="1,024 reserved for the answer") as caught:
        aish.build_final_prompt(HELLO, aish.ContextManagementConfig(1000))
    assert "smaller reserve" in caught.value.hint
