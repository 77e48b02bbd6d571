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
    r"|can(?:no|')t be (?:used|set)|cannot both be|invalid (?:field|key|role)"
    r"|\brole\b.{0,20} is invalid|only user and assistant|found that support|不支持",
    re.IGNORECASE,
)
# These may as well be about a value; then the part itself is taken.
_PERHAPS = late(
    r"invalid (?:parameter|argument)|may only be set"
    r"|(?:may|must) not be (?:set|used|present|specified|provided|sent|included)",
    re.IGNORECASE,
)
_VALUE = late(
    r"\b(?:between|range|greater|larger|higher|more than|less|smaller|lower|exceed\w*"
    r"|at (?:most|least)|(?:must|should) be(?! (?:used|set|removed))|too \w+)\b",
    re.IGNORECASE,
)
# And these may be about the model or its region: only what is said not to be there counts.
_ABSENT = late(
    r"([^.,;:!?]{1,80}) (?:is|are) (?:currently )?not (?:available|enabled)", re.IGNORECASE
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
    about = _not_taken(message, str(fields.get("code") or ""))
    if status not in STATUSES or not about:
        return ""
    optional = ("max_tokens", "stream_options", *spec.options)
    if param in optional:
        return param
    named = (name for name in optional if _spelled(name).search(about))
    if found := next(named, ""):
        return found
    if param == "stream" or _STREAM.search(about):
        return "stream"
    if _SYSTEM.search(about):
        return "system"
    return "tools" if param in ("tools", "tool_choice") or _TOOLS.search(about) else ""


def _not_taken(message: str, code: str) -> str:
    """The words of a complaint that say what is not taken; "" where none do."""
    words = f"{code} {message}"
    if _COMPLAINT.search(words) or (_PERHAPS.search(words) and not _VALUE.search(words)):
        return message
    return "; ".join(_ABSENT.findall(message))


def _spelled(name: str) -> re.Pattern[str]:
    """A name in a sentence, as reasoning_effort or reasoningEffort."""
    spelled = "_?".join(map(re.escape, name.split("_")))
    return re.compile(rf"(?<![A-Za-z0-9_]){spelled}(?![A-Za-z0-9_])", re.IGNORECASE)
