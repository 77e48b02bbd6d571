"""The token that ends a model's turn, where a server leaves it at the end of the answer."""

from __future__ import annotations

import re
from collections.abc import Iterable

from aish.core.patterns import late

_TOKENS = (
    *("<|im_end|>", "<|eot_id|>", "<|eom_id|>", "<|eot|>", "<|end|>", "<|return|>", "<|eos|>"),
    *("<|endoftext|>", "<|end_of_text|>", "<|end_of_turn|>", "<|END_OF_TURN_TOKEN|>"),
    *("<end_of_turn>", "<turn|>", "<eos>", "<｜end▁of▁sentence｜>", "[|endofturn|]"),
)
_LOOKED_AT = 4096  # characters at the end of a text; some go on with these to the end of their room
_BEFORE_A_MENTION = (" ", "\t")  # a model writes the token right after its last word


def _any_backwards(texts: Iterable[str]) -> str:
    return "|".join(re.escape(text[::-1]) for text in sorted(texts, key=len, reverse=True))


_WHOLE = _any_backwards(_TOKENS)
_BEGUN = _any_backwards({token[:n] for token in _TOKENS for n in range(1, len(token))})
# Read from the end: whole tokens, the last of them perhaps only begun.
_BACKWARDS = late(rf"(?:{_BEGUN}|\s*(?:{_WHOLE}))(?:\s*(?:{_WHOLE}))*")
_TOKEN = late("|".join(rf"{re.escape(token)}\s*" for token in _TOKENS))


class EndTokens:
    """Feed it the text in any pieces; what may be such a token is held back."""

    def __init__(self) -> None:
        self._held = self._before = ""  # the second is the last character before the first

    def feed(self, piece: str) -> str:
        if not piece:
            return ""
        known = len(self._before)
        text = self._before + self._held + piece
        cut = max(known, _tail(text))
        self._before, self._held = text[:cut][-1:], text[cut:]
        return text[known:cut]

    def finish(self) -> str:
        """Nothing follows: what is held is a token, or else the end of the text."""
        held, self._held = self._held, ""
        return _TOKEN.sub("", held)

    def begin_again(self) -> None:
        self._held = self._before = ""


def _tail(text: str) -> int:
    """Where the tokens at the end of a text begin; its length when there are none."""
    backwards = text[: -_LOOKED_AT - 1 : -1]
    found = _BACKWARDS.match(backwards)
    length = found.end() if found else 0
    mentioned = backwards[length : length + 1] in _BEFORE_A_MENTION
    return len(text) - (0 if mentioned else length)
