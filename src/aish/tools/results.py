"""What a tool gave back, as text a model can read; pictures and files are noted."""

from __future__ import annotations

import json
from collections.abc import Iterator

import mcp_types as types


def result_text(result: types.CallToolResult) -> str:
    """The parts of a result in order, and its structured form where the text does not say it."""
    parts = [part for part in map(_part, result.content) if part]
    if result.structured_content is not None:
        structured = json.dumps(result.structured_content, ensure_ascii=False, default=str)
        if not _says(parts, result.structured_content):
            parts.append(f"[structured] {structured}" if parts else structured)
    return "\n".join(parts) or "(no output)"


def _says(parts: list[str], structured: object) -> bool:
    """Whether the text already is the structured form, as servers are told to do."""
    text = "\n".join(parts)
    leaves = list(_leaves(structured))
    if all(isinstance(leaf, str) and leaf in text for leaf in leaves):
        return bool(leaves)
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return structured in (found, {"result": found})


def _leaves(value: object) -> Iterator[object]:
    if isinstance(value, dict):
        for inner in value.values():
            yield from _leaves(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _leaves(inner)
    else:
        yield value


def _part(content: object) -> str:
    match content:
        case types.TextContent(text=text):
            return text
        case (
            types.ImageContent(data=data, mime_type=kind)
            | types.AudioContent(data=data, mime_type=kind)
        ):
            return f"[{kind}, {len(data) * 3 // 4:,} bytes]"
        case types.ResourceLink(uri=uri):
            return f"[resource {uri}]"
        case types.EmbeddedResource(resource=resource):
            inside = getattr(resource, "text", None)
            return inside if isinstance(inside, str) else f"[resource {resource.uri}]"
    return ""
