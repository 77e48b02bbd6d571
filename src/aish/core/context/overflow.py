"""Reading a server's refusal: was the prompt too long, or the room asked for the answer?"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, Literal

Kind = Literal["prompt", "output", "none"]


@dataclass(frozen=True, slots=True)
class Refusal:
    """What a refusal says, in the server's own numbers; 0 where it gives none."""

    kind: Kind
    prompt_tokens: int = 0
    window: int = 0
    output_tokens: int = 0


NO_OVERFLOW = Refusal("none")

# Each pattern is one server's sentence; its named groups are the numbers in it, `output` being what
# was asked for the answer. One that contains another stands before it.
_SENTENCES: tuple[re.Pattern[str], ...] = tuple(
    re.compile(pattern.replace("{N}", r"\d[\d,_]*"), re.IGNORECASE | re.DOTALL)
    for pattern in (
        # OpenAI, OpenRouter, vLLM: "... maximum context length is 8192 tokens. However, you
        # requested [about] 9000 tokens (8000 in the messages, 1000 in the completion)"
        r"maximum context length (?:is|of) (?P<window>{N}) tokens.*?requested (?:about )?"
        r"(?P<total>{N})(?: output)? tokens\s*\("
        r"(?P<prompt>{N}) (?:in the messages|of text input|in your prompt)[^)]*?"
        r"(?:(?:, |; )(?P<output>{N}) (?:in|for) the (?:completion|output)[^)]*)?\)",
        # vLLM: "... you requested 512 output tokens and your prompt contains [at least] 4000 input
        # tokens, for a total of ..."
        r"maximum context length (?:is|of) (?P<window>{N}) tokens.*?requested (?P<output>{N}) "
        r"output tokens and your prompt contains (?:at least )?(?P<prompt>{N})",
        # vLLM: "'max_tokens' is too large: 5000. This model's maximum context length is 4096 tokens
        # and your request has 20 input tokens"
        r"max(?:_completion)?_tokens['`\"]?(?: \w+)* (?:is )?too large: (?P<output>{N}).*?"
        r"maximum (?:context|model) length (?:is|of) (?P<window>{N}).*?"
        r"request has (?P<prompt>{N}) input",
        # vLLM, OpenAI: "... your messages resulted in | your request has | your prompt contains
        # [at least] 5000 [input] tokens"
        r"maximum (?:context|model) length (?:is|of) (?P<window>{N})(?: tokens)?.*?"
        r"(?:resulted in|request has|contains) (?:at least )?(?P<prompt>{N}) (?:input )?tokens",
        # SGLang: "The input (5000 tokens) is longer than the model's context length (4096 tokens)."
        r"input \((?P<prompt>{N}) tokens\) is longer than(?: the model's context length)?"
        r"[^\d]*(?P<window>{N})?",
        # SGLang: "... maximum context length of 4096 tokens. You requested a total of 5000 tokens:
        # 4000 tokens from the input messages and 1000 tokens for the completion."
        r"maximum context length of (?P<window>{N}) tokens.*?total of (?P<total>{N}) tokens: "
        r"(?P<prompt>{N}) tokens from the input messages and (?P<output>{N}) tokens for",
        # SGLang: "Input length (160062 tokens) exceeds the maximum allowed length (59862 tokens)."
        r"input length \((?P<prompt>{N}) tokens\) exceeds the maximum allowed length "
        r"\((?P<window>{N})",
        # Anthropic: "prompt is too long: 210000 tokens > 200000 maximum"
        r"prompt is too long: (?P<prompt>{N}) tokens > (?P<window>{N}) maximum",
        # Anthropic: "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000"
        r"max_tokens['`\"]? exceed context limit: (?P<prompt>{N}) \+ (?P<output>{N}) > "
        r"(?P<window>{N})",
        # TGI: "`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 4000 `inputs` tokens and
        # 512 `max_new_tokens`", and "`inputs` must have less than 4095 tokens. Given: 5000"
        r"max_new_tokens['`\"]? must be <= (?P<window>{N})\. Given: (?P<prompt>{N}) "
        r"[`']?inputs[`']? tokens and (?P<output>{N})",
        r"inputs[`']? must have less than (?P<window>{N}) tokens\. Given: (?P<prompt>{N})",
        # llama.cpp: "request (5000 tokens) exceeds the available context size (4096 tokens)", older
        # ones without the numbers
        r"request(?: \((?P<prompt>{N}) tokens\))? exceeds the available context size"
        r"(?: \((?P<window>{N}) tokens\))?",
        # Gemini: "input token count (12) exceeds the maximum number of tokens allowed (10)"
        r"input token count \(?(?P<prompt>{N})\)? exceeds the maximum number of tokens allowed "
        r"\(?(?P<window>{N})",
        # LM Studio: "tokens to keep from the initial prompt is greater than the context length (4)"
        r"greater than the context length(?: \(?(?:n_ctx: )?(?P<window>{N}))?",
        # vLLM's engine: "The prompt (total length 25938) is too long to fit into the model (context
        # length 4096)", and "Input prompt (35247 tokens) is too long and exceeds limit of 1000"
        r"prompt \((?:total length )?(?P<prompt>{N})(?: tokens)?\) is too long "
        r"(?:to fit into the model \(context length |and exceeds limit of )(?P<window>{N})",
        # Mistral: "Prompt contains 40000 tokens ... too large for model with 32768 maximum context"
        r"prompt contains (?P<prompt>{N}) tokens.*?too large for model with (?P<window>{N}) max",
        r"context (?:length|window|size|limit)[^.]{0,40}?(?:exceed|too long|overflow)",
        r"exceed\w*[^.]{0,60}context (?:length|window|size|limit)",
    )
)
_OUTPUT_ONLY = re.compile(
    r"max(?:_completion|_new)?_tokens['`\"]?(?: \w+)*? (?:is )?"
    r"(?:too large|too high|must be (?:less|at most))"
    r"|max(?:_completion|_new)?_tokens['`\"]?: \d+ >",
    re.IGNORECASE,
)
_CODES = ("context_length_exceeded", "exceed_context_size_error", "context_window_exceeded")


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
    found = next(filter(None, (sentence.search(message) for sentence in _SENTENCES)), None)
    if found is not None:
        return _from_sentence(found, message)
    if _OUTPUT_ONLY.search(message):
        return Refusal("output")
    known = any(name in code or name in message for name in _CODES)
    too_large = status == 413 and "token" in message.lower()
    return Refusal("prompt", prompt, window) if known or too_large else NO_OVERFLOW


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


def output_room(refusal: Refusal) -> int:
    """The `max_tokens` that would have been accepted, 0 if the numbers do not say."""
    return max(0, refusal.window - refusal.prompt_tokens) if refusal.window else 0


def _error_of(text: str) -> dict[str, Any]:
    try:
        answer = json.loads(text)
    except ValueError:
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
    return int(text.replace(",", "").replace("_", ""))
