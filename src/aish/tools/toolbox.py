"""What a model may call: the tools of the connected servers, each call with the user's word."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from aish.core.errors import ToolError
from aish.core.messages import ToolCall
from aish.core.safety.verdict import HARMLESS, Verdict
from aish.core.tool_choice import SEARCH, matching, search_tool, told
from aish.core.tools import Tool, ToolResult, arguments_of, as_function, model_names

SHARE = 0.1  # of the window: schemas that take more are looked for instead of listed
REPEATS = 3  # identical calls in a row before the model is told to stop
Standing = Literal["new", "same", "changed"]


class Definitions(Protocol):
    """Which definitions of tools the user has accepted."""

    def standing(self, tool: Tool) -> Standing: ...

    def accepted(self, tool: Tool) -> str:
        """The definition that was accepted; "" for a new tool."""
        ...

    def accept(self, tool: Tool) -> None:
        """Raises: StoreError."""
        ...


@dataclass(frozen=True, slots=True)
class ToolRequest:
    """One call as the user is asked about it."""

    tool: Tool
    arguments: Mapping[str, Any]
    standing: Standing
    before: str = ""  # the definition that was accepted, where it changed
    verdict: Verdict = HARMLESS  # what the call was read as


class CallApprover(Protocol):
    """Asks the user about a call."""

    def allows(self, request: ToolRequest) -> bool: ...


class Caller(Protocol):
    """Knows the tools and makes the calls."""

    def tools(self) -> Sequence[Tool]: ...

    def call(
        self, tool: Tool, arguments: dict[str, Any], progress: Callable[[str], None]
    ) -> ToolResult:
        """Raises: ToolError."""
        ...


class Toolbox:
    """The tools of a session; nothing is called that was not approved."""

    def __init__(
        self,
        caller: Caller,
        definitions: Definitions,
        approver: CallApprover,
        *,
        auto_approve: Collection[str] = (),
        read: Callable[[Tool, Mapping[str, Any]], Verdict] = lambda *_: HARMLESS,
        progress: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._caller = caller
        self._definitions = definitions
        self._approver = approver
        self._auto = set(auto_approve)
        self._read = read
        self._progress = progress
        self._disabled: set[str] = set()
        self._found: list[str] = []  # by search, where not all are shown
        self._last: tuple[str, str] = ("", "")
        self._repeated = 0

    def named(self) -> dict[str, Tool]:
        """Every tool that is switched on, by the name a model knows it by."""
        every = model_names(self._caller.tools())
        return {name: tool for name, tool in every.items() if name not in self._disabled}

    def switch(self, name: str, *, on: bool) -> None:
        """Offer a tool or not, for this session.

        Raises: ToolError for an unknown one.
        """
        if name not in model_names(self._caller.tools()):
            raise ToolError(f"there is no tool {name}", "`:mcp tools` lists them")
        (self._disabled.discard if on else self._disabled.add)(name)

    def approve(self, name: str) -> Tool:
        """Accept a tool's definition as it is now.

        Raises: ToolError for an unknown one; StoreError.
        """
        tool = self.named().get(name)
        if tool is None:
            raise ToolError(f"there is no tool {name}", "`:mcp tools` lists them")
        self._definitions.accept(tool)
        return tool

    def standing(self, tool: Tool) -> str:
        """Whether its definition is new, the accepted one, or changed since."""
        return self._definitions.standing(tool)

    def accepted(self, tool: Tool) -> str:
        """The definition that was accepted; "" for a new tool."""
        return self._definitions.accepted(tool)

    def approve_calls(self, name: str) -> None:
        """Ask no more about a server's or a tool's calls, in this session."""
        self._auto.add(name)

    def is_off(self, name: str) -> bool:
        return name in self._disabled

    def schemas(self, room: int, count: Callable[[str], int]) -> list[dict[str, Any]]:
        """The definitions for the next request: all, or a search where they take too much."""
        tools = self.named()
        listed = [as_function(name, tool) for name, tool in tools.items()]
        if not listed or count(json.dumps(listed, default=str)) <= SHARE * room:
            return listed
        found = [as_function(name, tools[name]) for name in self._found if name in tools]
        return [search_tool(tools.values()), *found]

    def call(self, call: ToolCall) -> ToolResult:
        """Make a call the model asked for, if it is approved.

        What is wrong with the call itself is told to the model, never guessed.
        """
        arguments = arguments_of(call.arguments)
        if isinstance(arguments, str):
            return ToolResult(f"{arguments}. Call it again with a JSON object.", is_error=True)
        if call.name == SEARCH:
            return self._search(str(arguments.get("words", "")))
        tool = self.named().get(call.name)
        if tool is None:
            return ToolResult(f"there is no tool {call.name}", is_error=True)
        if self._is_repeated(call):
            return ToolResult(
                "this call was made several times with the same arguments; use its result",
                is_error=True,
            )
        if not self._allowed(tool, arguments):
            return ToolResult("the user declined this call", is_error=True)
        return self._caller.call(tool, arguments, self._progress)

    def _search(self, words: str) -> ToolResult:
        tools = self.named()
        found = matching(words, tools)
        self._found = [*found, *(name for name in self._found if name not in found)][:16]
        return ToolResult(told(found, tools))

    def _is_repeated(self, call: ToolCall) -> bool:
        now = (call.name, call.arguments)
        self._repeated = self._repeated + 1 if now == self._last else 0
        self._last = now
        return self._repeated >= REPEATS

    def _allowed(self, tool: Tool, arguments: dict[str, Any]) -> bool:
        """Changed definitions and destructive calls always ask; others unless they are named."""
        standing = self._definitions.standing(tool)
        verdict = self._read(tool, arguments)
        named = not {tool.server, tool.full_name}.isdisjoint(self._auto)
        if not named or standing == "changed" or verdict.level == "destructive":
            before = self._definitions.accepted(tool) if standing == "changed" else ""
            request = ToolRequest(tool, arguments, standing, before, verdict)
            if not self._approver.allows(request):
                return False
        if standing != "same":
            self._definitions.accept(tool)
        return True
