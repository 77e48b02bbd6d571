"""Counting tokens: the tokenizer registry, whole messages, and what usage reports teach."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from aish.core.context.estimate import ANY, CLAUDE, GPT
from aish.core.messages import Message

MESSAGE_OVERHEAD = 5  # role and separators of one message in a ChatML-like template
REPLY_OVERHEAD = 4  # what opens the answer
CALL_OVERHEAD = 12  # the JSON or tags around one tool call
TOOLS_OVERHEAD = 40  # the template's own words about how to call tools
IMAGE_TOKENS = 1100  # a large picture; vision models take 85 to 1,600 whatever the file's size
LOW_DETAIL_IMAGE_TOKENS = 85


class Tokenizer(Protocol):
    """Counts text the way one family of models does, always the same for the same text."""

    @property
    def name(self) -> str: ...

    def count(self, text: str) -> int: ...


_families: dict[str, Tokenizer] = {
    "gpt": GPT,
    "chatgpt": GPT,
    "o1": GPT,
    "o3": GPT,
    "o4": GPT,
    "claude": CLAUDE,
}


def register_tokenizer(family: str, tokenizer: Tokenizer) -> None:
    """Use `tokenizer` for every model whose name begins with `family`, whatever its case."""
    if not family.strip():
        raise ValueError("a tokenizer family needs a name")
    _families[family.strip().lower()] = tokenizer


def get_tokenizer(model: str | None = None) -> Tokenizer:
    """The tokenizer for a model: its exact name, else the longest family, else the estimate."""
    if not model:
        return ANY
    name = model.strip().lower()
    for candidate in (name, name.rsplit("/", 1)[-1]):  # "openai/gpt-4o" is of the family gpt-4o
        if candidate in _families:
            return _families[candidate]
        families = [family for family in _families if candidate.startswith(family)]
        if families:
            return _families[max(families, key=len)]
    return ANY


class _Counts:
    """Counts already made by one tokenizer, forgotten all at once when they grow too big."""

    MOST_CHARS = 16_000_000

    def __init__(self, tokenizer: Tokenizer) -> None:
        self.tokenizer = tokenizer  # held, so that its id stays its own
        self.known: dict[str, int] = {}
        self._chars = 0

    def count(self, text: str) -> int:
        found = self.known.get(text)
        if found is None:
            self._chars += len(text) + 64
            if self._chars > self.MOST_CHARS:
                self.known.clear()
                self._chars = len(text)
            found = self.known[text] = self.tokenizer.count(text)
        return found


_counts: dict[int, _Counts] = {}
_MOST_TOKENIZERS = 16


def count_text(tokenizer: Tokenizer, text: str) -> int:
    """The tokens of a text, remembered per tokenizer: never one model's count for another's."""
    if not text:
        return 0
    counts = _counts.get(id(tokenizer))
    if counts is None:
        if len(_counts) >= _MOST_TOKENIZERS:
            _counts.clear()
        counts = _counts[id(tokenizer)] = _Counts(tokenizer)
    return counts.count(text)


def count_message(message: Mapping[str, Any], tokenizer: Tokenizer) -> int:
    """The tokens of one chat message with what its template adds."""
    total = MESSAGE_OVERHEAD + _count_content(message.get("content"), tokenizer)
    if message.get("name"):
        total += 1 + count_text(tokenizer, str(message["name"]))
    for call in message.get("tool_calls") or ():
        function = call.get("function") or {}
        arguments = function.get("arguments") or ""
        if not isinstance(arguments, str):
            arguments = json.dumps(arguments, ensure_ascii=False)
        total += CALL_OVERHEAD
        total += count_text(tokenizer, str(function.get("name") or ""))
        total += count_text(tokenizer, arguments)
    return total


def _count_content(content: object, tokenizer: Tokenizer) -> int:
    if isinstance(content, str):
        return count_text(tokenizer, content)
    if isinstance(content, Sequence):
        return sum(_count_part(part, tokenizer) for part in content)
    return 0


def _count_part(part: object, tokenizer: Tokenizer) -> int:
    if isinstance(part, str):
        return count_text(tokenizer, part)
    if not isinstance(part, Mapping):
        return 0
    if isinstance(part.get("text"), str):
        return count_text(tokenizer, part["text"])
    image = part.get("image_url")
    low = isinstance(image, Mapping) and image.get("detail") == "low"
    # A data URI's length says how well the picture compresses, not what the model sees of it.
    return LOW_DETAIL_IMAGE_TOKENS if low else IMAGE_TOKENS


def count_tools(tools: Sequence[Mapping[str, Any]] | None, tokenizer: Tokenizer) -> int:
    """The tokens of the tool definitions sent along with a request."""
    if not tools:
        return 0
    text = json.dumps(list(tools), ensure_ascii=False, sort_keys=True, default=str)
    return TOOLS_OVERHEAD + count_text(tokenizer, text)


def count_messages(
    messages: Iterable[Mapping[str, Any]],
    tokenizer: Tokenizer,
    tools: Sequence[Mapping[str, Any]] | None = None,
) -> int:
    """The tokens of a whole request."""
    body = sum(count_message(message, tokenizer) for message in messages)
    return body + REPLY_OVERHEAD + count_tools(tools, tokenizer)


def estimate_tokens(
    messages: Sequence[Message] | str,
    model: str | None = None,
    tools: Sequence[Mapping[str, Any]] | None = None,
) -> int:
    """The tokens a model will probably count for these messages (or for one plain text)."""
    tokenizer = get_tokenizer(model)
    if isinstance(messages, str):
        return count_text(tokenizer, messages)
    return count_messages(messages, tokenizer, tools)


class Calibration:
    """How far a model's real counts are from our own, learned from the usage it reports."""

    LOWEST, HIGHEST = 0.4, 2.5
    _FADE = 0.7  # each lesson weighs this much less than the one after it

    def __init__(self) -> None:
        self._ours = 0.0
        self._real = 0.0

    @property
    def learned(self) -> bool:
        return self._ours > 0

    @property
    def factor(self) -> float:
        """Multiply our count by this to get the model's."""
        if not self.learned:
            return 1.0
        return min(self.HIGHEST, max(self.LOWEST, self._real / self._ours))

    def learn(self, ours: int, real: int) -> None:
        """Take in one report; too small a piece teaches nothing but rounding."""
        if ours < 40 or real <= 0:
            return
        self._ours = self._ours * self._FADE + ours
        self._real = self._real * self._FADE + real
