"""What a server says instead of answering, as the error the user reads."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from aish.broker.address import secrets_of, shown_address, signs_in
from aish.broker.decoding import UNREADABLE, decoded
from aish.broker.error_text import one_line
from aish.broker.unsupported import rejected_part
from aish.core.context.overflow import Refusal, read_refusal
from aish.core.errors import BrokerError, Overflow, Rejected
from aish.core.messages import ModelSpec
from aish.core.patterns import late

BUSY = (408, 409, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529)
KINDS = {  # for errors that come without a status, in the middle of a stream
    "rate_limit_error": 429,
    "rate_limit_exceeded": 429,
    "overloaded_error": 529,
    "server_error": 500,
    "api_error": 500,
    "unavailable_error": 503,
    "authentication_error": 401,
    "permission_error": 403,
    "not_found_error": 404,
}
NO_CREDIT = late(
    r"insufficient_quota|insufficient[ _](?:balance|credit|funds)|credit balance|billing_\w+_limit"
    r"|not enough credit|out of credit|arrears|payment required|budget (?:has been )?exceeded"
    r"|\bkey limit exceeded|free tier [^.]{0,40}exhausted|reached your [^.]{0,20}usage limit"
    r"|余额不足|欠费",
    re.IGNORECASE,
)
USED_UP = late(
    r"exceeded your (?:current )?quota|quota (?:is |has been )?(?:exceeded|exhausted)|billing"
    r"|spend(?:ing)? limit|no credit|exceeded for (?:this|the) (?:day|week|month)",
    re.IGNORECASE,
)
COMES_BACK = late(
    r"per[ _-]?min(?:ute)?\b|per[ _-]?second|perminute|\b[rt]pm\b|retry in|try again in|retrydelay"
    r"|rate.?limit|wait before (?:re)?try|try again later",
    re.IGNORECASE,
)
TOO_FAST = late(r"rate.?limit|too many requests|throttl", re.IGNORECASE)
_PARTS = r"(?:\d{1,6}(?:\.\d{1,9})? ?(?:ms|minutes?|m(?:in)?|seconds?|sec|s|hours?|h)(?![a-z]) ?)+"
_PLAIN = re.IGNORECASE | re.ASCII  # or `ſ` would be an `s`
WAIT = late(rf'(?:(?:re)?try(?: again)? (?:in|after) |"retrydelay": ?")({_PARTS})', _PLAIN)
_TIME = late(r"(\d+(?:\.\d+)?) ?([a-z]+)", _PLAIN)
QUOTA_ID = late(r'"quotaId":"(\w{1,99})')
WAIT_WITHIN = 8192  # bytes of an error that are searched
UNITS = {
    **dict.fromkeys(("ms",), 0.001),
    **dict.fromkeys(("s", "sec", "second", "seconds"), 1.0),
    **dict.fromkeys(("m", "min", "minute", "minutes"), 60.0),
    **dict.fromkeys(("h", "hour", "hours"), 3600.0),
}
PER_DAY = late(
    r"per[ _-]?(?:day|week|month)|\b[rt]pd\b|\b(?:dai|week|month)ly\b|this (?:week|month)",
    re.IGNORECASE,
)
BAD_KEY = late(
    r"api[ _]?key (?:is )?(?:not valid|invalid|incorrect|expired|not found)"
    r"|(?:invalid|incorrect|expired) api[ _]?key|invalid_api_key|api_key_invalid",
    re.IGNORECASE,
)
# What is never closed goes on to the end, so that no beginning is looked at twice.
_NOT_WORDS = late(r"<!--.*?(?:-->|\Z)|<(script|style)\b.*?(?:</\1>|\Z)", re.IGNORECASE | re.DOTALL)
_TITLE = late(r"<title\b[^<>]*>([^<]*)</title>", re.IGNORECASE)
_TAG = late(r"<[^<>]*>")
_NO_CHARACTER = late(r"&#\w{9,};?")  # a number of thousands of digits could not even be read
READABLE = 64 * 1024  # bytes of a page or text that are looked at for words
# A sentence about lengths under another status is about a rate, a key or a price.
MAY_BE_OVERFLOW = (0, 400, 413, 422, 500, 502)
NO_MODEL = (
    *("model_not_found", "not a valid model", "no such model", "unknown model"),
    *("model not exist", "invalid model name"),
)


class Busy(Rejected):
    """It may answer when asked again; `retry_after` is how long it asks to wait, if it says."""

    def __init__(
        self, message: str, hint: str = "", *, status: int = 0, retry_after: float | None = None
    ) -> None:
        super().__init__(message, hint, status=status)
        self.retry_after = retry_after


# A gateway says so, as it says 5xx, after the work may have been done: it or we took too long.
GIVEN_UP = (408, 499)


class Unsupported(Rejected):
    """The server does not take one part of the request; it may do without it."""

    def __init__(self, message: str, hint: str = "", *, status: int, parameter: str) -> None:
        super().__init__(message, hint, status=status)
        self.parameter = parameter


def refusal(
    status: int, body: bytes, spec: ModelSpec, retry_after: float | None = None
) -> BrokerError:
    """The error for an answer that is not a stream."""
    said, error = _complaint(body)
    found = error_object(error, spec, status=status, retry_after=retry_after)
    found.worked = status < 300 or status >= 500 or status in GIVEN_UP or _after_work(said)
    return found


def _complaint(body: bytes) -> tuple[Any, Any]:
    """What a refusal's body says, and what of it is the complaint."""
    try:
        said = decoded(body)
    except UNREADABLE:
        said = readable(body)
    if isinstance(said, list) and said:  # Gemini wraps its error in a list
        said = said[0]
    error = complaint_in(said) or said if isinstance(said, dict) else said
    return said, error


