"""One event of a chat completion stream, read into a delta."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import isfinite
from typing import Any

import msgspec

from aish.broker.address import secrets_of
from aish.broker.decoding import UNREADABLE, decoded
from aish.broker.error_text import one_line
from aish.broker.http_client import Dropped
from aish.broker.refusal import complaint_in, error_object, quoted, readable, words_in
from aish.broker.unread import ENVELOPE, UnreadText
from aish.core.errors import Garbled
from aish.core.messages import Delta, ModelSpec, ToolCallPiece, Usage
from aish.core.money.cost import usage_from

# Reasons to end, as servers spell them; what is not here is passed on as it is.
_REASONS = {
    "stop": (
        *("eos", "eos_token", "end_turn", "stop_sequence", "stop_token", "stopped"),
        *("end", "complete", "completed", "done", "finish", "finished", "success"),
    ),
    "length": (
        *("max_tokens", "max_output_tokens", "max_new_tokens", "max_completion_tokens"),
        *("model_length", "max_length", "token_limit", "limit", "model_context_window_exceeded"),
    ),
    "tool_calls": ("tool_use", "tool_call", "function_call"),
    "content_filter": (
        "content_filtered",
        "safety",
        "recitation",
        "blocklist",
        "prohibited_content",
        "spii",
        "sensitive",
        "refusal",
        "image_safety",
        "error_toxic",
    ),
}
FINISHES = {name: meant for meant, names in _REASONS.items() for name in (meant, *names)}
_PLAIN = {"role", "content"}
THINKING = (
    *("reasoning_content", "reasoning", "thinking", "thought", "thoughts", "reasoning_text"),
    "reasoning_details",
)
IN_THINKING = ("text", "thinking", "reasoning", "summary", "content")
LONGEST_NUMBER = 19  # characters; nothing that is counted here has more
SIGNATURES = ("extra_content", "provider_specific_fields")  # Gemini's, and a proxy's for it
GOES_ON = ("", "null", "none")  # written out where nothing should stand
BROKEN_OFF = ("error", "abort", "cancelled", "insufficient_system_resource")


def delta_from(data: bytes, spec: ModelSpec, *, whole: bool = False) -> Delta:
    """One decoded event, or a `whole` answer.

    Raises: Garbled for what is not JSON, Rejected or Overflow for an error object.
    """
    return numbered_delta(data, spec, UnreadText(), whole=whole)[1]


def numbered_delta(
    data: bytes, spec: ModelSpec, unread: UnreadText, *, whole: bool = False
) -> tuple[Any, Delta]:
    """The same, with what the server calls the answer that it is a piece of; None: nothing.

    Raises: as `delta_from`.
    """
    event = _object(data, spec)
    if event.get("error") and (complaint := complaint_in(event)):
        raise error_object(complaint, spec)
    choices = event.get("choices")
    choice = _first(choices) if isinstance(choices, list) and choices else None
    usage = (usage_from(event["usage"]) if event.get("usage") else None) or _groq_usage(event)
    if not isinstance(choice, dict):
        if usage is None and event.get("object") == "error":  # vLLM's older form
            raise error_object(event, spec)
        return None, Delta(usage=usage, unread=unread.count(event, 0))
    number = choice.get("index")
    if choice.get("error") and (complaint := complaint_in(choice)):
        raise error_object(complaint, spec)
    delta = _said(choice, whole=whole)
    if not isinstance(delta, dict):
        raise Garbled(f"{spec.name}: the server sent a delta that is not an object", "ask again")
    if usage is None and _is_plain(choice, delta):
        text = delta["content"]
        small = text and len(data) <= ENVELOPE + len(text)
        return number, Delta(text) if small else Delta(text, unread=unread.count(event, len(text)))
    finish = _finish(choice.get("finish_reason"), spec)
    said = Delta(
        text=_text(delta.get("content")),
        reasoning=_reasoning(delta),
        tool_calls=_tool_pieces(_calls(delta)),
        usage=usage or usage_from(choice.get("usage")),
        finish=finish,
        model=_text(event.get("model")) if finish else "",
        refusal=_text(delta.get("refusal")) or _of_parts(delta.get("content"), ("refusal",)),
        details=tuple(_parts(delta.get("reasoning_details"))),
    )
    calls = sum(len(call.name) + len(call.arguments) for call in said.tool_calls)
    read = len(said.text) + len(said.reasoning) + len(said.refusal) + calls
    closes = bool(said.usage or finish)
    return number, replace(said, unread=unread.count(event, read, closes=closes))


def _first(choices: list[Any]) -> Any:
    """The answer we asked for; others may stand before it."""
    numbered = (choice for choice in choices if isinstance(choice, dict))
    return next((choice for choice in numbered if choice.get("index") == 0), choices[0])


def _said(choice: dict[str, Any], *, whole: bool) -> Any:
    """The delta of an event: some repeat the whole message beside the last, empty one.

    In an answer that is not streamed the message counts, whatever stands beside it.
    """
    delta, message = choice.get("delta"), choice.get("message")
    if delta is None or (whole and message):
        return message or {"content": choice.get("text")}
    return delta


def _is_plain(choice: dict[str, Any], delta: dict[str, Any]) -> bool:
    """Whether it is a piece of text and nothing else, as nearly all are."""
    text, more = delta.get("content"), choice.get("finish_reason") or choice.get("usage")
    return type(text) is str and not more and delta.keys() <= _PLAIN


def _groq_usage(event: dict[str, Any]) -> Usage | None:
    """Groq puts it where it puts everything that OpenAI does not have."""
    own = event.get("x_groq")
    return usage_from(own.get("usage")) if isinstance(own, dict) else None


def _finish(reason: Any, spec: ModelSpec) -> str | None:
    """Why the answer ended, in our words; None while it goes on.

    Raises: Dropped, when the server says that it broke off.
    """
    if not isinstance(reason, str):
        return None
    name = reason.strip().lower().replace("-", "_").rpartition(".")[2]
    name = name.removeprefix("finish_reason_")
    if name in GOES_ON:
        return None
    if name in BROKEN_OFF:
        raise Dropped(
            f"{spec.name}: the server broke the answer off ({one_line(reason, secrets_of(spec))})",
            "ask again",
        )
    kind = name.partition(":")[0]  # Gemini says after it what its filter found
    return FINISHES.get(name) or FINISHES.get(kind) or one_line(reason)


def deltas_of_body(body: bytes, spec: ModelSpec) -> Iterator[Delta]:
    """The whole answer of a server that does not stream.

    Raises: as `delta_from`; Garbled, when there is no answer in it.
    """
    delta = delta_from(body, spec, whole=True)
    if delta.finish is None and delta == Delta(usage=delta.usage, unread=delta.unread):
        if complaint := aside(body, spec):
            raise error_object(complaint, spec)
        said = quoted(readable(body), spec)
        raise Garbled(
            f"{spec.name}: the server sent no chat completion{said}", "check its endpoint"
        )
    yield delta if delta.finish else replace(delta, finish="stop")


def aside(data: bytes, spec: ModelSpec) -> dict[str, Any] | None:
    """An event that is no part of an answer but has words: why there is none, if none comes."""
    event = _object(data, spec)
    return event if not event.get("choices") and words_in(event) else None


def _object(data: bytes, spec: ModelSpec) -> dict[str, Any]:
    try:
        event = decoded(data)
    except UNREADABLE:
        event = _lenient(data, spec)
    if isinstance(event, list) and len(event) == 1:  # Gemini wraps its errors
        event = event[0]
    if not isinstance(event, dict):
        said = quoted(readable(data), spec)
        raise Garbled(
            f"{spec.name}: the server sent an event that is not an object{said}", "ask again"
        )
    return event


def _lenient(data: bytes, spec: ModelSpec) -> Any:
    """JSON with half a character in it, or a number that is none: the answer is still good."""
    import json

    try:
        event = json.loads(
            data.decode("utf-8", "replace"),
            parse_constant=lambda _: None,
            parse_float=lambda text: float(text) if isfinite(float(text)) else None,
            parse_int=lambda text: int(text) if len(text) < LONGEST_NUMBER else None,
        )
        return decoded(json.dumps(event, ensure_ascii=False).encode("utf-8", "replace"))
    except (ValueError, *UNREADABLE) as error:
        said = quoted(readable(data), spec)
        raise Garbled(f"{spec.name}: the server sent broken JSON{said}", "ask again") from error


def _text(value: Any) -> str:
    """A text field; some servers send typed parts, thinking and refusals among them."""
    if isinstance(value, str):
        return value
    said = (part for part in _parts(value) if not _is_thinking(part))
    return "".join(found for part in said if isinstance(found := part.get("text"), str))


def _parts(value: Any) -> list[dict[str, Any]]:
    """The parts of a text, each as an object."""
    listed = [value] if isinstance(value, dict) else value if isinstance(value, list) else []
    parts = ({"text": part} if isinstance(part, str) else part for part in listed)
    return [part for part in parts if isinstance(part, dict)]


def _is_thinking(part: dict[str, Any]) -> bool:
    kind = part.get("type")
    return part.get("thought") is True or (
        isinstance(kind, str) and kind.startswith(("reasoning", "thinking", "thought", "redacted"))
    )


def _of_parts(value: Any, names: tuple[str, ...], within: int = 2) -> str:
    """What the parts of a text have under these names, and the parts within them."""
    found = [part.get(name) for part in _parts(value) for name in names]
    return "".join(
        text if isinstance(text, str) else _of_parts(text, names, within - 1) if within else ""
        for text in found
    )


def _reasoning(delta: dict[str, Any]) -> str:
    """Thinking under any of its names; some send it as a part of the content."""
    for name in THINKING:
        if found := _thought(delta.get(name)):
            return found
    parts = _parts(delta.get("content"))
    return "".join(_thought(part if _is_thinking(part) else part.get("thinking")) for part in parts)


def _thought(value: Any) -> str:
    return value if isinstance(value, str) else _of_parts(value, IN_THINKING)


def _calls(delta: dict[str, Any]) -> Any:
    """The calls of tools; one alone, or in the older form, is a list of one."""
    calls = delta.get("tool_calls")
    if not calls and isinstance(delta.get("function_call"), dict):
        calls = {"function": delta["function_call"]}
    return [calls] if isinstance(calls, dict) else calls


def _tool_pieces(calls: Any) -> tuple[ToolCallPiece, ...]:
    if not isinstance(calls, list):
        return ()
    found = []
    for position, call in enumerate(calls):
        if not isinstance(call, dict):
            continue
        function = call.get("function")
        function = function if isinstance(function, dict) else {}
        index = call.get("index")
        found.append(
            ToolCallPiece(
                index=index if isinstance(index, int) else position,
                id=_text(call.get("id")),
                name=_text(function.get("name")),
                arguments=_arguments(function.get("arguments")),
                signed={n: call[n] for n in SIGNATURES if isinstance(call.get(n), dict)},
            )
        )
    return tuple(found)


def _arguments(value: Any) -> str:
    """JSON text; a server that sends the object itself means the same."""
    return msgspec.json.encode(value).decode() if isinstance(value, dict) else _text(value)
