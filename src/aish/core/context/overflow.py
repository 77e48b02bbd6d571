"""Reading a server's refusal: was the prompt too long, or the room asked for the answer?"""

from __future__ import annotations

import json
import re
from typing import Any, Literal

from aish.core.context.refusal_sentences import CODES, RATE_LIMIT, SENTENCES
from aish.core.patterns import late
from aish.core.values import dataclass

OverflowKind = Literal["prompt", "output", "none"]


@dataclass(frozen=True, slots=True)
class Refusal:
    """What a refusal says, in the server's own numbers; 0 where it gives none."""

    kind: OverflowKind
    prompt_tokens: int = 0
    window: int = 0
    output_tokens: int = 0


NO_OVERFLOW = Refusal("none")
MOST_DIGITS = 15

_SENTENCES: tuple[re.Pattern[str], ...] = tuple(
    late(sentence.pattern.replace("{N}", r"\d[\d,_]*"), re.IGNORECASE | re.DOTALL)
    for sentence in SENTENCES
)
_RATE_LIMIT = late(RATE_LIMIT, re.IGNORECASE)
_OUTPUT_ONLY = late(
    r"max(?:_completion|_new)?_tokens['`\":]{0,2}(?: [\w()'`\"]+){0,8}? (?:is )?"
    r"(?:too large|too high|must be (?:less|at most)|(?:must not|may not|cannot) exceed"
    r"|(?:must not|may not|cannot) be (?:greater|more|larger|higher|above)"
    r"|(?:should|must) be (?:in|within)(?: the)? range)"
    r"|max(?:_completion|_new)?_tokens['`\"]?: \d+ >"
    r"|valid range of max(?:_completion|_new)?_tokens is"
    r"|maxOutputTokens value of \d+ but|maximum tokens you requested exceeds the model limit",
    re.IGNORECASE,
)
# Only where a code says already that it is about lengths.
_STATED = late(
    r"\bmax(?:imum)? (?:context|sequence|model|input)[ _](?:length|window|size)"
    r"(?: (?:is|of))?:? (\d[\d,_]*)",
    re.IGNORECASE,
)


def read_refusal(status: int, body: bytes | str) -> Refusal:
    """What an error answer says about lengths; kind "none" if it is about something else."""
    text = body.decode("utf-8", "replace") if isinstance(body, bytes) else body
    error = _error_of(text)
    if status < 400 and not error:
        return NO_OVERFLOW
    message = _message_of(error) or text
    code = f"{error.get('type', '')} {error.get('code', '')}"
    window, prompt = _number(error, "n_ctx"), _number(error, "n_prompt_tokens")
    if prompt and window:
        return Refusal("prompt", prompt, window)
    if status == 429 or (status != 413 and _RATE_LIMIT.search(f"{code} {message}")):
        return NO_OVERFLOW
    found = next(filter(None, (sentence.search(message) for sentence in _SENTENCES)), None)
    if found is not None:
        return _from_sentence(found, message)
    if _OUTPUT_ONLY.search(message):
        return Refusal("output")
    known = any(name in code or name in message for name in CODES) and _of_messages(error)
    # Whatever a 413 says, or if it says nothing: the request was too large.
    return _by_code(message, prompt, window) if known or status == 413 else NO_OVERFLOW


def _of_messages(error: dict[str, Any]) -> bool:
    """Whether it may be about what was said: a long name has the code of a long text."""
    param = error.get("param")
    named = param if isinstance(param, str) else ""
    return not named or named.startswith(("messages", "input", "prompt", "max_"))


def _by_code(message: str, prompt: int, window: int) -> Refusal:
    stated = _STATED.search(message)
    return Refusal("prompt", prompt, window or (_int(stated[1]) if stated else 0))


def _from_sentence(found: re.Match[str], message: str) -> Refusal:
    numbers = {name: _int(value) for name, value in found.groupdict().items() if value}
    prompt, window = numbers.get("prompt", 0), numbers.get("window", 0)
    output = numbers.get("output", 0)
    if not prompt and "total" in numbers and output:
        prompt = numbers["total"] - output
    # The prompt alone fits: it is the room asked for the answer that does not.
    asked_too_much = bool(output) and bool(window) and 0 < prompt < window
    if asked_too_much or (not prompt and _OUTPUT_ONLY.search(message)):
        return Refusal("output", prompt, window, output)
    return Refusal("prompt", prompt, window, output)


def _error_of(text: str) -> dict[str, Any]:
    try:
        answer = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    if isinstance(answer, list) and answer:
        answer = answer[0]
    if not isinstance(answer, dict):
        return {}
    error = answer.get("error", answer if "message" in answer or "detail" in answer else {})
    if isinstance(error, str):
        return {"message": error}
    if not isinstance(error, dict):
        return {}
    # OpenRouter puts the provider's own words in a string inside the metadata.
    metadata = error.get("metadata")
    if isinstance(metadata, dict) and isinstance(metadata.get("raw"), str):
        return {**error, "message": f"{error.get('message', '')} {metadata['raw']}"}
    return error


def _message_of(error: dict[str, Any]) -> str:
    for name in ("message", "detail", "error"):
        value = error.get(name)
        if isinstance(value, str):
            return value
        if value:
            return json.dumps(value)
    return ""


def _number(error: dict[str, Any], name: str) -> int:
    value = error.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def _int(text: str) -> int:
    """A number of a sentence; one that is nobody's window says nothing."""
    digits = text.replace(",", "").replace("_", "")
    return int(digits) if len(digits) <= MOST_DIGITS else 0
