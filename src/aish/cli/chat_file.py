"""OpenAI-style messages in a file or a pipe, checked before anything is done with them."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from aish.core.errors import UsageError
from aish.core.messages import Message
from aish.core.values import dataclass

ROLES = ("system", "developer", "user", "assistant", "tool", "function")
BOM = b"\xef\xbb\xbf"  # some editors begin a file with it
SHAPE = 'a JSON array of messages, or an object with "messages" and, if need be, "tools"'


@dataclass(frozen=True, slots=True)
class ChatFile:
    messages: list[Message]
    tools: list[dict[str, Any]]


def read_chat(name: str) -> ChatFile:
    """The messages of a file; "-" is standard input.

    Raises: UsageError, saying what is wrong in one line.
    """
    shown = "standard input" if name == "-" else name
    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise UsageError(f"{shown}: cannot be read: {reason}") from error
    try:
        return checked(msgspec.json.decode(data.removeprefix(BOM)), shown)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise UsageError(f"{shown}: not JSON: {error}", SHAPE) from error


def checked(found: Any, shown: str) -> ChatFile:
    """The messages in what was read; `shown` is where that came from.

    Raises: UsageError.
    """
    tools: Any = []
    if isinstance(found, dict):
        found, tools = found.get("messages"), found.get("tools") or []
    if not isinstance(found, list) or not isinstance(tools, list):
        raise UsageError(f"{shown}: there are no messages in it", SHAPE)
    for number, message in enumerate(found, 1):
        if wrong := _wrong(message):
            raise UsageError(f"{shown}: message {number}: {wrong}", SHAPE)
    if not all(isinstance(tool, dict) for tool in tools):
        raise UsageError(f"{shown}: a tool is not an object", SHAPE)
    return ChatFile(found, tools)


def _wrong(message: Any) -> str:
    """What keeps this from being a chat message; "" when nothing does."""
    if not isinstance(message, Mapping):
        return "not an object"
    role, content = message.get("role"), message.get("content")
    if role not in ROLES:
        return f"its role is not one of {', '.join(ROLES)}"
    if not (content is None or isinstance(content, str) or _is_parts(content)):
        return "its content is neither text nor a list of parts"
    calls = message.get("tool_calls") or []
    if not isinstance(calls, list) or not all(_is_call(call) for call in calls):
        return "its tool_calls are not a list of calls"
    return ""


def _is_parts(content: Any) -> bool:
    return isinstance(content, list) and all(isinstance(part, (str, Mapping)) for part in content)


def _is_call(call: Any) -> bool:
    if not isinstance(call, Mapping):
        return False
    return any(isinstance(call.get(kind), Mapping) for kind in ("function", "custom"))
