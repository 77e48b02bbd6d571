"""Whether a request says anything at all."""

from __future__ import annotations

import re
from collections.abc import Callable

READ = 2000  # characters of a request that are looked at
WORDS = 50
LEAST = 3  # letters of a word; two fit by chance
_WORD = re.compile(r"[a-z]{2,40}(?![a-z])")


def is_strange(request: str, has: Callable[[str], bool]) -> bool:
    """Whether a request is no words: no letter but Latin ones, no word, no program.

    Other languages say something too, and a number may be a sum.
    """
    from aish.core.classify.funcwords import ENGLISH, FOREIGN, IMPERATIVES
    from aish.core.context.common_words import COMMON_WORDS

    head = request[:READ].lower()
    if not head.isascii() or any(map(str.isdigit, head)):
        return False
    known = COMMON_WORDS | ENGLISH | FOREIGN | IMPERATIVES
    words = _WORD.findall(head)[:WORDS]
    return not any((len(word) >= LEAST and word in known) or has(word) for word in words)
