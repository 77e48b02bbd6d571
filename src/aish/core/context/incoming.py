"""Messages as programs have them: dicts, TypedDicts, SDK objects, models; read as chat messages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, is_dataclass
from typing import Any, TypeVar

from aish.core.context.log import calls_of
from aish.core.errors import MessageError
from aish.core.messages import Message, ToolCall, Usage

M = TypeVar("M")
ROLES = ("system", "developer", "user", "assistant", "tool", "function")
_TEXT_PARTS = ("text", "input_text", "output_text")
_NESTED = ("function", "custom", "image_url", "input_audio", "file", "source")
_DEEPEST = 100  # levels of a nested value
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
    return [read(message, index) for index, message in enumerate(listed(messages))]


def listed(messages: Iterable[M]) -> Sequence[M]:
    """The messages as a sequence; one that is given stays the caller's own.

    Raises: MessageError.
    """
    if isinstance(messages, str | bytes | Mapping) or not isinstance(messages, Iterable):
        raise MessageError("the messages are not a list of messages", index=0, field="messages")
    return messages if isinstance(messages, Sequence) else list(messages)


def read(message: object, index: int) -> Message:
    """One message as a chat message; a dict is returned itself, and nobody changes it.

    Raises: MessageError, naming the index and the field.
    """
    found = message if type(message) is dict else _mapping(message, index)
    for name in ("content", "tool_calls"):
        if isinstance(found.get(name), list | tuple):
            found = _with_plain(found, name)
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
    for name, value in found.items():
        if type(value) is not str and value is not None:
            _check_depth(value, index, name)
    return found


def role_of(message: object) -> str:
    """The role, quickly and without a check; "" where only reading the message would tell."""
    try:
        return message["role"]  # type: ignore[index, no-any-return]
    except (TypeError, KeyError, IndexError, AttributeError):
        return ""


def _mapping(message: object, index: int) -> Message:
    if isinstance(message, Mapping):
        return dict(message)
    if type(message).__module__.startswith("langchain"):
        return _langchain(message)
    found = None if isinstance(message, type) else _fields_of(message)
    if not found or not hasattr(message, "role"):
        raise _wrong(index, "role", f"a {type(message).__name__} is not a message")
    return _pydantic(message, found) if hasattr(message, "model_dump") else found


def _fields_of(value: object) -> dict[str, Any] | None:
    """What an object of an SDK or a program has in it; None for what is no such object."""
    if callable(dump := getattr(value, "model_dump", None)):
        return dict(dump(exclude_none=True))
    if callable(dump := getattr(value, "dict", None)):
        return dict(dump())
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    names = getattr(value, "__struct_fields__", None) or getattr(value, "__dict__", None)
    return {name: getattr(value, name) for name in names} if names else None


def _with_plain(message: Message, field: str) -> Message:
    """The message with the objects in one of its lists as dicts: a program's own dict often has
    the calls or parts of an SDK's answer in it.
    """
    given = message[field]
    made = [plain(one) for one in given]
    same = all(one is before for one, before in zip(made, given, strict=True))
    return message if same else {**message, field: made}


def plain(value: Any) -> Any:
    """A part or a call as a dict, with what it is about; what is no object stays itself."""
    if not isinstance(value, Mapping):
        return _plain_object(value)
    inner = {name: _plain_object(value[name]) for name in _NESTED if name in value}
    return {**value, **inner} if any(value[name] is not inner[name] for name in inner) else value


def _plain_object(value: Any) -> Any:
    if value is None or isinstance(value, str | bytes | Mapping):
        return value
    return _fields_of(value) or value


def _pydantic(message: object, found: Message) -> Message:
    role = found.get("role")
    if role is not None:
        found["role"] = str(getattr(role, "value", role))
    if "content" not in found and hasattr(message, "content"):  # LlamaIndex keeps blocks
        blocks = found.pop("blocks", None) or ()
        found |= found.pop("additional_kwargs", None) or {}
        plain = all(block.get("block_type") == "text" for block in blocks)
        found["content"] = message.content if plain else [_block(block) for block in blocks]
    return found


def _block(block: Mapping[str, Any]) -> dict[str, Any]:
    """One of LlamaIndex's blocks as a part: text, or what a picture, sound or file is made of."""
    kind = str(block.get("block_type") or "")
    if kind == "text":
        return {"type": "text", "text": str(block.get("text") or "")}
    data, url = block.get(kind) or block.get("data"), block.get("url") or block.get("path")
    if data is None and url is None:
        return {**block, "type": kind}
    return {"type": kind, kind: {"data": data} if data is not None else {"url": str(url)}}


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
    if isinstance(content, Mapping):
        _check_part(content, index, "content")
    if isinstance(content, str | bytes | Mapping):
        return
    if not isinstance(content, Sequence):
        raise _wrong(index, "content", f"a {type(content).__name__} is no content")
    for at, part in enumerate(content):
        if not isinstance(part, str | Mapping) and part is not None:
            raise _wrong(index, f"content[{at}]", f"a {type(part).__name__} is no part")
        if isinstance(part, Mapping):
            _check_part(part, index, f"content[{at}]")


def _check_part(part: Mapping[str, Any], index: int, field: str) -> None:
    text = part.get("text")
    if part.get("type") in _TEXT_PARTS and text is not None and not isinstance(text, str):
        raise _wrong(index, f"{field}.text", f"a {type(text).__name__} is no text")


def _check_depth(value: object, index: int, field: str, left: int = _DEEPEST) -> None:
    """A value that holds itself, or is nested like nothing a server takes, is refused by name."""
    if not isinstance(value, dict | list | tuple):
        return
    if not left:
        raise _wrong(index, field, f"nested more than {_DEEPEST} levels deep")
    for inner in value.values() if isinstance(value, dict) else value:
        _check_depth(inner, index, field, left - 1)


def _check_calls(calls: object, index: int) -> None:
    if isinstance(calls, str) or not isinstance(calls, Sequence):
        raise _wrong(index, "tool_calls", "not a list")
    for at, call in enumerate(calls):
        _check_call(call, index, f"tool_calls[{at}]")


def _check_call(call: object, index: int, field: str) -> None:
    if not isinstance(call, Mapping):
        raise _wrong(index, field, "not an object")
    for kind in ("function", "custom"):
        if call.get(kind) is not None and not isinstance(call[kind], Mapping):
            raise _wrong(index, f"{field}.{kind}", "not an object")


def read_text(value: object, index: int, field: str) -> str:
    """Words that a program gave by themselves.

    Raises: MessageError.
    """
    if isinstance(value, str):
        return value
    raise _wrong(index, field, f"a {type(value).__name__} is no text")


def read_call(call: object, index: int, at: int) -> ToolCall:
    """One call of an answer: ours, one of OpenAI's dictionaries, or an SDK's object.

    Raises: MessageError.
    """
    if isinstance(call, ToolCall):
        return call
    made = plain(call)
    _check_call(made, index, f"tool_calls[{at}]")
    return calls_of({"tool_calls": [made]})[0]


def read_usage(given: object) -> Usage:
    """What a server reported, in whatever form a program has it."""
    if isinstance(given, Usage):
        return given
    names = ("prompt_tokens", "completion_tokens")
    found = given if isinstance(given, Mapping) else {n: getattr(given, n, None) for n in names}
    return Usage(*(found.get(name) for name in names))


def _wrong(index: int, field: str, what: str) -> MessageError:
    return MessageError(f"message {index}: {field}: {what}", index=index, field=field)
