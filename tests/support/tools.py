"""Tools of a session: what they keep, kept in memory, and one that is played."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from aish.core.messages import ToolCall
from aish.core.tools import Fitting, Permit, Tool, ToolResult


class MemoryDefinitions:
    """Accepted definitions that end with the process."""

    def __init__(self) -> None:
        self._known: dict[str, Tool] = {}

    def standing(self, tool: Tool) -> Literal["new", "same", "changed"]:
        known = self._known.get(tool.full_name)
        if known is None:
            return "new"
        return "same" if known.fingerprint == tool.fingerprint else "changed"

    def accepted(self, tool: Tool) -> str:
        known = self._known.get(tool.full_name)
        return known.definition if known is not None else ""

    def accept(self, tool: Tool) -> None:
        self._known[tool.full_name] = tool


class MemoryLogins:
    """Logins that end with the process."""

    def __init__(self) -> None:
        self._kept: dict[str, dict[str, Any]] = {}

    def load(self, server: str) -> dict[str, Any]:
        return self._kept.get(server, {})

    def save(self, server: str, kept: Mapping[str, Any]) -> None:
        self._kept[server] = dict(kept)


class OneTool:
    """A tool that notes its calls, and refuses or fails where it is told to."""

    def __init__(self, refusal: str = "", *, fails: bool = False) -> None:
        self.calls: list[ToolCall] = []
        self.begun = 0
        self._refusal = refusal
        self._fails = fails

    def begin(self) -> None:
        self.begun += 1

    def schemas(self, room: int, count: Callable[[str], int]) -> Sequence[Mapping[str, Any]]:
        return [{"type": "function", "function": {"name": "a__b", "parameters": {}}}]

    deepest = 8

    def fitting(self, words: str) -> Fitting:
        return Fitting()

    def permit(self, call: ToolCall) -> Permit:
        return Permit(ToolResult(self._refusal, is_error=True) if self._refusal else None)

    def make(self, calls: Sequence[ToolCall]) -> Sequence[ToolResult]:
        self.calls += calls
        return [ToolResult("seven", self._fails) for _ in calls]
