"""What an answer says for itself: not what it thinks aloud, and not what it quotes as code."""

from __future__ import annotations

import re
from collections.abc import Iterator

from aish.core.values import dataclass

_THINKING = re.compile(
    r"(?P<begin><(think|thinking)>)(?P<line>[^\n]*?)(?P<rest>(?:\n.*?)?)(?P<end></\2>|\Z)",
    re.DOTALL | re.IGNORECASE,
)
_UNOPENED = re.compile(r"\A(?P<before>.*?)</(?:think|thinking)>", re.DOTALL | re.IGNORECASE)
_FENCE = re.compile(
    r"(?P<before>[ \t]*(?:(?:>|[-*+]|\d{1,9}[.)])[ \t]+)*)"
    r"(?P<mark>`{3,}|~{3,})[ \t]*(?P<info>[^`]*)$"
)
_FENCE_LENGTH = 400  # characters; a longer line is no fence
_TICKS = re.compile(r"`+")
_LEADS_TO_A_MENTION = re.compile(r"""[ \t]["'“‘«(\[]?$""")
_AFTER_A_MENTION = " \t\"'”’»)].,;:!?"
_INDENT = 3  # columns that a fence may stand further in than the text around it
_GONE = "\0"  # stands for thinking in the middle of a line, which then begins with nothing known
_SHELLS = frozenset(
    {"bash", "console", "sh", "shell", "shell-session", "shellsession", "terminal", "zsh"}
)
_EXAMPLE_LINES = 40


class Fences:
    """Goes through the lines of a text and knows which are inside a code block.

    One may begin in a list, in a quotation or far indented: what follows is an example there too.
    It ends only at a fence that stands no further in.
    """

    def __init__(self) -> None:
        self._mark = ""
        self._before = ""  # what the fence that is open stands behind
        self.info = ""

    @property
    def open(self) -> bool:
        return bool(self._mark)

    def passes(self, line: str) -> bool:
        """Take the next line; True when it is a fence itself."""
        found = _FENCE.match(line) if may_hold_a_fence(line) else None
        if not found:
            return False
        mark, info = found["mark"], found["info"].strip()
        if not self._mark:
            self._mark, self._before, self.info = mark, found["before"], info
            return True
        longer = mark[0] == self._mark[0] and len(mark) >= len(self._mark) and not info
        if longer and self._stands_level(found["before"]):
            self._mark = ""
            return True
        return False

    def _stands_level(self, before: str) -> bool:
        """Whether a fence behind this is in the place of the one that is open."""
        if before.strip() and (set(before) - set("> \t") or ">" not in self._before):
            return False
        return _columns(before) <= max(_INDENT, _columns(self._before))


def may_hold_a_fence(text: str) -> bool:
    """The cheap half of the decision, for one line or for many at once."""
    return "```" in text or "~~~" in text


def _columns(before: str) -> int:
    return len(before.expandtabs(4))


class ReadSoFar:
    """A text that comes in pieces: whether its end is in code, or in the middle of a sentence."""

    def __init__(self) -> None:
        self._fences = Fences()
        self._line = ""  # the beginning of the line at hand
        self._last = ""  # its last two characters
        self._span = 0  # backticks that the code at hand began with; 0: none is
        self._ticks = 0  # backticks at the end

    def note(self, text: str) -> None:
        """The text goes on so."""
        end = text.find("\n")
        if end < 0:
            self._add(text)
            return
        if not may_hold_a_fence(text[end:]):  # of lines without one only the last says anything
            self._add(text[:end])
            self._next_line(text[text.rfind("\n") + 1 :])
            return
        first, *lines = text.split("\n")
        self._add(first)
        for line in lines:
            self._next_line(line)

    def _next_line(self, line: str) -> None:
        self._fences.passes(self._line.removesuffix("\r"))
        self._line, self._last, self._span, self._ticks = "", "", 0, 0
        self._add(line)

    def _add(self, part: str) -> None:
        if len(self._line) < _FENCE_LENGTH:
            self._line += part[:_FENCE_LENGTH]
        self._last = (self._last + part[-2:])[-2:]
        if "`" not in part:
            self._span, self._ticks = (self._inside, 0) if part else (self._span, self._ticks)
            return
        span, ticks = self._span, self._ticks
        if part[0] != "`":
            span, ticks = _after_ticks(span, ticks), 0
        *runs, last = _TICKS.findall(part)
        for run in runs:  # there may be millions: as `_after_ticks` has it, without the call
            ticks += len(run)
            span, ticks = 0 if span == ticks else span or ticks, 0
        ticks += len(last)
        self._span, self._ticks = (
            (span, ticks) if part[-1] == "`" else (_after_ticks(span, ticks), 0)
        )

    @property
    def _inside(self) -> int:
        """The backticks of the code that what follows now is in."""
        return _after_ticks(self._span, self._ticks)

    @property
    def in_code(self) -> bool:
        return self._fences.open or bool(self._inside)

    @property
    def may_mention(self) -> bool:
        """Whether a tag that follows now may only be spoken of: `write <think> before it`."""
        return _LEADS_TO_A_MENTION.search(self._last) is not None and bool(self._line.strip())


