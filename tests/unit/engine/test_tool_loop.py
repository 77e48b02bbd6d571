"""Tool calls: made, told to the model, and asked again until it answers without one."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any

from aish.core.context.settings import ContextManagementConfig
from aish.core.context.window import Context
from aish.core.errors import AishError, Garbled, ToolError
from aish.core.events import BrokeOff, Called, Event, Replied, Returned, Stopped, Warned
from aish.core.messages import (
    Delta,
    ExecResult,
    Message,
    ModelSpec,
    Request,
    ToolCall,
    ToolCallPiece,
)
from aish.core.tools import ToolResult
from aish.engine.ports import Decision
from aish.engine.tool_loop import DEEPEST
from aish.engine.turn import run_turn

Script = list[Delta] | BaseException
CLOCK = {"type": "function", "function": {"name": "clock", "parameters": {}}}


class Caller:
    """Answers request after request from its scripts; the last one repeats."""

    def __init__(self, *scripts: Script) -> None:
        self.scripts = list(scripts)
        self.requests: list[Request] = []

    def spec(self) -> ModelSpec:
        return ModelSpec("fake", "http://fake", "fake-1", window=4096, reserve=256)

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

    def __init__(self, error: BaseException | None = None) -> None:
        self.error = error
        self.calls: list[ToolCall] = []

    def schemas(self, room: int, count: Callable[[str], int]) -> Sequence[Mapping[str, Any]]:
        return [CLOCK]

    def call(self, call: ToolCall) -> ToolResult:
        self.calls.append(call)
        if self.error:
            raise self.error
        return ToolResult("12:00")


class NoTools:
    def schemas(self, room: int, count: Callable[[str], int]) -> Sequence[Mapping[str, Any]]:
        return []

    def call(self, call: ToolCall) -> ToolResult:
        raise AssertionError(call)


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
    assert [type(event) for event in events if not isinstance(event, Replied)][1:3] == [
        Called,
        Returned,
    ]
    assert [turn.role for turn in context.turns] == ["user", "assistant", "tool", "assistant"]
    assert model.requests[1].messages[-1]["content"] == "12:00"
    assert model.requests[0].tools == (CLOCK,)


def test_without_tools_the_field_is_empty() -> None:
    model = Caller(said("Noon."))
    run(model, NoTools())
    assert model.requests[0].tools == ()


def test_what_a_tool_fails_with_is_told_to_the_model() -> None:
    model = Caller(calling("{}"), said("It is broken."))
    events, context = run(model, Clock(ToolError("the clock stands still")))
    returned = next(event for event in events if isinstance(event, Returned))
    assert returned.turn.is_error
    assert context.turns[2].content == "the clock stands still"


def test_a_model_that_only_calls_is_asked_to_answer_without() -> None:
    model, tools = Caller(calling("{}")), Clock()
    events, _ = run(model, tools)
    assert len(tools.calls) == DEEPEST
    assert len(model.requests) == DEEPEST + 1
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
