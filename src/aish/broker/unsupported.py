"""Which part of a request a server's complaint is about, so that it can be left out."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from aish.core.messages import ModelSpec
from aish.core.patterns import late

_COMPLAINT = late(
    r"un-?supported|not (?:currently )?support|does(?: not|n't) (?:support|accept)|unrecogni[sz]ed"
    r"|unknown|unexpected|extra (?:inputs|fields)|not (?:permitted|allowed|implemented|yet impl)"
    r"|cannot be (?:used|set|combined)|must be (?:false|null|unset|omitted)|use '?max_completion"
    r"|only (?:the default|\S+ is|supports)|no longer supported|deprecated|is disabled|requires --",
    re.IGNORECASE,
)
_SYSTEM = late(
    r"\b(?:system|developer)['\"`]?[ _-]?(?:role|message|prompt|instruction)"
    r"|\brole['\"`\]:]*[^.]{0,40}\b(?:system|developer)\b",
    re.IGNORECASE,
)
_STREAM = late(r"\bstream(?:ing)?\b(?!_options)", re.IGNORECASE)
_TOOLS = late(r"\btools?\b|\btool[ _]choice\b|\bfunction call", re.IGNORECASE)
STATUSES = (400, 404, 405, 415, 422, 500, 501)


def rejected_part(fields: Mapping[str, Any], message: str, status: int, spec: ModelSpec) -> str:
    """The part of ours that a complaint is about, or ""."""
    param = str(fields.get("param") or "")
    words = f"{fields.get('code') or ''} {message}"
    if status not in STATUSES or not _COMPLAINT.search(words):
        return ""
    optional = ("max_tokens", "stream_options", *spec.options)
    if param in optional:
        return param
    named = (name for name in optional if re.search(rf"\b{re.escape(name)}\b", message))
    if found := next(named, ""):
        return found
    if param == "stream" or _STREAM.search(message):
        return "stream"
    if _SYSTEM.search(message):
        return "system"
    return "tools" if param in ("tools", "tool_choice") or _TOOLS.search(message) else ""
