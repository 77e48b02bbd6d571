"""What a session's questions need, at its plainest."""

from __future__ import annotations

from aish.core.context.settings import ContextManagementConfig
from aish.core.context.window import Context
from aish.core.proposal.wording import MachineFacts
from aish.engine.ports import Tools
from aish.engine.proposing import Around


class PlainSupplies:
    """An empty window, perhaps tools, and nothing else."""

    surroundings = None
    notes = None
    tools = None  # to look at

    def __init__(
        self, window: int, tools: Tools | None = None, around: Around | None = None
    ) -> None:
        self._window = window
        self._tools = tools
        self._around = around

    def new_context(self) -> Context:
        return Context(ContextManagementConfig(max_context_tokens=self._window))

    def offered_tools(self) -> Tools | None:
        return self._tools

    def look_through(self, text: str) -> None:
        pass

    def around(self) -> Around | None:
        return self._around


class Anywhere:
    """A machine on which there is everything."""

    def machine_facts(self, request: str) -> MachineFacts:
        return MachineFacts("Debian")

    def has(self, program: str) -> bool:
        return True

    def knows(self, program: str, option: str) -> bool:
        return True

    def exists(self, name: str) -> bool:
        return True

    def reads(self, command: str) -> bool:
        del command
        return True

    def destroys(self, command: str) -> str:
        return ""
