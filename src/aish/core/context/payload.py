"""A view of the log as OpenAI chat messages, in the dialect a template accepts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from aish.core.context.log import ABORTED, LEGACY, Entry, Log, text_of
from aish.core.messages import Message, ToolCall, Turn
from aish.core.values import dataclass

_SPOKEN = ("reasoning_content", "refusal")  # more words of a message, which add up when joined

# What chat templates use as separators. Inside a tool result or a program's output they would end
# the turn and let the output speak as the user. The last is our own: what follows it was run.
_CONTROL = re.compile(
    r"<[|｜][^\s<>|｜]{1,40}[|｜]?>|<[A-Za-z][\w.-]{0,40}[|｜]>"
    r"|<(?:(?:start|end)_of_turn|/?s|bos|eos|pad|unk)>"
    r"|\[(?:/?(?:INST|SYS|TOOL_RESULTS|SYSTEM_PROMPT|AVAILABLE_TOOLS)|exec output)\]"
)


def neutralise(text: str) -> str:
    """Break template control tokens in text that did not come from the user; still readable."""
    if "<" not in text and "[" not in text:
        return text
    return _CONTROL.sub(lambda found: f"{found[0][0]} {found[0][1:]}", text)


def message_of(turn: Turn) -> Message:
    """One turn as an OpenAI chat message."""
    if turn.role == "tool":
        return _result(turn.tool_call_id, turn.content)
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


@dataclass(frozen=True, slots=True)
class Rendered:
    """One message as it is sent, and the entries it was made from."""

    message: Message
    entries: tuple[Entry, ...] = ()

    @property
    def source(self) -> Message | None:
        """The caller's own message, if this is it, unchanged."""
        one = self.entries[0].source if len(self.entries) == 1 else None
        return one if one is self.message else None


def rendered(entry: Entry, text: str | None = None) -> Message:
    """One entry as it is sent; with `text` in place of what it says.

    A result that is shortened loses its pictures: they are the most of it. The user's stay.
    """
    message = message_of(entry.turn) if entry.source is None else entry.source
    if text is None:
        return message
    content = message.get("content")
    if entry.turn.role == "tool" or not isinstance(content, list):
        return {**message, "content": text}
    pictures = [p for p in content if isinstance(p, Mapping) and not isinstance(p.get("text"), str)]
    return {**message, "content": [{"type": "text", "text": text}, *pictures]}


def render(
    log: Log, indexes: list[int], texts: Mapping[int, str], *, tool_role: bool = True,
    strict: bool = True,
) -> list[Rendered]:  # fmt: skip
    """The chosen entries as messages; `texts` replaces the content of some of them.

    `strict` joins neighbours of one role, which strict templates reject.
    """
    chosen = [(log.entries[at], texts.get(at)) for at in indexes]
    messages = _with_tools(chosen) if tool_role else _inlined(chosen)
    out: list[Rendered] = []
    for made in messages:
        role = made.message["role"]
        if strict and out and role in ("user", "assistant") and out[-1].message["role"] == role:
            out[-1] = _joined(out[-1], made)
        else:
            out.append(made)
    if tool_role:
        out += [Rendered(aborted_result(call.id)) for call in log.open_calls]
    return out


def _with_tools(chosen: list[tuple[Entry, str | None]]) -> Iterator[Rendered]:
    for entry, text in chosen:
        yield Rendered(rendered(entry, text), (entry,))


def aborted_result(call_id: str) -> Message:
    """What answers a call that was interrupted."""
    return _result(call_id, ABORTED)


def _result(call_id: str, content: str) -> Message:
    if call_id.startswith(LEGACY):
        return {"role": "function", "name": call_id.removeprefix(LEGACY), "content": content}
    return {"role": "tool", "tool_call_id": call_id, "content": content}


def _inlined(chosen: list[tuple[Entry, str | None]]) -> Iterator[Rendered]:
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
            yield Rendered(_assistant_text(parts, waiting, results))
        waiting, parts, results = list(turn.tool_calls), [content] if content else [], []
        if not waiting:
            yield Rendered(rendered(entry, text), (entry,))
    if waiting:
        yield Rendered(_assistant_text(parts, waiting, results))


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


def _joined(first: Rendered, second: Rendered) -> Rendered:
    """Two neighbours of one role as one message: strict templates reject user after user."""
    before, after = first.message, second.message
    merged = {**before, **after}
    one, two = before.get("content"), after.get("content")
    if before.get("name") != after.get("name"):
        merged.pop("name", None)
        one, two = _named(before), _named(after)
    if _is_plain(one) and _is_plain(two):
        merged["content"] = "\n\n".join(text for text in (one, two) if text)
    else:
        merged["content"] = parts_of(one) + parts_of(two)
    for field in ("tool_calls", "images"):
        both = [*(before.get(field) or ()), *(after.get(field) or ())]
        if both:
            merged[field] = both
    for field in _SPOKEN:
        if before.get(field) and after.get(field):
            merged[field] = f"{before[field]}\n\n{after[field]}"
    return Rendered(merged, first.entries + second.entries)


def _named(message: Message) -> object:
    name, content = message.get("name"), message.get("content")
    return f"{name}: {content}" if name and isinstance(content, str) else content


def _is_plain(content: object) -> bool:
    return content is None or isinstance(content, str)


def parts_of(content: object) -> list[Any]:
    """A content of any shape as a list of parts."""
    if isinstance(content, list | tuple):
        return list(content)
    if isinstance(content, Mapping):
        return [content]
    return [{"type": "text", "text": text_of(content)}] if content else []