def quoted_body(body: bytes, spec: ModelSpec) -> str:
    """The end of an error line, with the server's own words in the body of a refusal."""
    _, error = _complaint(body)
    return quoted(_message(error if isinstance(error, dict) else {"message": error}), spec)


def _after_work(said: Any) -> bool:
    """Whether a refusal says itself that something was read or written, which is billed.

    Azure judges a prompt before it refuses it, Groq an answer; others report the usage.
    """
    if not isinstance(said, dict):
        return False
    error = said.get("error")
    fields = {**said, **error} if isinstance(error, dict) else said
    return _filtered(fields) or any(fields.get(name) for name in ("usage", "failed_generation"))


def _filtered(fields: Mapping[str, Any]) -> bool:
    """Whether it was what was asked that nobody wants to answer."""
    return str(fields.get("code")).lower() in ("content_filter", "content_policy_violation")


def complaint_in(answer: Mapping[str, Any]) -> Any:
    """What an answer says went wrong; None when its `error` says nothing.

    Where that is only a flag, a code or a name, the words stand beside it.
    """
    error = answer.get("error")
    if not error or isinstance(error, dict):
        return error if error and any(error.values()) else None
    bare = not isinstance(error, str | list)
    return answer if bare or words_in({**answer, "error": None}) else error


def readable(body: bytes) -> str:
    """The words at the beginning of a page or text that is no JSON."""
    text = body[:READABLE].decode("utf-8", "replace")
    if "<" not in text[:200]:
        return text
    from html import unescape

    title = _TITLE.search(text)
    words = title[1] if title else ""
    if not words.strip():
        words = _TAG.sub(" ", _NOT_WORDS.sub(" ", text))
    return unescape(_NO_CHARACTER.sub(" ", words))


