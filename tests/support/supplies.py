"""What a session's questions need, at its plainest."""

from __future__ import annotations

from aish.core.context.settings import ContextManagementConfig
from aish.core.context.window import Context
from aish.engine.ports import Tools


class PlainSupplies:
    """An empty window, perhaps tools, and nothing else."""

    surroundings = None

    def __init__(self, window: int, tools: Tools | None = None) -> None:
        self._window = window
        self._tools = tools

    def new_context(self) -> Context:
        return Context(ContextManagementConfig(max_context_tokens=self._window))

    def note_writer(self) -> None:
        return None

    def offered_tools(self) -> Tools | None:
        return self._tools

    def around(self) -> None:
        return None
