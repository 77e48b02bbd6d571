"""Which definitions of tools the user has accepted: appended, the last one of a tool counts."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from aish.core.mask import Mask, NoMask
from aish.core.tools import Tool
from aish.store.jsonl import append
from aish.store.reading import Reading


class ToolDefinitions:
    """Accepted definitions by the tool's full name, with the text that was shown.

    A server may put a login or a path of the user's into them, so the text is kept without secrets.
    """

    def __init__(self, path: Path, mask: Mask | None = None) -> None:
        self._path = path
        self._mask = mask or NoMask()
        self._known: dict[str, tuple[str, str]] | None = None

    def standing(self, tool: Tool) -> Literal["new", "same", "changed"]:
        known = self._all().get(tool.full_name)
        if known is None:
            return "new"
        return "same" if known[0] == tool.fingerprint else "changed"

    def accepted(self, tool: Tool) -> str:
        """The definition that was accepted; "" for a new tool."""
        return self._all().get(tool.full_name, ("", ""))[1]

    def accept(self, tool: Tool) -> None:
        """Remember that the user accepted exactly this definition.

        Raises: StoreError.
        """
        name, sha, text = (
            tool.full_name,
            tool.fingerprint,
            self._mask.without_secrets(tool.definition),
        )
        append(self._path, {"tool": name, "sha256": sha, "definition": text}, durable=True)
        self._all()[name] = (sha, text)

    def _all(self) -> dict[str, tuple[str, str]]:
        if self._known is None:
            self._known = {}
            for record in Reading(self._path, dict[str, Any]):
                name, sha = str(record.get("tool", "")), str(record.get("sha256", ""))
                self._known[name] = (sha, str(record.get("definition", "")))
        return self._known
