"""What a model may call: the tools of the connected servers, each call with the user's word."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Literal, Protocol

from aish.core.errors import ToolError
from aish.core.located import At, Located
from aish.core.messages import ToolCall
from aish.core.safety.verdict import HARMLESS, Verdict
from aish.core.tool_choice import SEARCH, fitting, matching, search_tool, told
from aish.core.tools import (
    Fitting,
    Permit,
    Tool,
    ToolResult,
    arguments_of,
    as_function,
    model_names,
)
from aish.core.values import dataclass

SHARE = 0.1  # of the window: schemas that take more are looked for instead of listed
REPEATS = 3  # times a call may give the same before the model is told to stop
DEEPEST = 8  # answers in a row that call tools
REPEATED = "this call was made several times and always gave the same; use its result"
DECLINED = "the user declined this call"
ToolsStanding = Literal["new", "same", "changed"]
ToolProgress = Callable[[str], None]


class Definitions(Protocol):
    """Which definitions of tools the user has accepted."""

    def standing(self, tool: Tool) -> ToolsStanding: ...

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
    standing: ToolsStanding
    before: str = ""  # the definition that was accepted, where it changed
    verdict: Verdict = HARMLESS  # what the call was read as


class CallApprover(Protocol):
    """Asks the user about a call."""

    def allows(self, request: ToolRequest) -> bool:
        """True for a clear yes.

        Raises: KeyboardInterrupt, for a no that ends the question which the call belongs to.
        """
        ...


class Caller(Protocol):
    """Knows the tools and makes the calls."""

    def tools(self) -> Sequence[Tool]: ...

    def call_all(
        self, calls: Sequence[tuple[Tool, dict[str, Any]]], progress: ToolProgress
    ) -> Sequence[ToolResult]:
        """Make calls at the same time; a failure is a result too."""
        ...


class CallJudge(Protocol):
    """Reads a call before it is asked about."""

    def judge_call(self, tool: Tool, arguments: Mapping[str, Any], cwd: str) -> Verdict: ...


class WaitingSign(Protocol):
    """What the user sees while something is waited for."""

    def turning(self, words: str) -> AbstractContextManager[ToolProgress]:
        """Shown inside the block; what is told of the progress follows the words."""
        ...


class Unread:
    """Knows nothing against any call."""

    def judge_call(self, tool: Tool, arguments: Mapping[str, Any], cwd: str) -> Verdict:
        del tool, arguments, cwd
        return HARMLESS


class NoSign:
    """Where nobody looks."""

    @contextmanager
    def turning(self, words: str) -> Iterator[ToolProgress]:
        del words
        yield lambda _: None


class Toolbox:
    """The tools of a session; nothing is called that was not approved."""

    def __init__(
        self,
        caller: Caller,
        definitions: Definitions,
        approver: CallApprover,
        *,
        auto_approve: Collection[str] = (),
        deepest: int = DEEPEST,
        judge: CallJudge | None = None,
        place: Located | None = None,
        sign: WaitingSign | None = None,
    ) -> None:
        """`judge` reads the calls, as seen from `place`."""
        self._caller = caller
        self._definitions = definitions
        self._approver = approver
        self._auto = frozenset(auto_approve)
        self._judge = judge or Unread()
        self._place = place or At("/")
        self._sign = sign or NoSign()
        self._disabled: set[str] = set()
        self._found: list[str] = []  # by search, where not all are shown
        self._given: dict[str, tuple[ToolResult, int]] = {}  # by call, and how often in a row
        self.deepest = deepest

    def begin(self) -> None:
        """A new question or run: what was called for the last one may be called again."""
        self._given = {}

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

    def fitting(self, words: str) -> Fitting:
        """The few definitions that a small model needs for a request."""
        tools = self.named()
        names, named = fitting(words, tools)
        return Fitting(tuple(as_function(name, tools[name]) for name in names), named)

    def permit(self, call: ToolCall) -> Permit:
        """Whether a call the model asked for may be made.

        What is wrong with the call itself is told to the model, never guessed.
        """
        arguments = arguments_of(call.arguments)
        if isinstance(arguments, str):
            return _refused(f"{arguments}. Call it again with a JSON object.")
        if call.name == SEARCH:
            return Permit()
        tool = self.named().get(call.name)
        if tool is None:
            return _refused(f"there is no tool {call.name}")
        if self._given.get(_key(call), (None, 0))[1] >= REPEATS:
            return _refused(REPEATED)
        verdict = self._judge.judge_call(tool, arguments, self._place.cwd)
        if verdict.denied:
            return _refused(f"a rule of the user forbids this call: {verdict.reason}")
        allowed = self._allowed(tool, arguments, verdict)
        return Permit(verdict=verdict.level) if allowed else _refused(DECLINED)

    def make(self, calls: Sequence[ToolCall]) -> list[ToolResult]:
        """Make permitted calls, all at the same time."""
        tools, results = self.named(), [self._at_once(call) for call in calls]
        waiting = [call for call, known in zip(calls, results, strict=True) if known is None]
        wanted = [(tools[call.name], _arguments(call)) for call in waiting]
        if wanted:
            names = ", ".join(call.name for call in waiting)
            with self._sign.turning(f"calling {names}") as progress:
                made = iter(self._caller.call_all(wanted, progress))
            results = [known or next(made) for known in results]
        given = [result or ToolResult("") for result in results]
        for call, result in zip(calls, given, strict=True):
            self._note(call, result)
        return given

    def _at_once(self, call: ToolCall) -> ToolResult | None:
        """The result of what needs no server."""
        if call.name == SEARCH:
            return self._search(str(_arguments(call).get("words", "")))
        gone = call.name not in self.named()
        return ToolResult(f"{call.name} is gone", is_error=True) if gone else None

    def _note(self, call: ToolCall, result: ToolResult) -> None:
        before, times = self._given.get(_key(call), (None, 0))
        self._given[_key(call)] = (result, times + 1 if result == before else 1)

    def _search(self, words: str) -> ToolResult:
        tools = self.named()
        found = matching(words, tools)
        self._found = [*found, *(name for name in self._found if name not in found)][:16]
        return ToolResult(told(found, tools))

    def _allowed(self, tool: Tool, arguments: dict[str, Any], verdict: Verdict) -> bool:
        """Changed definitions and dangerous calls always ask; others unless they are named."""
        standing = self._definitions.standing(tool)
        named = not {tool.server, tool.full_name}.isdisjoint(self._auto)
        if not named or standing == "changed" or always_asks(verdict):
            before = self._definitions.accepted(tool) if standing == "changed" else ""
            request = ToolRequest(tool, arguments, standing, before, verdict)
            if not self._approver.allows(request):
                return False
        if standing != "same":
            self._definitions.accept(tool)
        return True


def always_asks(verdict: Verdict) -> bool:
    """What destroys asks whatever is configured; so does a command or code nobody could read."""
    unread = any(effect.kind == "runs-unknown-code" for effect in verdict.effects)
    return verdict.level == "destructive" or (verdict.flagged and unread)


def _refused(why: str) -> Permit:
    return Permit(ToolResult(why, is_error=True))


def _arguments(call: ToolCall) -> dict[str, Any]:
    """Those of a call that was permitted, so they are an object."""
    found = arguments_of(call.arguments)
    return {} if isinstance(found, str) else found


def _key(call: ToolCall) -> str:
    """The same for calls that mean the same, however their arguments are written."""
    return f"{call.name} {json.dumps(arguments_of(call.arguments), sort_keys=True)}"
