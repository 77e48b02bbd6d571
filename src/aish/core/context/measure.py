"""Counting whole messages: every string of every field that is sent, and media by kind and size."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from aish.core.context.counts import count_text
from aish.core.context.media import data_uri_tokens, media_tokens, picture_tokens
from aish.core.context.tokenizer_registry import Tokenizer
from aish.core.errors import ConfigError

MESSAGE_OVERHEAD = 5  # role and separators of one message in a ChatML-like template
REPLY_OVERHEAD = 4  # what opens the answer
CALL_OVERHEAD = 12  # the JSON or tags around one tool call
TOOLS_OVERHEAD = 40  # the template's own words about how to call tools
FIELD_OVERHEAD = 3  # around any other field
_FREE_ID = 48  # characters of an id that the overhead of its call covers
_DEEPEST = 30  # levels of a nested value that are looked at one by one

GivenTools = Iterable[Mapping[str, Any]]


def count_message(message: Mapping[str, Any], tokenizer: Tokenizer) -> int:
    """The tokens of one chat message with what its template adds."""
    total = MESSAGE_OVERHEAD
    for field, value in message.items():
        if field == "role" or value is None:
            continue
        if field == "content":
            text = type(value) is str
            total += count_text(tokenizer, value) if text else _content(value, tokenizer)
        elif field == "tool_calls":
            total += sum(_call(call, tokenizer) for call in value or ())
        elif field == "tool_call_id":
            total += _id(value, tokenizer)
        elif field == "images" and isinstance(value, list):
            total += sum(map(picture_tokens, value))
        elif field == "audio" and isinstance(value, Mapping) and value.get("data"):
            total += _spoken(value, tokenizer)
        else:
            total += _field(field, value, tokenizer)
    return total


def count_messages(
    messages: Iterable[Mapping[str, Any]], tokenizer: Tokenizer, tools: GivenTools | None = None
) -> int:
    """The tokens of a whole request."""
    body = sum(count_message(message, tokenizer) for message in messages)
    return body + REPLY_OVERHEAD + count_tools(tools, tokenizer)


def count_tools(tools: GivenTools | None, tokenizer: Tokenizer) -> int:
    """The tokens of the tool definitions sent along with a request."""
    given = listed_tools(tools)
    if not given:
        return 0
    text = json.dumps(given, ensure_ascii=False, sort_keys=True, default=str)
    return TOOLS_OVERHEAD + count_text(tokenizer, text)


def listed_tools(tools: GivenTools | None) -> list[Mapping[str, Any]]:
    """The tool definitions as a list, for what may be read only once.

    Raises: ConfigError for what is no list of definitions.
    """
    if tools is None or (isinstance(tools, Iterable) and not isinstance(tools, str | Mapping)):
        return list(tools or ())
    raise ConfigError(f"a {type(tools).__name__} is not a list of tools", key="tools")


def _content(content: object, tokenizer: Tokenizer) -> int:
    if isinstance(content, str):
        return count_text(tokenizer, content)
    if isinstance(content, bytes | bytearray):
        return count_text(tokenizer, bytes(content).decode("utf-8", "replace"))
    if isinstance(content, Sequence):
        return sum(_part(part, tokenizer) for part in content)
    return _part(content, tokenizer)


def _spoken(audio: Mapping[str, Any], tokenizer: Tokenizer) -> int:
    """What a model said aloud, as an SDK's answer has it: the sound, and what was said."""
    sound = media_tokens({"type": "audio", "audio": {"data": audio["data"]}}) or 0
    rest = {name: value for name, value in audio.items() if name != "data"}
    return sound + _field("audio", rest, tokenizer)


def _part(part: object, tokenizer: Tokenizer) -> int:
    if not isinstance(part, Mapping):
        return _value(part, tokenizer, 0)
    if part.get("type") in (None, "text", "input_text", "output_text") and isinstance(
        part.get("text"), str
    ):
        rest = [(name, value) for name, value in part.items() if name not in ("type", "text")]
        extra = sum(_field(name, value, tokenizer) for name, value in rest if value is not None)
        return count_text(tokenizer, part["text"]) + extra
    media = media_tokens(part)
    return _value(part, tokenizer, 0) if media is None else media


def _call(call: object, tokenizer: Tokenizer) -> int:
    if not isinstance(call, Mapping):
        return CALL_OVERHEAD + _value(call, tokenizer, 0)
    total = CALL_OVERHEAD
    for field, value in call.items():
        if field == "id":
            total += _id(value, tokenizer)
        elif field in ("function", "custom") and isinstance(value, Mapping):
            total += sum(_value(inner, tokenizer, 1) for inner in value.values())
        elif field != "type":
            total += _field(field, value, tokenizer)
    return total


def _field(name: str, value: object, tokenizer: Tokenizer) -> int:
    if value is None or isinstance(value, bool):
        return 0
    return FIELD_OVERHEAD + count_text(tokenizer, str(name)) + _value(value, tokenizer, 0)


def _id(value: object, tokenizer: Tokenizer) -> int:
    """An id of the usual length is part of its call's overhead."""
    text = str(value)
    return 0 if len(text) <= _FREE_ID else count_text(tokenizer, text)


def _value(value: object, tokenizer: Tokenizer, depth: int) -> int:
    """Every string in a value, with its names and what JSON puts around them."""
    if isinstance(value, str):
        media = data_uri_tokens(value)
        return count_text(tokenizer, value) if media is None else media
    if value is None or isinstance(value, bool):
        return 1
    if isinstance(value, Iterable) and not isinstance(value, bytes | bytearray):
        return _values(value, tokenizer, depth)
    text = bytes(value).decode("utf-8", "replace") if isinstance(value, bytes | bytearray) else ""
    return count_text(tokenizer, text or str(value))


def _values(value: Iterable[object], tokenizer: Tokenizer, depth: int) -> int:
    if depth > _DEEPEST:
        return count_text(tokenizer, repr(value))
    if not isinstance(value, Mapping):
        return sum(1 + _value(inner, tokenizer, depth + 1) for inner in value)
    media = media_tokens(value) if "type" in value else None
    if media is not None:
        return media
    return sum(
        2 + count_text(tokenizer, str(name)) + _value(inner, tokenizer, depth + 1)
        for name, inner in value.items()
    )
