"""Counts already made, remembered per tokenizer: never one model's count for another's."""

from __future__ import annotations

from aish.core.context.tokenizer_registry import Tokenizer

MOST_CHARS = 16_000_000
_MOST_TOKENIZERS = 16


class _Counts:
    """What one tokenizer counted, forgotten all at once when it grows too big.

    Threads may share it: at worst two of them count the same text.
    """

    __slots__ = ("chars", "known", "tokenizer")

    def __init__(self, tokenizer: Tokenizer) -> None:
        self.tokenizer = tokenizer  # held, so that its id stays its own
        self.known: dict[str, int] = {}
        self.chars = 0

    def count(self, text: str) -> int:
        if self.chars > MOST_CHARS:
            self.known, self.chars = {}, 0
        found = self.known[text] = self.tokenizer.count(text)
        self.chars += len(text) + 64
        return found


_counts: dict[int, _Counts] = {}


def count_text(tokenizer: Tokenizer, text: str) -> int:
    """The tokens of a text, remembered."""
    if not text:
        return 0
    counts = _counts.get(id(tokenizer)) or _new_counts(tokenizer)
    found = counts.known.get(text)
    return counts.count(text) if found is None else found


def _new_counts(tokenizer: Tokenizer) -> _Counts:
    """A place for one more tokenizer; the one that came first makes room for it."""
    while len(_counts) >= _MOST_TOKENIZERS:
        # Listing them is one act, whatever other threads do; going through them is not.
        _counts.pop(list(_counts)[0], None)  # noqa: RUF015
    made = _counts[id(tokenizer)] = _Counts(tokenizer)
    return made
