"""Which part of a request a server's complaint is about, so that it can be left out."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from aish.core.messages import UNSIGNED, UNTHOUGHT, ModelSpec
from aish.core.patterns import late

_COMPLAINT = late(
    r"un-?supported|not (?:currently )?support|does(?: not|n't) (?:support|accept|allow)"
    r"|extra (?:inputs|fields)|not (?:permitted|allowed|implemented|yet impl)"
    r"|cannot be (?:used|set|combined)|must be (?:false|null|unset|omitted)|use '?max_completion"
    r"|only (?:the default|\S+ is|supports)|is disabled|requires --"
    r"|can(?:no|')t be (?:used|set)|cannot both be|invalid (?:field|key|role)"
    r"|\brole\b.{0,20} is invalid|only user and assistant|found that support|不支持",
    re.IGNORECASE,
)
# What a server did not know or expect may be anything that went wrong there. It is a complaint
# about a field that is spelled out, and about other parts where it says that they are fields.
_NOT_KNOWN = late(r"unknown|unexpected|unrecogni[sz]ed|not recogni[sz]ed", re.IGNORECASE)
_NO_FIELD = late(
    r"un(?:known|expected|recogni[sz]ed) (?:\w+ ){0,2}(?:fields?|keys?|names?|param(?:eter)?s?"
    r"|arguments?|propert(?:y|ies)|options?|roles?)\b",
    re.IGNORECASE,
)
# These may as well be about a value; then the part itself is taken.
_PERHAPS = late(
    r"invalid (?:parameter|argument)|may only be set"
    r"|not (?:a )?valid (?:parameter|argument|field|option)|parameter \S+ is (?:invalid|not valid)"
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
    r"([^.,;:!?]{1,80}) (?:is|are|has been) (?:currently )?"
    r"(?:not (?:available|enabled)|deprecated|no longer supported)",
    re.IGNORECASE,
)
_SYSTEM = late(
    r"\b(?:system|developer)['\"`]?[ _-]?(?:role|message|prompt|instruction)"
    r"|\brole['\"`\]:]*[^.]{0,40}\b(?:system|developer)\b|only user and assistant roles",
    re.IGNORECASE,
)
# Roles that a server lists; what follows "got" or "not" is the one that is none of them.
_ROLES = late(
    r"\broles?\b.{0,80}?(?:should|must|permitted|supported|allowed|only)"
    r"((?:(?!\b(?:got|found|received|not|but)\b).){0,80})",
    re.IGNORECASE | re.DOTALL,
)
_STREAM = late(r"\bstream(?:ing)?\b(?!_options)", re.IGNORECASE)
_TOOLS = late(r"\btools?\b|\btool[ _]choice\b|\bfunction call", re.IGNORECASE)
# What a server's own answers came with, and what it says where that does not come back.
_OWN = late(r"\b(?:(reasoning[_ ]content)|thought_?signature)\b", re.IGNORECASE)
_LACKING = late(
    r"\bmissing\b|\bmust (?:be (?:passed|provided|included|present)|include|contain|have)\b"
    r"|\brequire[sd]?\b|\bpassed back\b",
    re.IGNORECASE,
)
STATUSES = (400, 404, 405, 415, 422, 500, 501)


def rejected_part(fields: Mapping[str, Any], message: str, status: int, spec: ModelSpec) -> str:
    """The part of ours that a complaint is about, or ""."""
    param = str(fields.get("param") or "")
    words = f"{fields.get('code') or ''} {message}"
    if status not in STATUSES:
        return ""
    if (own := _OWN.search(message)) and _LACKING.search(message):
        return UNTHOUGHT if own[1] else UNSIGNED
    about = _not_taken(words, message)
    if about or _NOT_KNOWN.search(words):
        optional = ("max_tokens", "stream_options", *spec.options)
        spelled = (name for name in optional if _spelled(name).search(about or message))
        if found := param if param in optional else next(spelled, ""):
            return found
    return _part_in(about, param) or ("system" if _only_other_roles(f"{param} {message}") else "")


def _part_in(about: str, param: str) -> str:
    """The part that these words say is not taken, where it has no name of its own."""
    if not about:
        return ""
    if param == "stream" or _STREAM.search(about):
        return "stream"
    if _SYSTEM.search(about):
        return "system"
    return "tools" if param in ("tools", "tool_choice") or _TOOLS.search(about) else ""


def _not_taken(words: str, message: str) -> str:
    """The words of a complaint that say what is not taken; "" where none do."""
    perhaps = _PERHAPS.search(words) and not _VALUE.search(words)
    if perhaps or _COMPLAINT.search(words) or _NO_FIELD.search(words):
        return message
    return "; ".join(_ABSENT.findall(message))


def _only_other_roles(words: str) -> bool:
    """Whether the roles that may be are listed, and the system's is none of them.

    Templates that know none say that roles must alternate.
    """
    listed = _ROLES.search(words)
    roles = listed[1].lower() if listed and "optional system" not in words.lower() else ""
    return "user" in roles and "assistant" in roles and "system" not in roles


def _spelled(name: str) -> re.Pattern[str]:
    """A name in a sentence, as reasoning_effort or reasoningEffort."""
    spelled = "_?".join(map(re.escape, name.split("_")))
    return re.compile(rf"(?<![A-Za-z0-9_]){spelled}(?![A-Za-z0-9_])", re.IGNORECASE)
