"""Tool calls: made, told to the model, and asked again until it answers without one."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from aish.core.context.settings import ContextManagementConfig
from aish.core.context.window import Context
from aish.core.errors import AishError, Garbled
from aish.core.events import (
    BrokeOff,
    Called,
    Event,
    Permitted,
    Replied,
    Returned,
    Stopped,
    Warned,
)
from aish.core.messages import (
    Delta,
    ExecResult,
    Message,
    ModelSpec,
    Request,
    ToolCall,
    ToolCallPiece,
)
from aish.core.tools import Fitting, Permit, ToolResult
from aish.engine.ports import Decision
from aish.engine.turn import run_turn

Script = list[Delta] | BaseException
CLOCK = {"type": "function", "function": {"name": "clock", "parameters": {}}}


class Caller:
    """Answers request after request from its scripts; the last one repeats."""

    small = False  # a built-in model, that is asked for commands in its own way

    def __init__(self, *scripts: Script) -> None:
        self.scripts = list(scripts)
        self.requests: list[Request] = []

    def spec(self) -> ModelSpec:
        spec = ModelSpec("fake", "http://fake", "fake-1", window=4096, reserve=256)
        return replace(spec, calls_by_grammar=self.small)

    def count(self, messages: list[Message]) -> int | None:
        return None

    def stream(self, request: Request) -> Generator[Delta, None, None]:
        self.requests.append(request)
        script = self.scripts.pop(0) if len(self.scripts) > 1 else self.scripts[0]
        if isinstance(script, BaseException):
            raise script
        yield from script

    def fall_back(self, error: AishError) -> str:
        return ""


class Clock:
    """A tool that tells the time, or fails."""

    def __init__(
        self, error: BaseException | None = None, refusal: ToolResult | None = None
    ) -> None:
        self.error = error
        self.refusal = refusal
        self.calls: list[ToolCall] = []

    def begin(self) -> None:
        pass

    def schemas(self, room: int, count: Callable[[str], int]) -> Sequence[Mapping[str, Any]]:
        return [CLOCK]

    deepest = 8

    def fitting(self, words: str) -> Fitting:
        return Fitting((CLOCK,), "clock" in words)

    def permit(self, call: ToolCall) -> Permit:
        return Permit(self.refusal)

    def make(self, calls: Sequence[ToolCall]) -> list[ToolResult]:
        self.calls += calls
        if self.error:
            raise self.error
        return [ToolResult(f"12:0{number}") for number, _ in enumerate(calls)]


class NoTools:
    def begin(self) -> None:
        pass

    def schemas(self, room: int, count: Callable[[str], int]) -> Sequence[Mapping[str, Any]]:
        return []

    deepest = 8

    def fitting(self, words: str) -> Fitting:
        return Fitting((CLOCK,), "clock" in words)

    def permit(self, call: ToolCall) -> Permit:
        raise AssertionError(call)

    def make(self, calls: Sequence[ToolCall]) -> list[ToolResult]:
        raise AssertionError(calls)


class Nobody:
    def approve(self, proposal: object) -> Decision:
        return Decision("skip")

    def run(self, command: str) -> ExecResult:
        raise AssertionError(command)


def calling(*arguments: str, text: str = "") -> list[Delta]:
    """An answer that calls the clock, its call in pieces as servers send it."""
    pieces = [Delta(text=text, tool_calls=(ToolCallPiece(0, "c1", "clock"),))]
    pieces += [Delta(tool_calls=(ToolCallPiece(0, arguments=part),)) for part in arguments]
    return [*pieces, Delta(finish="tool_calls")]


def said(text: str) -> list[Delta]:
    return [Delta(text), Delta(finish="stop")]


def run(model: Caller, tools: Clock | NoTools) -> tuple[list[Event], Context]:
    context = Context(ContextManagementConfig(4096, digest=False))
    nobody = Nobody()
    return list(run_turn("what time is it?", context, model, nobody, nobody, tools=tools)), context


def test_a_call_is_made_with_the_arguments_as_they_were_streamed() -> None:
    tools, model = Clock(), Caller(calling('{"zone"', ': "UTC"}'), said("Noon."))
    events, context = run(model, tools)
    assert tools.calls == [ToolCall("c1", "clock", '{"zone": "UTC"}')]
    assert [type(event) for event in events if not isinstance(event, Replied)][1:4] == [
        Called,
        Permitted,
        Returned,
    ]
    assert [turn.role for turn in context.turns] == ["user", "assistant", "tool", "assistant"]
    assert model.requests[1].messages[-1]["content"] == "12:00"
    assert model.requests[0].tools == (CLOCK,)


def test_without_tools_the_field_is_empty() -> None:
    model = Caller(said("Noon."))
    run(model, NoTools())
    assert model.requests[0].tools == ()


def test_what_a_tool_refuses_with_is_told_to_the_model() -> None:
    model = Caller(calling("{}"), said("It is broken."))
    refusal = ToolResult("the clock stands still", is_error=True)
    events, context = run(model, Clock(refusal=refusal))
    assert not any(isinstance(event, Permitted) for event in events)
    returned = next(event for event in events if isinstance(event, Returned))
    assert returned.turn.is_error
    assert context.turns[2].content == "the clock stands still"


def test_a_model_that_only_calls_is_asked_to_answer_without() -> None:
    model, tools = Caller(calling("{}")), Clock()
    events, _ = run(model, tools)
    assert len(tools.calls) == tools.deepest
    assert len(model.requests) == tools.deepest + 1
    assert model.requests[-1].tools == ()
    assert any(isinstance(event, Warned) for event in events)


def test_what_was_called_stays_when_the_model_fails_after_it() -> None:
    events, context = run(Caller(calling("{}"), Garbled("cut")), Clock())
    assert isinstance(events[-1], BrokeOff)
    assert [turn.role for turn in context.turns] == ["user", "assistant", "tool"]


def test_stopping_a_tool_keeps_the_question_and_leaves_no_call_open() -> None:
    events, context = run(Caller(calling("{}")), Clock(KeyboardInterrupt()))
    assert events[-1] == Stopped(kept=True)
    context.add_user("and now?")
    assert [turn.role for turn in context.turns] == [
        *("user", "assistant", "tool", "assistant", "user")
    ]


def test_calls_of_one_answer_are_made_together_and_answered_in_order() -> None:
    both = [
        Delta(tool_calls=(ToolCallPiece(0, "c1", "clock", "{}"),)),
        Delta(tool_calls=(ToolCallPiece(1, "c2", "clock", '{"zone": "UTC"}'),)),
        Delta(finish="tool_calls"),
    ]
    tools, model = Clock(), Caller(both, said("Noon."))
    events, context = run(model, tools)
    assert [call.id for call in tools.calls] == ["c1", "c2"]
    assert [turn.content for turn in context.turns[2:4]] == ["12:00", "12:01"]
    names = [type(event).__name__ for event in events]
    assert names.index("Returned") > max(at for at, name in enumerate(names) if name == "Permitted")


class Small(Caller):
    small = True


def test_a_small_model_calls_within_a_grammar_and_then_answers_in_words() -> None:
    model = Small(said('{"name": "clock", "arguments": {"zone": "UTC"}}'), said("Noon."))
    tools, nobody = Clock(), Nobody()
    context = Context(ContextManagementConfig(4096, digest=False))
    list(run_turn("ask the clock", context, model, nobody, nobody, tools=tools))
    first, second = model.requests
    schema = first.spec.options["response_format"]["json_schema"]["schema"]
    assert [choice["properties"]["name"]["const"] for choice in schema["anyOf"]] == ["clock"]
    assert "response_format" not in second.spec.options
    assert (first.tools, second.tools) == ((), ())
    assert tools.calls == [ToolCall("call_1", "clock", '{"zone": "UTC"}')]
    assert [turn.role for turn in context.turns] == ["user", "assistant", "tool", "assistant"]


@pytest.mark.parametrize("text", ['{"name": "none", "arguments": {}}', '{"name": "clo', "[]"])
def test_a_small_model_that_chooses_none_answers_as_ever(text: str) -> None:
    model, tools = Small(said(text), said("Noon.")), Clock()
    events, _ = run(model, tools)
    assert tools.calls == []
    assert any(isinstance(event, Replied) and event.reply.text == "Noon." for event in events)
