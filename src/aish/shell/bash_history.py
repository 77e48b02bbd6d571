"""What bash keeps of a line in its history: the line as it expanded it, or nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

UNKNOWN = b"?"  # the newest line, where bash cannot say it
_ENTRY = re.compile(rb" *\d+[* ] (.*?)\n?", re.DOTALL)
_FORGETS = re.compile(
    r"(?:^|[;&|(\n]|\b(?:do|then)\b)[ \t]*(?:(?:builtin|command)\s+)?history\s+-([cd])"
)
_CLEARS_AND_ENDS = re.compile(
    r"[ \t]*(?:(?:builtin|command)[ \t]+)?history[ \t]+-cw?[ \t]*(?:;|&&)[ \t]*"
    r"(?:exit|logout)[ \t]*;?[ \t]*"
)
_READS = re.compile(r"\bhistory\s+-\w*[nr]")  # clears it only to read it anew


def forgets(line: str) -> bool:
    """Whether a line is there to take lines out of bash's history."""
    return bool(_FORGETS.search(line)) and not _READS.search(line)


def forgets_all(line: str) -> bool:
    """Whether a line takes out everything and ends the shell, so that none is left to ask."""
    return _CLEARS_AND_ENDS.fullmatch(line) is not None


def plain(line: str) -> str:
    """A line without its layout: bash writes `; ` for the ends of lines within a command."""
    return " ".join(line.replace(";", " ").split())


def listed(answer: bytes, mark: str) -> list[tuple[int, str]] | None:
    """The numbers and lines in what `history` printed, with the mark before each line.

    None for a list that does not end with the mark: not all of it came.
    """
    whole = answer.removesuffix(mark.encode() + b".")
    if whole == answer:
        return None
    _, *parts = re.split(rb" *(\d+)[* ] " + mark.encode(), whole)
    texts = (part.decode("utf-8", "surrogateescape").removesuffix("\n") for part in parts[1::2])
    return list(zip(map(int, parts[::2]), texts, strict=True))


def forgotten(
    before: list[tuple[int, str]], after: list[tuple[int, str]], line: str
) -> Iterator[str]:
    """What a line took out of bash's lines, itself too; not what the new one pushed out."""
    left = {text for _, text in after}
    pushed = after[0][0] - before[0][0] if before and after else 0
    lines = (text for _, text in before[max(0, pushed) :])
    yield from (text for text in (*lines, line) if text not in left)


class KeptLine:
    """One line on its way through bash; tells once what bash keeps of it ("" for nothing).

    `before` is the newest line of bash's history before this one was read.
    """

    def __init__(self, line: str, before: bytes, tell: Callable[[str], None]) -> None:
        self._line = line
        self._newest = before
        self._is_repeat = _text(before) == line
        self._tell = tell
        self._texts: list[str] = []
        self._begun = self._told = False

    def begins(self, newest: bytes) -> None:
        """A command of the line is about to run; of several, a later one may still change."""
        if newest == UNKNOWN:
            self._say(self._line)
        self._see(newest)
        self._begun = True
        several = "\n" in self._line
        if self._texts and not (several and ("!" in self._line or "^" in self._line)):
            self._say(self._line if several else self._texts[0])

    def ends(self, newest: bytes) -> None:
        """All of it has run, or was refused; a command may have changed the history itself."""
        if newest == UNKNOWN:
            self._say(self._line)
        if not self._begun or "\n" in self._line:
            self._see(newest)
        kept = "\n".join(self._texts)
        # That it is a repeat is no reason to bash alone: words to the model may stand between.
        unchanged = plain(kept) == plain(self._line) or (self._is_repeat and not kept)
        self._say(self._line if unchanged else kept)

    def _see(self, newest: bytes) -> None:
        if newest not in (self._newest, b""):
            self._texts.append(_text(newest))
        self._newest = newest

    def _say(self, text: str) -> None:
        if not self._told:
            self._told = True
            self._tell(text)


def _text(entry: bytes) -> str:
    found = _ENTRY.fullmatch(entry)
    return found[1].decode("utf-8", "surrogateescape") if found else ""
