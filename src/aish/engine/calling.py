"""A tool call by a small model: which one, and with what, chosen within a grammar.

The server of the built-in models shows them no definitions and reads no calls out of their text.
So the request is put to them alone, and the answer can only be one of the calls, or none.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from aish.core.context.clamp import line_head
from aish.core.errors import AishError
from aish.core.messages import Message, ModelSpec, Reply, ToolCall
from aish.core.tools import Fitting
from aish.engine.ports import Model, Tools
from aish.engine.single_request import SingleRequest
from aish.engine.step import answer

LONGEST = 512  # tokens of a call
NONE = "none"  # what it answers when no tool helps
SAID = """Choose the function that does what the user asks, and its arguments.
{listed}
Answer with JSON: {{"name": ..., "arguments": {{...}}}}"""


def call_for(request: str, tools: Tools | None, model: Model, spec: ModelSpec) -> Reply | None:
    """The call a request leads to; None where no tool fits, or the model chose none."""
    found = tools.fitting(request) if tools is not None else Fitting()
    if not found.schemas:
        return None
    form = {"type": "json_schema", "json_schema": {"name": "call", "schema": _choices(found)}}
    options = {**spec.options, "temperature": 0.0, "response_format": form}
    try:
        prompt = SingleRequest(_messages(request, found), spec, LONGEST)
        reply = answer(model, replace(spec, options=options), prompt, "main")
    except AishError:  # a definition that makes no grammar; the request is answered without it
        return None
    call = _call(reply.text)
    return replace(reply, text="", tool_calls=(call,), finish="tool_calls") if call else None


def _messages(request: str, found: Fitting) -> list[Message]:
    """The request and the functions that fit it; the conversation stays out of it."""
    listed = "\n".join(map(_line, found.schemas))
    none = "" if found.named else f"\n{NONE}: none of these helps. arguments: {{}}"
    return [
        {"role": "system", "content": SAID.format(listed=listed + none)},
        {"role": "user", "content": request},
    ]


def _choices(found: Fitting) -> dict[str, Any]:
    """What the answer may be, as a schema."""
    functions = [schema["function"] for schema in found.schemas]
    pairs = [(function["name"], function["parameters"]) for function in functions]
    if not found.named:
        pairs.append((NONE, {"type": "object", "properties": {}}))
    return {"anyOf": [_choice(name, parameters) for name, parameters in pairs]}


def _choice(name: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
    plain = {key: value for key, value in parameters.items() if not key.startswith("$")}
    properties = {"name": {"const": name}, "arguments": plain}
    return {"type": "object", "properties": properties, "required": ["name", "arguments"]}


def _line(schema: Mapping[str, Any]) -> str:
    function = schema["function"]
    about = " ".join(str(function.get("description", "")).split())
    takes = json.dumps(function["parameters"].get("properties", {}), ensure_ascii=False)
    return f"{function['name']}: {line_head(about, 300)} arguments: {line_head(takes, 1000)}"


def _call(text: str) -> ToolCall | None:
    """The call in an answer that came to its end; half of one is none."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    name = found.get("name") if isinstance(found, dict) else None
    if not isinstance(name, str) or name == NONE:
        return None
    return ToolCall("call_1", name, json.dumps(found.get("arguments") or {}))
