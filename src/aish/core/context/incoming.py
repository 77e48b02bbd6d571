"""Messages as programs have them: dicts, TypedDicts, SDK objects, models; read as chat messages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, is_dataclass
from typing import Any

from aish.core.errors import MessageError
from aish.core.messages import Message

ROLES = ("system", "developer", "user", "assistant", "tool", "function")
LANGCHAIN_ROLES = {
    "human": "user",
    "HumanMessageChunk": "user",
    "ai": "assistant",
    "AIMessageChunk": "assistant",
    "SystemMessageChunk": "system",
    "ToolMessageChunk": "tool",
}


def read_all(messages: Iterable[object]) -> list[Message]:
    """Every message, checked.

    Raises: MessageError.
    """
    if isinstance(messages, str | bytes | Mapping):
        raise MessageError("the messages are not a list of messages", index=0, field="messages")
    return [read(message, index) for index, message in enumerate(messages)]


def read(message: object, index: int) -> Message:
    """One message as a chat message; a dict is returned itself, and nobody changes it.

    Raises: MessageError, naming the index and the field.
    """
    found = message if type(message) is dict else _mapping(message, index)
    role, content = found.get("role"), found.get("content")
    if role not in ROLES:
        raise _wrong(index, "role", f"{role!r} is not one of {', '.join(ROLES)}")
    if type(content) is not str and content is not None:
        _check_content(content, index)
    if found.get("tool_calls") is not None:
        _check_calls(found["tool_calls"], index)
    legacy = found.get("function_call")
    if legacy is not None and not isinstance(legacy, Mapping):
        raise _wrong(index, "function_call", "not an object")
    if role == "tool" and not isinstance(found.get("tool_call_id"), str):
        raise _wrong(index, "tool_call_id", "a tool's result needs the id of its call")
    return found


def role_of(message: object) -> str:
    """The role, quickly and without a check; "" where only reading the message would tell."""
    try:
        return message["role"]  # type: ignore[index, no-any-return]
    except (TypeError, KeyError, IndexError):
        return ""


def _mapping(message: object, index: int) -> Message:
    if isinstance(message, Mapping):
        return dict(message)
    if type(message).__module__.startswith("langchain"):
        return _langchain(message)
    if callable(dump := getattr(message, "model_dump", None)):
        return _pydantic(message, dump(exclude_none=True))
    if callable(dump := getattr(message, "dict", None)):
        return dict(dump())
    if is_dataclass(message) and not isinstance(message, type):
        return asdict(message)
    names = getattr(message, "__struct_fields__", None) or getattr(message, "__dict__", None)
    if names and hasattr(message, "role"):
        return {name: getattr(message, name) for name in names}
    raise _wrong(index, "role", f"a {type(message).__name__} is not a message")


def _pydantic(message: object, dumped: Mapping[str, Any]) -> Message:
    found = dict(dumped)
    role = found.get("role")
    if role is not None:
        found["role"] = str(getattr(role, "value", role))
    if "content" not in found and hasattr(message, "content"):  # LlamaIndex keeps blocks
        found.pop("blocks", None)
        found |= found.pop("additional_kwargs", None) or {}
        found["content"] = message.content
    return found


def _langchain(message: Any) -> Message:
    """One of LangChain's messages: other names for the same things."""
    kind = str(message.type)
    found: Message = {"role": LANGCHAIN_ROLES.get(kind, kind), "content": message.content}
    if kind == "chat":
        found["role"] = str(message.role)
    for name in ("name", "tool_call_id"):
        if getattr(message, name, None):
            found[name] = getattr(message, name)
    if getattr(message, "status", "") == "error":
        found["is_error"] = True
    if calls := getattr(message, "tool_calls", None):
        found["tool_calls"] = [
            {
                "id": call.get("id") or "",
                "type": "function",
                "function": {"name": call["name"], "arguments": call["args"]},
            }
            for call in calls
        ]
    extra = {k: v for k, v in (message.additional_kwargs or {}).items() if k != "tool_calls"}
    return {**extra, **found}


def _check_content(content: object, index: int) -> None:
    if isinstance(content, str | bytes | Mapping):
        return
    if not isinstance(content, Sequence):
        raise _wrong(index, "content", f"a {type(content).__name__} is no content")
    for at, part in enumerate(content):
        if not isinstance(part, str | Mapping) and part is not None:
            raise _wrong(index, f"content[{at}]", f"a {type(part).__name__} is no part")


def _check_calls(calls: object, index: int) -> None:
    if isinstance(calls, str) or not isinstance(calls, Sequence):
        raise _wrong(index, "tool_calls", "not a list")
    for at, call in enumerate(calls):
        if not isinstance(call, Mapping):
            raise _wrong(index, f"tool_calls[{at}]", "not an object")
        for kind in ("function", "custom"):
            if call.get(kind) is not None and not isinstance(call[kind], Mapping):
                raise _wrong(index, f"tool_calls[{at}].{kind}", "not an object")


def _wrong(index: int, field: str, what: str) -> MessageError:
    return MessageError(f"message {index}: {field}: {what}", index=index, field=field)
