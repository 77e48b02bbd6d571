"""How the servers say that a prompt is too long, and the numbers they give."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

KINDS = ("exceed_context_size", "context_length_exceeded", "model_context_window_exceeded")
# Each names the groups it can: how long the prompt is, and how large the window.
SENTENCES = tuple(
    re.compile(pattern, re.IGNORECASE | re.DOTALL)
    for pattern in (
        # vLLM and OpenAI, in three generations of the same sentence
        r"maximum context length is (?P<window>\d+) tokens.{0,120}?"
        r"\((?P<prompt>\d+) in the messages",
        r"maximum context length is (?P<window>\d+) tokens.{0,80}?\((?P<prompt>\d+) of text input",
        r"maximum context length is (?P<window>\d+) tokens.{0,200}?"
        r"(?:has|contains|resulted in)(?: at least)? (?P<prompt>\d+)(?: input)? tokens",
        r"maximum context length of (?P<window>\d+) tokens.{0,120}?"
        r"(?P<prompt>\d+) tokens from the input",
        r"maximum context length is (?P<window>\d+)",
        # SGLang
        r"input \((?P<prompt>\d+) tokens\) is longer than.{0,60}?\((?P<window>\d+) tokens\)",
        r"input \((?P<prompt>\d+) tokens\) is longer than",
        # Anthropic
        r"prompt is too long: (?P<prompt>\d+) tokens > (?P<window>\d+) maximum",
        r"exceed context limit: (?P<prompt>\d+) \+ \d+ > (?P<window>\d+)",
        # TGI
        r"inputs` must have less than (?P<window>\d+) tokens\. Given: (?P<prompt>\d+)",
        r"must be <= (?P<window>\d+)\. Given: (?P<prompt>\d+) `inputs` tokens",
        # Gemini, Mistral, Ollama, LM Studio
        r"input token count \((?P<prompt>\d+)\) exceeds.{0,60}?\((?P<window>\d+)\)",
        r"prompt contains (?P<prompt>\d+) tokens.{0,60}?model with (?P<window>\d+) maximum",
        r"(?:input|prompt)\b.{0,40}\bexceeds?\b.{0,40}\bcontext (?:length|window|size)",
        r"tokens to keep from the initial prompt is greater than the context length",
    )
)


def overflow_numbers(error: Mapping[str, Any], message: str) -> tuple[int, int] | None:
    """(prompt tokens, window) as the server gives them, 0 where it does not; None: no overflow.

    A prompt below the window means that the room asked for the answer is what does not fit.
    """
    kind = f"{error.get('type')} {error.get('code')}"
    named = any(name in kind for name in KINDS)
    numbers = _whole(error.get("n_prompt_tokens")), _whole(error.get("n_ctx"))
    if named and any(numbers):
        return numbers
    for sentence in SENTENCES:
        if found := sentence.search(message):
            groups = found.groupdict()
            return _whole(groups.get("prompt")), _whole(groups.get("window"))
    return (0, 0) if named else None


def _whole(value: Any) -> int:
    if isinstance(value, str) and value.isdecimal() and len(value) < 12:
        return int(value)
    return value if isinstance(value, int) and value > 0 else 0
