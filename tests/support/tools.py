"""What the tools of a session keep, kept in memory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from aish.core.tools import Tool


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
