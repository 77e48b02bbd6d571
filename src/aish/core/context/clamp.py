"""Shortening one text to its head and tail, with a note of what is missing."""

from __future__ import annotations

from aish.core.context.families import Tokenizer

_NOTE = "\n[... {cut} characters cut ...]\n"
_SHORT_NOTE = "[cut]"
_CHARS_PER_TOKEN = 16  # no ordinary text packs more into a token on average


def clamp_chars(text: str, limit: int) -> str:
    """The head and tail of a text in at most `limit` characters, cut between code points."""
    if len(text) <= limit:
        return text
    note = _NOTE.format(cut=len(text))
    kept = limit - len(note)
    if kept < 2:
        return _SHORT_NOTE if len(_SHORT_NOTE) <= limit else ""
    tail = kept // 2
    head = kept - tail
    return text[:head] + _NOTE.format(cut=len(text) - kept) + text[len(text) - tail :]


def tail_chars(text: str, limit: int) -> str:
    """The last `limit` characters of a text, with a note where there is room for one."""
    if len(text) <= limit:
        return text
    note = _NOTE.format(cut=len(text)).lstrip("\n")
    if limit <= 2 * len(note):
        return text[len(text) - limit :] if limit > 0 else ""
    kept = limit - len(note)
    return _NOTE.format(cut=len(text) - kept).lstrip("\n") + text[len(text) - kept :]


def clamp_tokens(text: str, limit: int, tokenizer: Tokenizer) -> str:
    """The head and tail of a text in at most `limit` tokens; never counts more than it may keep."""
    if limit <= 0:
        return ""
    chars = limit * _CHARS_PER_TOKEN
    if len(text) <= chars:
        used = tokenizer.count(text)
        if used <= limit:
            return text
        chars = _fewer(len(text), limit, used)
    while chars > 0:
        shorter = clamp_chars(text, chars)
        used = tokenizer.count(shorter)
        if used <= limit:
            return shorter
        chars = _fewer(chars, limit, used)
    return ""


def _fewer(chars: int, limit: int, used: int) -> int:
    """How many characters to try after so many took too many tokens."""
    return min(chars - 1, int(chars * limit / used * 0.97))
