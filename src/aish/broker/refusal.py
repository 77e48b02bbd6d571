"""What a server says instead of answering, as the error the user reads."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from aish.broker.said import one_line
from aish.core.context.overflow import Refusal, read_refusal
from aish.core.errors import BrokerError, Overflow, Rejected
from aish.core.messages import ModelSpec

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
NO_CREDIT = ("insufficient_quota", "billing", "insufficient_balance", "credit balance")
_COMPLAINT = re.compile(
    r"unsupported|not supported|does(?: not|n't) support|unrecogni[sz]ed|unknown|unexpected"
    r"|extra (?:inputs|fields)|not permitted|not allowed",
    re.IGNORECASE,
)
NO_MODEL = ("model_not_found", "not a valid model", "no such model", "unknown model")


class Busy(Rejected):
    """It may answer when asked again; `retry_after` is how long it asks to wait, if it says."""

    def __init__(
        self, message: str, hint: str = "", *, status: int = 0, retry_after: float | None = None
    ) -> None:
        super().__init__(message, hint, status=status)
        self.retry_after = retry_after


class Unsupported(Rejected):
    """The server does not know one of the parameters; the request may do without it."""

    def __init__(self, message: str, hint: str = "", *, status: int, parameter: str) -> None:
        super().__init__(message, hint, status=status)
        self.parameter = parameter


def refusal(
    status: int, body: bytes, spec: ModelSpec, retry_after: float | None = None
) -> BrokerError:
    """The error for an answer that is not a stream."""
    try:
        decoded = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        decoded = None
    if isinstance(decoded, list) and decoded:  # Gemini wraps its error in a list
        decoded = decoded[0]
    error: Any = ""
    if isinstance(decoded, dict):
        error = decoded.get("error") or decoded
    return error_object(error, spec, status=status, retry_after=retry_after)


def error_object(
    error: Any, spec: ModelSpec, *, status: int = 0, retry_after: float | None = None
) -> BrokerError:
    """The error for an `error` object, of whatever shape."""
    fields: Mapping[str, Any] = error if isinstance(error, dict) else {"message": error}
    message = _message(fields)
    said = read_refusal(
        status or 400, msgspec.json.encode({"error": {**fields, "message": message}})
    )
    if said.kind != "none":
        return _overflow(spec, said)
    if status in (400, 422) and (parameter := _unsupported(fields, message, spec)):
        return Unsupported(
            f"{spec.name}: the server does not know {parameter} ({status}){_quoted(message, spec)}",
            "remove it from this model's options",
            status=status,
            parameter=parameter,
        )
    kind = f"{fields.get('type')} {fields.get('code')} {message}".lower()
    if any(words in kind for words in NO_CREDIT) or status == 402:
        return Rejected(
            f"{spec.name}: there is no credit left for this key{_label(status)}"
            + _quoted(message, spec),
            "top it up with the provider, or choose another `:model`",
            status=status or 402,
        )
    if any(words in kind for words in NO_MODEL) or (status == 404 and "model" in message.lower()):
        return Rejected(
            f"{spec.name}: the server has no model {spec.model!r}{_label(status)}"
            + _quoted(message, spec),
            "`aish doctor` lists what it has; set `model` of this preset",
            status=status or 404,
        )
    return _by_status(status or _status_in(fields), message, spec, retry_after)


def _unsupported(fields: Mapping[str, Any], message: str, spec: ModelSpec) -> str:
    """The parameter of ours that a complaint is about, or ""."""
    optional = ("max_tokens", "stream_options", *spec.options)
    if not _COMPLAINT.search(f"{fields.get('code')} {message}"):
        return ""
    if fields.get("param") in optional:
        return str(fields["param"])
    return next((name for name in optional if re.search(rf"\b{re.escape(name)}\b", message)), "")


def _message(fields: Mapping[str, Any]) -> str:
    """The server's own words, wherever it puts them."""
    for name in ("message", "detail", "error", "msg"):
        value = fields.get(name)
        if isinstance(value, str) and value.strip():
            return value
        if isinstance(value, dict) and isinstance(value.get("message"), str):
            return str(value["message"])
        if isinstance(value, list) and value and isinstance(value[0], dict):
            return f"{value[0].get('loc', '')} {value[0].get('msg', '')}"  # FastAPI's validation
    return ""


def _status_in(fields: Mapping[str, Any]) -> int:
    for name in ("code", "status"):
        value = fields.get(name)
        if isinstance(value, int) and 100 <= value < 600:
            return value
        if isinstance(value, str) and value.isdecimal() and len(value) == 3:
            return int(value)
    return next((KINDS[str(fields.get(n))] for n in ("type", "code") if fields.get(n) in KINDS), 0)


def _overflow(spec: ModelSpec, said: Refusal) -> Overflow:
    numbers = f": {said.prompt_tokens:,} tokens" if said.prompt_tokens else ""
    numbers += f" for a window of {said.window:,}" if said.window else ""
    what = "the room asked for the answer" if said.kind == "output" else "the prompt"
    return Overflow(
        f"{spec.name}: the server says {what} is too long{numbers}",
        "`:reset` starts afresh; a smaller `window` in the config keeps it from happening",
        prompt_tokens=said.prompt_tokens,
        window=said.window,
        of_answer=said.kind == "output",
    )


def _by_status(status: int, message: str, spec: ModelSpec, retry_after: float | None) -> Rejected:
    said = _quoted(message, spec)
    if status in (401, 403):
        what = "refuses the API key" if status == 401 else "forbids this"
        if not spec.api_key:
            what = "wants an API key"
        return Rejected(
            f"{spec.name}: the server {what} ({status}){said}",
            "set api_key_env of this model to the variable that holds a valid key",
            status=status,
        )
    if status == 404:
        return Rejected(
            f"{spec.name}: there is no chat completion address here (404){said}",
            "check the endpoint of this model in the config",
            status=status,
        )
    if status in BUSY:
        return _busy(status, said, spec, retry_after)
    if 300 <= status < 400:
        return Rejected(
            f"{spec.name}: the server redirects elsewhere ({status}); the key is not sent there",
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


def _quoted(message: str, spec: ModelSpec) -> str:
    words = one_line(message, spec.api_key)
    return f": {words}" if words else ""