def error_object(
    error: Any, spec: ModelSpec, *, status: int = 0, retry_after: float | None = None
) -> BrokerError:
    """The error for an `error` object, of whatever shape."""
    fields: Mapping[str, Any] = error if isinstance(error, dict) else {"message": error}
    message = _message(fields)
    named = " ".join(str(fields.get(name)) for name in ("type", "code", "status", "error"))
    kind = f"{named} {_quota_ids(fields)}{message}"
    found = status or _status_in(fields, kind)  # a proxy may say it as an event of the stream
    if found in MAY_BE_OVERFLOW and not (COMES_BACK.search(kind) or PER_DAY.search(kind)):
        said = read_refusal(
            found or 400, msgspec.json.encode({"error": {**fields, "message": message}})
        )
        if said.kind != "none":
            return _overflow(spec, said, message)
    if part := rejected_part(fields, message, found, spec):
        return Unsupported(
            f"{spec.name}: the server does not take {part} ({found}){quoted(message, spec)}",
            "remove it from this model's options" if part in spec.options else "",
            status=found,
            parameter=part,
        )
    if found == 402 or _no_credit(found, kind):
        return Rejected(
            f"{spec.name}: there is no credit or quota left for this key{_label(status)}"
            + quoted(message, spec),
            "look at the provider's page, or choose another `:model`",
            status=found or 402,
        )
    if any(words in kind.lower() for words in NO_MODEL) or (
        status == 404 and re.search(r"\bmodels?\b", message, re.IGNORECASE)
    ):
        return Rejected(
            f"{spec.name}: the server has no model {spec.model!r}{_label(status)}"
            + quoted(message, spec),
            "`aish doctor` lists what it has; set `model` of this preset",
            status=status or 404,
        )
    if _filtered(fields) or _flagged(fields):
        return Rejected(
            f"{spec.name}: the provider's content filter refuses the question{_label(status)}"
            + quoted(message, spec),
            "ask differently",
            status=found or 400,
        )
    wait = retry_after if retry_after is not None else _wait_in(fields)
    return _by_status(found, message, spec, wait)


def _flagged(fields: Mapping[str, Any]) -> bool:
    """OpenRouter judges for its providers, and says so among its own facts."""
    metadata = fields.get("metadata")
    return isinstance(metadata, dict) and "flagged_input" in metadata


def _no_credit(status: int, kind: str) -> bool:
    """Whether asking again is no use: the money or the quota is gone, not only the rate."""
    if status not in (0, 400, 402, 403, 429):
        return False
    if NO_CREDIT.search(kind) or (status == 429 and PER_DAY.search(kind)):
        return True
    return bool(USED_UP.search(kind)) and not COMES_BACK.search(kind)


def _quota_ids(fields: Mapping[str, Any]) -> str:
    """Which limits were met, where only the details say so (Gemini): by the minute or the day."""
    details = msgspec.json.encode(fields.get("details"))[:WAIT_WITHIN].decode("utf-8", "replace")
    return "".join(f"{name} " for name in QUOTA_ID.findall(details))


def _wait_in(fields: Mapping[str, Any]) -> float | None:
    """The wait that the words ask for, where no header does: Gemini and OpenAI say it so."""
    asked = WAIT.search(msgspec.json.encode(fields)[:WAIT_WITHIN].decode("utf-8", "replace"))
    if asked is None:
        return None
    parts = [float(number) * UNITS[unit.lower()] for number, unit in _TIME.findall(asked[1])]
    return sum(parts)


def words_in(fields: Mapping[str, Any]) -> str:
    """The server's own words, wherever it puts them."""
    return next(filter(None, map(_words, map(fields.get, _PLACES))), "")


def _message(fields: Mapping[str, Any]) -> str:
    """The server's own words; else all that it sent."""
    found = words_in(fields)
    metadata = fields.get("metadata")
    raw = metadata.get("raw") if isinstance(metadata, dict) else None
    if isinstance(raw, str) and raw.strip():  # OpenRouter: what the provider behind it said
        found = f"{found}: {raw}" if found else raw
    if found or not fields:
        return found
    return msgspec.json.encode(fields).decode() if any(fields.values()) else ""


_PLACES = (
    *("message", "detail", "error_description", "error", "msg", "error_message", "error_msg"),
    *("errors", "reason", "description", "details", "messages", "title", "base_resp", "status_msg"),
)


