"""Shortening one text to its head and tail, with a note of what is missing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aish.core.patterns import late

if TYPE_CHECKING:
    from aish.core.context.tokenizer_registry import Tokenizer

_NOTE = "\n[... {cut} characters cut ...]\n"
_LEFT_OUT = " [...]"  # of one line
# What stands where something was left out of a text, an output or a line.
CUT = late(r"\n?\[\.\.\. \d+ (?:characters|bytes) cut \.\.\.\]\n| ?\[\.\.\.\] ?")
_BETWEEN = ("\n", ",;", " \t")  # where a text is cut best, if that is not far
_WORD = 400  # characters: further away nobody looks
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
    first, last = whole_head(text[:head]), whole_tail(text[len(text) - tail :])
    return first + _NOTE.format(cut=len(text) - len(first) - len(last)) + last


def tail_chars(text: str, limit: int) -> str:
    """The last `limit` characters of a text, with a note where there is room for one."""
    if len(text) <= limit:
        return text
    note = _NOTE.format(cut=len(text)).lstrip("\n")
    if limit <= 2 * len(note):
        mark = f"{_LEFT_OUT.lstrip()} "
        kept = limit - len(mark)
        return mark + whole_tail(text[len(text) - kept :]) if kept > 0 else ""
    kept = limit - len(note)
    last = whole_tail(text[len(text) - kept :])
    return _NOTE.format(cut=len(text) - len(last)).lstrip("\n") + last


def line_head(text: str, limit: int) -> str:
    """The beginning of a line in at most `limit` characters, in whole words where they are short.

    What hides secrets comes later, and must see where something was cut.
    """
    if len(text) <= limit:
        return text
    head = text[: max(0, limit - len(_LEFT_OUT))]
    end = head.rfind(" ", len(head) // 2)
    return head[: end if end > 0 else None].rstrip() + _LEFT_OUT if head else ""


def line_ends(text: str, limit: int) -> str:
    """The beginning and the end of a line, in about so many characters."""
    if len(text) <= limit:
        return text
    tail = text[len(text) - limit // 3 :]
    head = line_head(text, limit - len(tail))
    return f"{head} {tail[tail.find(' ', 0, len(tail) // 2) + 1 :]}"


def whole_head(text: str) -> str:
    """A text without what a cut at its end went through: half a secret is not known as one."""
    least = len(text) - min(_WORD, len(text) // 4)
    for between in _BETWEEN:
        if (end := max(text.rfind(ch, least) for ch in between) + 1) > least:
            return text[:end]
    return text


def whole_tail(text: str) -> str:
    """The same for a cut at its beginning."""
    most = min(_WORD, len(text) // 4)
    for between in _BETWEEN:
        if starts := [at + 1 for ch in between if (at := text.find(ch, 0, most)) >= 0]:
            return text[min(starts) :]
    return text


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
