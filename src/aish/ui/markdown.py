"""Markdown while it streams: words appear as they arrive, styled, and are never painted twice.

Text flows word by word; a span such as **bold** waits for its end; code is highlighted line by
line; only a table waits until it is whole, because its columns depend on all its rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from aish.core.actions import command_in_line
from aish.ui.highlight import CodeHighlighter
from aish.ui.style import (
    BOLD,
    CYAN,
    DIM,
    GREEN,
    GREY,
    ITALIC,
    RESET,
    STRIKE,
    UNDERLINE,
    escaped,
    harmless,
)

LONGEST_LINE = 16 * 1024  # characters; a longer line is not laid out
LONGEST_SPAN = 240  # an opening mark without its end by then is just a character

_SPAN = re.compile(
    r"(?P<code>`+)(?P<code_text>.+?)(?P=code)(?!`)"
    r"|\*\*(?P<bold>\S(?:.*?\S)?)\*\*"
    r"|(?<!\w)__(?P<bold2>\S[^_]*? [^_]*?\S)__(?!\w)"  # one word is a name, like __init__
    r"|(?<![\w*])\*(?P<italic>[^\s*](?:[^*]*?[^\s*])?)\*(?![\w*])"
    r"|(?<![\w_])_(?P<italic2>[^\s_](?:[^_]*?[^\s_])?)_(?![\w_])"
    r"|~~(?P<strike>\S(?:.*?\S)?)~~"
    r"|\[(?P<label>[^\]\[]+)\]\((?P<url>[^()\s]+)\)"
    r"|\\(?P<escape>[\\`*_{}\[\]()#+.!~>|-])"
)
_OPENING = re.compile(r"`|\*|(?<!\w)_|~~|\[|\\$")
_SPECIAL = frozenset("`*_~[\\")
_BLOCK_START = re.compile(
    r"(?P<indent>\s*)(?:"
    r"(?P<heading>\#{1,6})\s+"
    r"|(?P<bullet>[-*+])\s+(?P<box>\[[ xX]\]\s+)?"
    r"|(?P<number>\d{1,9}[.)])\s+"
    r"|(?P<quote>>)\s?"
    r")(?=\S)"
)
_MAYBE_BLOCK = re.compile(r"\s*(?:#{1,6}\s*|[-*+_=]+\s*(?:\[[ xX]?\]?\s*)?|\d{1,9}[.)]?\s*|>\s?)?$")
_FENCE = re.compile(r"(?P<indent>\s*)(?P<mark>`{3,}|~{3,})\s*(?P<language>[\w+#.-]*)[^`]*$")
_RULE = re.compile(r"\s*([-*_])(\s*\1){2,}\s*$")
_WHOLE_LINE = re.compile(
    r"\s*(?:`{3,}|~{3,}|`{1,2}$|~{1,2}$|\||C(?:M(?:D(?:&?(?::.*)?)?)?)?$|CMD&?:)"
)


class MarkdownStream:
    """Feed it an answer in pieces; what it returns goes to the terminal as it is."""

    def __init__(self, width: int = 80) -> None:
        self._width = max(width - 1, 10)
        self._line = ""  # what has arrived of the current line and is not shown yet
        self._flowing = False  # the current line's block is known and its words are flowing
        self._column = 0
        self._indent = ""
        self._base = ""  # the style of the whole line (a heading, a quote)
        self._gap = ""  # white space before the next word
        self._fence = ""
        self._code: CodeHighlighter | None = None
        self._table: list[str] = []
        self._length = 0  # of the current line so far
        self._raw = False  # it is shown as it comes
        self._blank = True  # nothing shown yet, or a blank line just was

    def feed(self, text: str) -> str:
        """Take a piece of the answer; return what can be shown now."""
        out: list[str] = []
        *lines, rest = harmless(text).split("\n")
        for line in lines:
            if self._raw:
                out.extend(self._end_raw(line))
            else:
                self._line += line
                out.extend(self._end_line())
            self._length = 0
        self._length += len(rest)
        if self._raw:
            out.append(rest)
        else:
            self._line += rest
            if self._length > LONGEST_LINE:
                out.extend(self._begin_raw())
            elif self._line:
                out.extend(self._show_part())
        return "".join(out)

    def _begin_raw(self) -> Iterator[str]:
        """Nobody wrote a line of this length for its layout: the rest of it comes as it is."""
        yield from self._end_table()
        self._raw, self._blank = True, False
        yield self._gap + self._line
        self._line = self._gap = ""

    def _end_raw(self, rest: str) -> Iterator[str]:
        self._raw = False
        yield rest
        yield from self._end_block()

    def close(self) -> str:
        """The answer is over: show what was held back."""
        out: list[str] = []
        if self._raw:
            out.extend(self._end_raw(""))
        elif self._line or self._flowing:
            out.extend(self._end_line())
        out.extend(self._end_table())
        return "".join(out)

    # ── a line that is still arriving ────────────────────────────────────────────────────────

    def _show_part(self) -> Iterator[str]:
        if not self._flowing:
            if self._fence or _WHOLE_LINE.match(self._line) or _MAYBE_BLOCK.match(self._line):
                return
            yield from self._open_block()
        ready, self._line = _ready(self._line)
        yield from self._flow(ready)

    def _open_block(self) -> Iterator[str]:
        """The line's kind is known: show its mark and let its words flow."""
        yield from self._end_table()
        self._flowing = True
        self._blank = False
        start = _BLOCK_START.match(self._line)
        if start is None:
            indent = len(self._line) - len(self._line.lstrip())
            self._indent = " " * min(indent, 8)
            self._line = self._line.lstrip()
            yield self._indent
            self._column = len(self._indent)
            return
        self._line = self._line[start.end() :]
        margin = start["indent"].replace("\t", "    ")
        if start["heading"]:
            self._base = BOLD + (UNDERLINE if len(start["heading"]) == 1 else "")
            self._indent = ""
            yield self._base
        elif start["quote"]:
            self._base = DIM
            self._indent = f"{margin}{GREY}│{RESET} "
            yield self._indent + self._base
            self._column = len(margin) + 2
        else:
            box = {"x": "☑", "X": "☑", " ": "☐"}[start["box"][1]] if start["box"] else "•"
            mark = start["number"] or box
            self._indent = " " * (len(margin) + len(mark) + 1)
            yield f"{margin}{CYAN}{mark}{RESET} "
            self._column = len(self._indent)

    # ── a line that has ended ────────────────────────────────────────────────────────────────

    def _end_line(self) -> Iterator[str]:
        line, self._line = self._line, ""
        if self._flowing:
            yield from self._flow(line)
            yield from self._end_block()
        elif self._fence:
            yield from self._code_line(line)
        elif not line.strip():
            yield from self._end_table()
            if not self._blank:
                yield "\n"
            self._blank = True
        else:
            yield from self._whole_line(line)

    def _whole_line(self, line: str) -> Iterator[str]:
        if line.lstrip().startswith("|"):
            self._table.append(line.strip())
            return
        yield from self._end_table()
        self._blank = False
        if fence := _FENCE.match(line):
            self._fence = fence["mark"]
            self._code = CodeHighlighter(fence["language"].lower())
        elif proposal := command_in_line(line):
            mark = "❯&" if proposal.background else "❯"
            yield f"{BOLD}{GREEN}{mark}{RESET} {BOLD}{escaped(proposal.command)}{RESET}\n"
        elif _RULE.match(line):
            yield f"{GREY}{'─' * min(self._width, 60)}{RESET}\n"
        else:
            self._line = line
            yield from self._open_block()
            text, self._line = self._line, ""
            yield from self._flow(text)
            yield from self._end_block()

    def _end_block(self) -> Iterator[str]:
        yield (RESET if self._base else "") + "\n"
        self._flowing = False
        self._base = self._indent = self._gap = ""
        self._column = 0

    def _code_line(self, line: str) -> Iterator[str]:
        if line.strip().startswith(self._fence) and not line.strip().strip(self._fence[0]):
            self._fence = ""
            self._code = None
            return
        assert self._code is not None  # noqa: S101  (a fence has its highlighter)
        yield f"  {self._code.line(line.expandtabs(4))}\n"

    # ── words ────────────────────────────────────────────────────────────────────────────────

    def _flow(self, text: str) -> Iterator[str]:
        """Show text within the width, at word ends where it can."""
        for style, run in _spans(text):
            for piece in re.split(r"(\s+)", run) if " " in run or "\t" in run else (run,):
                if not piece:
                    continue
                if piece.isspace():
                    self._gap = " "
                    continue
                yield from self._word(piece, style)

    def _word(self, word: str, style: str) -> Iterator[str]:
        size = _columns(word)
        gap, self._gap = self._gap, ""
        if self._column + len(gap) + size > self._width and self._column > len(self._indent):
            yield f"{RESET if self._base else ''}\n{self._indent}{self._base}"
            self._column = _columns(_unstyled(self._indent))
            gap = ""
        self._column += len(gap) + size
        yield f"{gap}{style}{word}{RESET}{self._base}" if style else gap + word

    # ── tables ───────────────────────────────────────────────────────────────────────────────

    def _end_table(self) -> Iterator[str]:
        if self._table:
            rows, self._table = self._table, []
            self._blank = False
            yield from _table(rows, self._width)