def _words(value: Any) -> str:
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, dict):
        return next(filter(None, map(_words, map(value.get, _PLACES))), "")
    if isinstance(value, list) and value:
        first = value[0]
        if isinstance(first, dict) and "msg" in first:  # FastAPI's validation
            return f"{first.get('loc', '')} {first['msg']}".strip()
        return _words(first)
    return ""


def _status_in(fields: Mapping[str, Any], kind: str) -> int:
    """The status that an error names itself, or that its words amount to; 0: none."""
    for name in ("code", "status"):
        value = str(fields.get(name))
        if len(value) == 3 and value[0] in "45" and value.isascii() and value.isdecimal():
            return int(value)
    kinds = (str(fields.get(name)) for name in ("type", "code"))
    named = next((KINDS[kind] for kind in kinds if kind in KINDS), 0)
    return named or (429 if TOO_FAST.search(kind) else 0)


def _overflow(spec: ModelSpec, said: Refusal, message: str) -> Overflow:
    numbers = f": {said.prompt_tokens:,} tokens" if said.prompt_tokens else ""
    numbers += f" for a window of {said.window:,}" if said.window else ""
    what = "the room asked for the answer" if said.kind == "output" else "the prompt"
    return Overflow(
        f"{spec.name}: the server says {what} is too long{numbers}{quoted(message, spec)}",
        "`:reset` starts afresh; a smaller `window` in the config keeps it from happening",
        prompt_tokens=said.prompt_tokens,
        window=said.window,
        of_answer=said.kind == "output",
    )


def _by_status(status: int, message: str, spec: ModelSpec, retry_after: float | None) -> Rejected:
    said = quoted(message, spec)
    if status in (401, 403) or (status == 400 and BAD_KEY.search(message)):
        hint = "set api_key_env of this model to the variable that holds a valid key"
        what = "forbids this" if status == 403 else "refuses the API key"
        if not signs_in(spec):
            what = "wants an API key"
        elif not spec.api_key:
            hint = "check the login in its endpoint, or its headers and query in the config"
            what = what.replace("API key", "login")
        return Rejected(f"{spec.name}: the server {what} ({status}){said}", hint, status=status)
    if status == 404:
        return Rejected(
            f"{spec.name}: there is no chat completion address at "
            f"{shown_address(spec.endpoint)} (404){said}",
            "check the endpoint of this model in the config",
            status=status,
        )
    if status in BUSY:
        return _busy(status, said, spec, retry_after)
    if 300 <= status < 400:
        return Rejected(
            f"{spec.name}: the server redirects elsewhere ({status}); nothing is sent there{said}",
            "set the endpoint in the config to the final address",
            status=status,
        )
    if status >= 500:
        return Rejected(
            f"{spec.name}: the server failed ({status}){said}",
            "ask again; if it goes on, look at the server's log",
            status=status,
        )
    return Rejected(
        f"{spec.name}: the server rejects the request{_label(status)}{said}",
        "`aish doctor` checks every endpoint",
        status=status,
    )


def _busy(status: int, said: str, spec: ModelSpec, retry_after: float | None) -> Busy:
    wait = f"wait {retry_after:.0f} s" if retry_after else "wait a little"
    if status == 429:
        message = f"{spec.name}: too many requests ({status}){said}"
        hint = f"{wait}, or choose another `:model`"
    else:
        message = f"{spec.name}: the server failed or is busy ({status}){said}"
        hint = f"{wait} and ask again; if it goes on, look at the server's log"
    return Busy(message, hint, status=status, retry_after=retry_after)


def _label(status: int) -> str:
    return f" ({status})" if status else ""


def quoted(message: str, spec: ModelSpec) -> str:
    """The end of an error line: what the server said, and never what it was sent as a secret."""
    words = one_line(message, secrets_of(spec))
    return f': "{words}"' if words else ""
