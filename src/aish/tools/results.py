"""What a tool gave back, as text a model can read; pictures and files are noted."""

from __future__ import annotations

import json

import mcp_types as types

MOST_CHARS = 4 * 1024 * 1024  # of one result; the conversation keeps far less


def result_text(result: types.CallToolResult) -> str:
    """The parts of a result in order; the structured form where there is no text."""
    parts = [_part(content) for content in result.content]
    if not any(parts) and result.structured_content is not None:
        parts = [json.dumps(result.structured_content, ensure_ascii=False, default=str)]
    text = "\n".join(part for part in parts if part)
    if len(text) > MOST_CHARS:
        half = MOST_CHARS // 2
        text = f"{text[:half]}\n[... {len(text) - 2 * half:,} characters cut ...]\n{text[-half:]}"
    return text or "(no output)"


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
