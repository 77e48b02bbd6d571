"""What the engine may rely on of tools: those of servers, those of a plan, and the fake."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from aish.core.messages import ToolCall
from aish.core.tools import Tool, ToolResult
from aish.engine.ports import Tools
from aish.session.approval import PlannedTools
from aish.tools.toolbox import Toolbox, ToolRequest
from support.tools import MemoryDefinitions, OneTool


class Numbered:
    """A server whose tool says which call it was."""

    def tools(self) -> Sequence[Tool]:
        return (Tool("a", "b", "Says its number.", {"type": "object"}),)

    def call_all(
        self, calls: Sequence[tuple[Tool, dict[str, Any]]], progress: Callable[[str], None]
    ) -> list[ToolResult]:
        return [ToolResult(str(arguments["number"])) for _, arguments in calls]


class Yes:
    """Allows every call, or none."""

    def __init__(self, answer: bool = True) -> None:
        self._answer = answer

    def allows(self, request: ToolRequest) -> bool:
        del request
        return self._answer


def toolbox(answer: bool = True) -> Toolbox:
    return Toolbox(Numbered(), MemoryDefinitions(), Yes(answer))


ALLOWING: dict[str, Callable[[], Tools]] = {"toolbox": toolbox, "fake": OneTool}
REFUSING: dict[str, Callable[[], Tools]] = {
    "toolbox": lambda: toolbox(answer=False),
    "plan": lambda: PlannedTools(toolbox()),
    "fake": lambda: OneTool("not now"),
}
ALL = {**ALLOWING, **{f"{name}, refusing": make for name, make in REFUSING.items()}}
CALLS = [ToolCall(str(number), "a__b", f'{{"number": {number}}}') for number in (1, 2, 3)]


@pytest.mark.parametrize("name", ALL)
def test_what_is_offered_has_the_name_it_is_called_by(name: str) -> None:
    tools = ALL[name]()
    tools.begin()
    assert [schema["function"]["name"] for schema in tools.schemas(10_000, len)] == ["a__b"]
    assert tools.deepest > 0


@pytest.mark.parametrize("name", ALLOWING)
def test_permitted_calls_have_a_result_each_in_their_order(name: str) -> None:
    tools = ALLOWING[name]()
    assert all(tools.permit(call).refusal is None for call in CALLS)
    results = tools.make(CALLS)
    assert len(results) == len(CALLS)
    assert not any(result.is_error for result in results)
    if name == "toolbox":
        assert [result.text for result in results] == ["1", "2", "3"]


@pytest.mark.parametrize("name", REFUSING)
def test_a_refusal_is_told_to_the_model_as_an_error(name: str) -> None:
    refusal = REFUSING[name]().permit(CALLS[0]).refusal
    assert refusal is not None
    assert refusal.is_error
    assert refusal.text
