"""A view of the log as OpenAI chat messages, in the dialect a template accepts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from aish.core.context.log import ABORTED, Entry, Log
from aish.core.messages import Message, ToolCall, Turn

# What chat templates use as separators. Inside a tool result or a program's output they would end
# the turn and let the output speak as the user.
_CONTROL = re.compile(
    r"<\|([A-Za-z][\w.-]{0,40})\|>|<((?:start|end)_of_turn|/?s|bos|eos|pad|unk)>|\[(/?INST|/?SYS)\]"
)


def neutralise(text: str) -> str:
    """Break template control tokens in text that did not come from the user; still readable."""
    if "<" not in text and "[" not in text:
        return text
    return _CONTROL.sub(lambda found: f"{found[0][0]} {found[0][1:]}", text)


def message_of(turn: Turn) -> Message:
    """One turn as an OpenAI chat message."""
    if turn.role == "tool":
        return {"role": "tool", "tool_call_id": turn.tool_call_id, "content": turn.content}
    message: Message = {"role": turn.role, "content": turn.content}
    if turn.tool_calls:
        message["tool_calls"] = [call_message(call) for call in turn.tool_calls]
    return message


def call_message(call: ToolCall) -> dict[str, Any]:
    return {
        "id": call.id,
        "type": "function",
        "function": {"name": call.name, "arguments": call.arguments},
    }


def inlined_call(call: ToolCall) -> str:
    """A tool call as text, up to where its result follows."""
    return f"[tool: {call.name}]\n{call.arguments}\n[result]\n"


def render(
    log: Log, indexes: list[int], texts: Mapping[int, str], *, tool_role: bool = True
) -> list[Message]:
    """The chosen entries as messages; `texts` replaces the content of some of them."""
    chosen = [(log.entries[at], texts.get(at)) for at in indexes]
    messages = _with_tools(chosen) if tool_role else _inlined(chosen)
    out: list[Message] = []
    for message in messages:
        if out and out[-1]["role"] == message["role"] != "tool":
            out[-1] = _joined(out[-1], message)
        else:
            out.append(message)
    if tool_role:
        out += [
            {"role": "tool", "tool_call_id": call.id, "content": ABORTED} for call in log.open_calls
        ]
    return out


def _with_tools(chosen: list[tuple[Entry, str | None]]) -> Iterator[Message]:
    for entry, text in chosen:
        message = message_of(entry.turn) if entry.source is None else entry.source
        yield message if text is None else _with_text(message, text)


def _inlined(chosen: list[tuple[Entry, str | None]]) -> Iterator[Message]:
    """Tool calls and results as assistant text, each result right under its call."""
    waiting: list[ToolCall] = []
    parts: list[str] = []
    results: list[tuple[str, str]] = []
    for entry, text in chosen:
        turn = entry.turn
        content = turn.content if text is None else text
        if turn.role == "tool":
            results.append((turn.tool_call_id, content))
            continue
        if waiting:
            yield _assistant_text(parts, waiting, results)
        waiting, parts, results = list(turn.tool_calls), [content] if content else [], []
        if not waiting:
            source = entry.source if text is None and turn.role == "user" else None
            yield source or {"role": turn.role, "content": content}
    if waiting:
        yield _assistant_text(parts, waiting, results)


def _assistant_text(
    parts: list[str], calls: list[ToolCall], results: list[tuple[str, str]]
) -> Message:
    left = list(results)
    for call in calls:
        found = next((pair for pair in left if pair[0] == call.id), None)
        if found is not None:
            left.remove(found)
        parts.append(inlined_call(call) + (ABORTED if found is None else found[1]))
    return {"role": "assistant", "content": "\n".join(parts)}


def _with_text(message: Message, text: str) -> Message:
    content = message.get("content")
    if not isinstance(content, list):
        return {**message, "content": text}
    pictures = [p for p in content if isinstance(p, Mapping) and not isinstance(p.get("text"), str)]
    return {**message, "content": [{"type": "text", "text": text}, *pictures]}


def _joined(first: Message, second: Message) -> Message:
    """Two neighbours of one role as one message: strict templates reject user after user."""
    merged = {**first, **second}
    one, two = first.get("content"), second.get("content")
    if isinstance(one, list) or isinstance(two, list):
        merged["content"] = _parts(one) + _parts(two)
    else:
        merged["content"] = "\n\n".join(text for text in (one, two) if text)
    calls = [*(first.get("tool_calls") or ()), *(second.get("tool_calls") or ())]
    if calls:
        merged["tool_calls"] = calls
    return merged


def _parts(content: object) -> list[Any]:
    if isinstance(content, list):
        return content
    return [{"type": "text", "text": content}] if content else []
