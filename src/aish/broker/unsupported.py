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
    r"|only (?:the default|\S+ is|supports)|no longer supported|deprecated|is disabled|requires --"
    r"|not (?:available|enabled)|can(?:no|')t be (?:used|set)|cannot both be|may (?:only|not) be"
    r"|must not|invalid (?:parameter|argument|field|key|role)|\brole\b.{0,20} is invalid"
    r"|only user and assistant|found that support|不支持",
    re.IGNORECASE,
)
_SYSTEM = late(
    r"\b(?:system|developer)['\"`]?[ _-]?(?:role|message|prompt|instruction)"
    r"|\brole['\"`\]:]*[^.]{0,40}\b(?:system|developer)\b|only user and assistant roles",
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
    named = (name for name in optional if _spelled(name).search(message))
    if found := next(named, ""):
        return found
    if param == "stream" or _STREAM.search(message):
        return "stream"
    if _SYSTEM.search(message):
        return "system"
    return "tools" if param in ("tools", "tool_choice") or _TOOLS.search(message) else ""


def _spelled(name: str) -> re.Pattern[str]:
    """A name in a sentence, as reasoning_effort or reasoningEffort."""
    spelled = "_?".join(map(re.escape, name.split("_")))
    return re.compile(rf"(?<![A-Za-z0-9_]){spelled}(?![A-Za-z0-9_])", re.IGNORECASE)
