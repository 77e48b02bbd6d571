"""Messages given back in the kind they came in, never sharing anything with the caller's."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from aish.core.context.log import text_of
from aish.core.messages import Message

_PLAIN = (str, int, float, bool, bytes, type(None))


def copied(value: Any) -> Any:
    """A value that shares nothing changeable with the one given."""
    kind = type(value)
    if kind in _PLAIN:
        return value
    if kind is dict:
        return {name: inner if type(inner) is str else copied(inner)
                for name, inner in value.items()}  # fmt: skip
    if kind is list:
        return [copied(inner) for inner in value]
    return deepcopy(value)


def can_copy(value: Any) -> bool:
    """Whether a value can be given back without being shared; a lock or a file cannot."""
    try:
        copied(value)
    except (TypeError, ValueError, NotImplementedError):
        return False
    return True


def as_given(original: Any, message: Message, *, changed: bool) -> Any:
    """A message in the kind of the one it was made from."""
    if not changed:
        return copied(original) if type(original) is dict else _same(original, message)
    if isinstance(original, Mapping):
        return copied(message)
    if callable(update := getattr(original, "model_copy", None)) and "content" in getattr(
        type(original), "model_fields", ()
    ):
        return update(update={"content": copied(message.get("content"))}, deep=True)
    made = deepcopy(original)
    try:
        made.content = copied(message.get("content"))
    except ValueError:  # LlamaIndex: several blocks
        made.blocks = type(made)(content=text_of(message.get("content"))).blocks
    except (AttributeError, TypeError):  # frozen
        object.__setattr__(made, "content", copied(message.get("content")))
    return made


def _same(original: Any, message: Message) -> Any:
    return copied(message) if isinstance(original, Mapping) else deepcopy(original)


def of_kind(sample: Any, message: Message) -> Any:
    """A message that nobody gave (a note, an aborted result), in the kind of the others."""
    if sample is None or isinstance(sample, Mapping):
        return copied(message)
    if type(sample).__module__.startswith("langchain"):
        return _langchain(sample, message)
    role = getattr(sample, "role", None)
    fields = {name: value for name, value in message.items() if name in _fields(sample)}
    if role is not None and not isinstance(role, str):
        return copied(message)
    try:
        return type(sample)(**copied(fields)) if "role" in fields else copied(message)
    except (TypeError, ValueError):
        return copied(message)


def _fields(sample: Any) -> set[str]:
    for name in ("model_fields", "__dataclass_fields__", "__struct_fields__"):
        found = getattr(type(sample), name, None)
        if found:
            return {*found, "content"}
    return {"role", "content"}


_LANGCHAIN = {
    "assistant": "AIMessage",
    "tool": "ToolMessage",
    "function": "FunctionMessage",
    "system": "SystemMessage",
    "developer": "SystemMessage",
    "user": "HumanMessage",
}


def _langchain(sample: Any, message: Message) -> Any:
    """One of LangChain's classes, found among those of the program; a dict is as good for it."""
    wanted = _LANGCHAIN[str(message["role"])]
    root = next((kind for kind in type(sample).__mro__ if kind.__name__ == "BaseMessage"), None)
    kinds = [] if root is None else [root]
    while kinds:
        kind = kinds.pop()
        if kind.__name__ == wanted:
            fields = {name: message[name] for name in ("name", "tool_call_id") if name in message}
            return kind(content=message.get("content") or "", **fields)
        kinds += kind.__subclasses__()
    return copied(message)
