"""Answers of a scripted model that call tools."""

from __future__ import annotations

import json

from support.scripted import STREAM_HEADERS, Step, end_events, event


def calling(name: str, **arguments: object) -> list[Step]:
    """An answer that calls a tool, its arguments in two pieces."""
    text = json.dumps(arguments)
    half = len(text) // 2
    first = {"index": 0, "id": "c1", "function": {"name": name, "arguments": text[:half]}}
    second = {"index": 0, "function": {"arguments": text[half:]}}
    pieces = [
        event({"choices": [{"index": 0, "delta": {"tool_calls": [piece]}}]})
        for piece in (first, second)
    ]
    return [STREAM_HEADERS, *pieces, end_events(finish="tool_calls")]
