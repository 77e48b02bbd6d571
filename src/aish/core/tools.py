"""Tools of other programs as a model sees them: names, definitions, and what was approved."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

LONGEST_NAME = 64  # what every provider accepts
LONGEST_DESCRIPTION = 1024  # characters a model gets of a tool's description
_UNFIT = re.compile(r"[^A-Za-z0-9_-]")


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool of one server, as the server defines it."""

    server: str
    name: str
    description: str = ""
    schema: Mapping[str, Any] = field(default_factory=dict)
    hints: Mapping[str, Any] = field(default_factory=dict)  # what the server says it may do

    @property
    def full_name(self) -> str:
        return f"{self.server}__{self.name}"

    @property
    def definition(self) -> str:
        """Everything the server says about it, in one stable text."""
        parts: dict[str, Any] = {"name": self.name, "description": self.description}
        parts |= {"schema": self.schema} | ({"hints": self.hints} if self.hints else {})
        return json.dumps(parts, sort_keys=True, indent=1, ensure_ascii=False, default=str)

    @property
    def fingerprint(self) -> str:
        return hashlib.sha256(self.definition.encode("utf-8", "replace")).hexdigest()


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a call gave back, as text for the model."""

    text: str
    is_error: bool = False


def model_names(tools: Iterable[Tool]) -> dict[str, Tool]:
    """The name each tool has for a model: unique, short enough, and leading back to the tool."""
    named: dict[str, Tool] = {}
    for tool in tools:
        name = _UNFIT.sub("_", tool.full_name)
        if len(name) > LONGEST_NAME or name in named:
            name = _with_digest(name, tool.full_name)
        named[name] = tool
    return named


def _with_digest(name: str, full: str) -> str:
    digest = hashlib.sha256(full.encode("utf-8", "replace")).hexdigest()[:8]
    return f"{name[: LONGEST_NAME - 9]}_{digest}"


def as_function(name: str, tool: Tool) -> dict[str, Any]:
    """The tool as OpenAI's chat format lists it."""
    parameters = dict(tool.schema) or {"type": "object", "properties": {}}
    description = tool.description[:LONGEST_DESCRIPTION]
    return {
        "type": "function",
        "function": {"name": name, "description": description, "parameters": parameters},
    }


def arguments_of(text: str) -> dict[str, Any] | str:
    """The arguments a model wrote; what is wrong with them, where they are no JSON object."""
    try:
        parsed = json.loads(text or "{}")
    except (ValueError, RecursionError) as error:
        return f"the arguments are not valid JSON: {error}"
    return parsed if isinstance(parsed, dict) else "the arguments must be a JSON object"