def _after_ticks(span: int, ticks: int) -> int:
    """The backticks of the code at hand after so many more of them; code ends with as many."""
    if not ticks or span not in (0, ticks):
        return span
    return 0 if span else ticks


def speaks_on(after: str) -> bool:
    """Whether a sentence goes on with this character after a tag that it speaks of."""
    return after != "" and after in _AFTER_A_MENTION


@dataclass(frozen=True, slots=True)
class _Line:
    text: str
    quoted: bool
    fence: bool = False


def _lines(answer: str, complete: bool) -> Iterator[tuple[_Line, Fences]]:
    lines = without_thinking(answer).split("\n")
    fences = Fences()
    for line in lines if complete else lines[:-1]:
        text = line.removesuffix("\r")
        fence = fences.passes(text)
        yield _Line(text, fences.open or fence, fence), fences


def without_thinking(answer: str) -> str:
    """The answer without what stands between think tags; an open tag hides all that follows.

    One that is only spoken of, or stands in code, hides nothing of its own line.
    """
    text = answer
    if "<" not in text:
        return text
    if "</think" in text.lower() and not _THINKING.search(text):
        text = _UNOPENED.sub(_after_thinking, text)
    return _THINKING.sub(_around_thinking, text)


def _after_thinking(found: re.Match[str]) -> str:
    return found[0] if _is_mention(found, found.end("before"), found.end()) else ""


def _around_thinking(found: re.Match[str]) -> str:
    start = found.start()
    if not found["end"] and _is_mention(found, start, found.end("begin")):
        return found["begin"] + found["line"]
    return "\n" if found.string[start - 1 : start] in ("", "\n") else _GONE


def _is_mention(found: re.Match[str], start: int, end: int) -> bool:
    """Whether the tag between these places is an example, or what a sentence speaks of."""
    read = ReadSoFar()
    read.note(found.string[:start])
    return read.in_code or (read.may_mention and speaks_on(found.string[end : end + 1]))


def spoken_lines(answer: str, *, complete: bool) -> list[str]:
    """The lines outside of thinking and code; the last counts only if the answer is complete."""
    return [line.text for line, _ in _lines(answer, complete) if not line.quoted]


def shell_examples(answer: str, *, complete: bool) -> list[str]:
    """What the answer's closed code blocks would have a shell do."""
    found: list[str] = []
    block: list[str] = []
    if not may_hold_a_fence(answer):
        return found
    for line, fences in _lines(answer, complete):
        if not line.fence:
            block += [line.text] if line.quoted else []
        elif fences.open:
            block = []
        elif is_shell(fences.info):
            found += _commands(block)
    return found


def is_shell(info: str) -> bool:
    """Whether a code block that says this of itself is shell code."""
    return (info.split() or [""])[0].lower() in _SHELLS


def _commands(block: list[str]) -> list[str]:
    """A block as one command; of a transcript the lines that were typed."""
    typed = [line.removeprefix("$ ") for line in block if line.startswith("$ ")]
    text = "\n".join(typed or block).strip()
    return [text] if text and len(block) <= _EXAMPLE_LINES else []
