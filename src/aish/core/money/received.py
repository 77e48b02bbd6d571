"""What of an answer has arrived, in tokens: the fewest it can be, and how many it hardly passes."""

from __future__ import annotations

from aish.core.messages import Delta, Usage

CHARACTERS = 12  # more of them than this in a token is not seen on average in any answer,
BYTES = 18  # nor more of these, where letters have several
FEW_BYTES = 3  # and fewer than this hardly ever


class Received:
    """Counts an answer as it arrives; the pieces it comes in do not matter."""

    def __init__(self) -> None:
        self._characters = 0
        self._words = 0
        self._bytes = 0
        self._unread = 0  # characters
        self._between = True  # the last character was none of a word
        self.usage: Usage | None = None

    def __bool__(self) -> bool:
        return self._characters > 0

    def take(self, delta: Delta) -> None:
        calls = (text for call in delta.tool_calls for text in (call.name, call.arguments))
        for text in (delta.text, delta.reasoning, delta.refusal, *calls):
            if text:
                self._add(text)
        self._unread += delta.unread
        if delta.usage is not None:
            self.usage = larger(self.usage, delta.usage)

    def _add(self, text: str) -> None:
        words = len(text.split())
        if words and not self._between and not text[0].isspace():
            words -= 1  # the rest of a word that had begun
        self._words += words
        self._characters += len(text)
        plain = text.isascii()
        self._bytes += len(text) if plain else len(text.encode("utf-8", "surrogatepass"))
        self._between = text[-1].isspace()

    @property
    def least_tokens(self) -> int:
        """A token never spans two words."""
        return max(self._words, self._characters // CHARACTERS, self._bytes // BYTES)

    @property
    def many_tokens(self) -> int:
        """As many as it is for a tokenizer that knows its language badly, with what is not read."""
        return max(self._words, self._bytes // FEW_BYTES) + self.unread_tokens

    @property
    def unread_tokens(self) -> int:
        """Written and billed like all others, though nobody here knows what for."""
        return self._unread // CHARACTERS


def larger(first: Usage | None, second: Usage) -> Usage:
    """What two reports of one request say at most: the later may be zeros, or only a part."""
    if first is None:
        return second
    return Usage(
        _most(first.prompt_tokens, second.prompt_tokens),
        _most(first.completion_tokens, second.completion_tokens),
        _most(first.cached_tokens, second.cached_tokens),
        first.cost if second.cost is None else max(second.cost, first.cost or 0.0),
        _most(first.cache_write_tokens, second.cache_write_tokens),
        _most(first.reasoning_tokens, second.reasoning_tokens),
        _most(first.total_tokens, second.total_tokens),
    )


def _most(first: int | None, second: int | None) -> int | None:
    return second if first is None else max(first, second or 0)