def _ready(text: str) -> tuple[str, str]:
    """Split what can be shown now from an unfinished word or span at the end."""
    if _SPECIAL.isdisjoint(text):
        cut = text.rfind(" ") + 1
        return text[:cut], text[cut:]
    if len(text) > LONGEST_SPAN:
        return text, ""
    masked = _SPAN.sub(lambda found: "x" * len(found[0]), text)
    opening = _OPENING.search(masked)
    cut = masked.rfind(" ", 0, opening.start() if opening else None) + 1
    return text[:cut], text[cut:]


def _spans(text: str) -> Iterator[tuple[str, str]]:
    """The text as (style, run) pieces with the marks removed."""
    if _SPECIAL.isdisjoint(text):
        yield "", text
        return
    shown = 0
    for found in _SPAN.finditer(text):
        if found.start() > shown:
            yield "", text[shown : found.start()]
        shown = found.end()
        if found["code"]:
            yield CYAN, found["code_text"].strip() or found["code_text"]
        elif bold := found["bold"] or found["bold2"]:
            yield BOLD, bold.replace("`", "")
        elif italic := found["italic"] or found["italic2"]:
            yield ITALIC, italic
        elif found["strike"]:
            yield STRIKE, found["strike"]
        elif found["label"]:
            yield UNDERLINE, found["label"]
            if found["url"] != found["label"]:
                yield GREY, f" ({found['url']})"
        else:
            yield "", found["escape"]
    if shown < len(text):
        yield "", text[shown:]


