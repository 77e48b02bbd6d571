"""The token that ends a model's turn, where a server leaves it, and what is said after it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from aish.core.patterns import late
from aish.core.spoken import ReadSoFar

_TOKENS = (
    *("<|im_end|>", "<|eot_id|>", "<|eom_id|>", "<|eot|>", "<|end|>", "<|return|>", "<|eos|>"),
    *("<|endoftext|>", "<|end_of_text|>", "<|end_of_turn|>", "<|END_OF_TURN_TOKEN|>"),
    *("<end_of_turn>", "<turn|>", "<eos>", "<｜end▁of▁sentence｜>", "[|endofturn|]"),
)
# What begins the next turn, which is not the model's.
_NEXT = (
    *("<|im_start|>", "<|im_user|>", "<|start_header_id|>", "<|header_start|>", "<|start|>user"),
    *(
        "<|user|>",
        "<|START_OF_TURN_TOKEN|>",
        "<start_of_turn>",
        "<|turn>",
        "<｜User｜>",
        "[|user|]",
    ),
)
_NEXT_OPENS = ("<|", "<｜", "<start_of", "[|")  # one of them is in each
_LOOKED_AT = 4096  # characters at the end of a text; some go on with these to the end of their room
_BEFORE_A_MENTION = (" ", "\t")  # a model writes the token right after its last word


def _any(texts: Iterable[str]) -> str:
    return "|".join(map(re.escape, texts))


def _any_backwards(texts: Iterable[str]) -> str:
    return _any(text[::-1] for text in sorted(texts, key=len, reverse=True))


_WHOLE = _any_backwards(_TOKENS)
_BEGUN = _any_backwards({token[:n] for token in _TOKENS + _NEXT for n in range(1, len(token))})
# Read from the end: whole tokens, the last of them perhaps only begun.
_BACKWARDS = late(rf"(?:{_BEGUN}|\s*(?:{_WHOLE}))(?:\s*(?:{_WHOLE}))*")
_TOKEN = late("|".join(rf"{re.escape(token)}\s*" for token in _TOKENS))
_BEGINS = late(rf"(?P<ended>(?:{_any(_TOKENS)})\s*)?(?:{_any(_NEXT)})")


class EndTokens:
    """Feed it the text in any pieces; what may be such a token is held back.

    A model that nobody stops goes on with the next turn and speaks as the user: that is left out.
    An answer that shows how a turn begins, or one after the other in code, explains them.
    """

    def __init__(self) -> None:
        self.begin_again()

    def begin_again(self) -> None:
        self._held = self._before = ""  # the second is the last character before the first
        self._read = ReadSoFar()  # all before what is held
        self._explains = False
        self.over = False  # the turn is, and the model goes on

    def feed(self, piece: str) -> str:
        if self.over or not piece:
            return ""
        text, held = self._held + piece, len(self._held)
        cut = _tail(text)
        if 0 < cut < held:  # so many of them that not all were looked at
            self.over, self._held = True, ""
            return ""
        cut = self._read_on(text, cut)
        self._before, self._held = text[:cut][-1:] or self._before, "" if self.over else text[cut:]
        return text[:cut]

    def _read_on(self, text: str, end: int) -> int:
        """Where the answer ends that goes on with this text up to here."""
        start = 0
        may_begin = not self._explains and any(sign in text for sign in _NEXT_OPENS)
        for found in _BEGINS.finditer(text, 0, end) if may_begin else ():
            ended = _tail(text[: found.end("ended")]) if found["ended"] else found.start()
            self._read.note(text[start:ended])
            start = ended
            if self._read.in_code:
                continue
            before = text[ended - 1] if ended else self._before
            self.over = bool(found["ended"]) and before not in _BEFORE_A_MENTION
            if self.over:
                return ended
            self._explains = True
            break
        self._read.note(text[start:end])
        return end

    def finish(self) -> str:
        """Nothing follows: what is held is a token, or else the end of the text."""
        held, self._held = self._held, ""
        return held if self._before in _BEFORE_A_MENTION else _TOKEN.sub("", held)


def _tail(text: str) -> int:
    """Where the tokens at the end of a text begin; its length when there are none."""
    found = _BACKWARDS.match(text[: -_LOOKED_AT - 1 : -1])
    return len(text) - (found.end() if found else 0)
