"""Tools of other programs as a model sees them: names, definitions, and what was approved."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from aish.core.context.clamp import line_head
from aish.core.nesting import is_deep
from aish.core.values import dataclass, field

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


@dataclass(frozen=True, slots=True)
class Fitting:
    """The definitions that fit a request, and whether the request names one of them."""

    schemas: tuple[Mapping[str, Any], ...] = ()
    named: bool = False


@dataclass(frozen=True, slots=True)
class Permit:
    """Whether a call may be made: unless there is a refusal, which the model is told."""

    refusal: ToolResult | None = None
    verdict: str = ""  # what the call was read as


def model_names(tools: Iterable[Tool]) -> dict[str, Tool]:
    """The name each tool has for a model: unique, short enough, and leading back to the tool.

    It does not depend on the order of the tools, so that a name means the same all along.
    """
    every = list(tools)
    plain = Counter(tool.full_name for tool in every)
    named: dict[str, Tool] = {}
    for tool in every:
        fits = len(tool.full_name) <= LONGEST_NAME and not _UNFIT.search(tool.full_name)
        own = fits and plain[tool.full_name] == 1 and tool.full_name not in named
        named[tool.full_name if own else _with_digest(tool)] = tool
    return named


def _with_digest(tool: Tool) -> str:
    whole = json.dumps([tool.server, tool.name])
    digest = hashlib.sha256(whole.encode()).hexdigest()[:12]
    return f"{_UNFIT.sub('_', tool.full_name)[: LONGEST_NAME - 13]}_{digest}"


def is_server_name(name: str) -> bool:
    """Whether a server can be called this: the tool begins after the first `__` of a name."""
    return re.fullmatch(r"[A-Za-z0-9-]+(?:_[A-Za-z0-9-]+)*", name) is not None and len(name) <= 32


def as_function(name: str, tool: Tool) -> dict[str, Any]:
    """The tool as OpenAI's chat format lists it."""
    parameters = dict(tool.schema) or {"type": "object", "properties": {}}
    description = line_head(tool.description, LONGEST_DESCRIPTION)
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
    if is_deep(parsed):
        return "the arguments are nested too deeply"
    return parsed if isinstance(parsed, dict) else "the arguments must be a JSON object"