@lru_cache(maxsize=2048)
def _columns(text: str) -> int:
    """How many cells a word takes on the screen."""
    if text.isascii():
        return len(text)
    from wcwidth import wcswidth

    size: int = wcswidth(text)
    return size if size >= 0 else len(text)


def _unstyled(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def _table(rows: list[str], width: int) -> Iterator[str]:
    """Aligned columns; as written when they do not fit or are no table."""
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]
    is_table = len(rows) > 1 and all(re.fullmatch(r":?-+:?", cell) for cell in cells[1])
    if not is_table:
        yield from (f"{row}\n" for row in rows)
        return
    body = [cells[0], *cells[2:]]
    count = max(len(row) for row in body)
    body = [[*row, *[""] * (count - len(row))] for row in body]
    plain = [["".join(run for _, run in _spans(cell)) for cell in row] for row in body]
    sizes = [max(_columns(row[index]) for row in plain) for index in range(count)]
    if sum(sizes) + 3 * (count - 1) > width:
        yield from (f"{row}\n" for row in rows)
        return
    for number, row in enumerate(body):
        shown = []
        for index, cell in enumerate(row):
            base = BOLD if number == 0 else ""
            text = "".join(
                f"{base}{style}{run}{RESET}" if base or style else run
                for style, run in _spans(cell)
            )
            shown.append(text + " " * (sizes[index] - _columns(plain[number][index])))
        yield " │ ".join(shown).rstrip() + "\n"
        if number == 0:
            yield GREY + "─┼─".join("─" * size for size in sizes) + RESET + "\n"
