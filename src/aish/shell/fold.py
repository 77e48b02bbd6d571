"""Terminal output as the text a screen would show: escapes gone, repaints folded, valid UTF-8."""

from __future__ import annotations

import re
import unicodedata

_TOKEN = re.compile(
    r"\x1b\[([0-9;:<=>?]*)[ -/]*([@-~])"  # CSI: parameters, final
    r"|\x1b[\]PX^_].*?(?:\x07|\x1b\\|\Z)"  # strings: titles, links, device control
    r"|\x1b[ -/]*[0-~]?"  # other escapes
    r"|[\x00-\x1f\x7f-\x9f]",  # controls
    re.DOTALL,
)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
# Bytes that text has no use for; a screen shows nothing for them.
_ODD_BYTES = bytes(b for b in range(32) if b not in b"\a\b\t\n\v\f\r\x0e\x0f\x1b")


def fold(data: bytes, columns: int = 0, rows: int = 24) -> str:
    """The text that is left on a screen after these bytes; a note instead of binary data.

    With `columns`, lines wrap there for the sake of cursor movements, and come back unwrapped.
    """
    if is_binary(data):
        return f"[binary output, {len(data)} bytes]"
    data = data.replace(b"\r\n", b"\n")
    text = data.decode("utf-8", "replace")
    if not _CONTROL.search(text):
        return "\n".join(line.rstrip(" ") for line in text.split("\n"))
    page = _Page(columns, rows)
    position = 0
    for token in _TOKEN.finditer(text):
        if token.start() > position:
            page.write(text[position : token.start()])
        position = token.end()
        if token[2]:
            page.sequence(token[2], token[1])
        else:
            page.control(token[0])
    if position < len(text):
        page.write(text[position:])
    return page.text()


def is_binary(data: bytes) -> bool:
    """Whether this is no text in any encoding a terminal shows: one byte in ten is odd."""
    sample = data if len(data) <= 65536 else data[:65536]
    odd = len(sample) - len(sample.translate(None, _ODD_BYTES))
    broken = sample.decode("utf-8", "replace").count("\ufffd")
    return (odd + broken) * 10 > len(sample) and odd + broken > 8


def width(character: str) -> int:
    """Columns that a character takes."""
    if unicodedata.combining(character) or character in "\u200b\u200d\ufe0e\ufe0f":
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


class _Page:
    """Everything printed so far; the screen is its last `rows` rows."""

    def __init__(self, columns: int, rows: int) -> None:
        self._columns = columns
        self._height = rows
        self._lines: list[list[str]] = [[]]
        self._wrapped: set[int] = set()  # rows that go on in the next one
        self._row = 0
        self._column = 0
        self._saved = (0, 0)

    def text(self) -> str:
        out: list[str] = []
        for number, line in enumerate(self._lines):
            shown = "".join(line)
            goes_on = number in self._wrapped
            if number and number - 1 in self._wrapped:
                out[-1] += shown if goes_on else shown.rstrip()
            else:
                out.append(shown if goes_on else shown.rstrip())
        return "\n".join(out)

    def write(self, run: str) -> None:
        cells = list(run) if run.isascii() else _cells(run)
        while cells:
            if self._columns and self._column >= self._columns:
                self._wrapped.add(self._row)
                self._down(1)
                self._column = 0
            room = self._columns - self._column if self._columns else len(cells)
            self._place(cells[:room])
            cells = cells[room:]

    def control(self, code: str) -> None:
        if code in "\n\v\f\x85":
            self._wrapped.discard(self._row)
            self._down(1)
            self._column = 0
        elif code == "\r":
            self._column = 0
        elif code == "\b":
            self._column = max(0, min(self._column, (self._columns or self._column + 1) - 1) - 1)
        elif code == "\t":
            stop = (self._column // 8 + 1) * 8
            self._pad(self._column)
            if len(self._lines[self._row]) <= self._column:
                self._lines[self._row].append("\t")  # a tab stays a tab in what was printed
                self._lines[self._row] += [""] * (stop - self._column - 1)
            self._column = stop
        elif code == "\x1bM":
            self._up(1)
        elif code == "\x1b7":
            self._saved = (self._row, self._column)
        elif code == "\x1b8":
            self._row, self._column = self._saved
            self._down(0)

    def sequence(self, final: str, parameters: str) -> None:
        if parameters[:1] in ("?", "<", "=", ">"):
            return
        first, *others = [int(p[:6]) if p.isdigit() else 0 for p in parameters.split(";")]
        count = max(1, first)
        if final in "AF":
            self._up(count)
        elif final in "BE":
            self._down(min(count, self._height))
        elif final in "Ca":
            self._column = min(self._column + count, self._columns or 100_000)
        elif final == "D":
            self._column = max(0, self._column - count)
        elif final in "G`":
            self._column = min(count, self._columns or 100_000) - 1
        elif final in "Hf":
            self._row = self._top() + min(count, self._height) - 1
            self._down(0)
            self._column = max(1, min(others[0], 10_000) if others else 1) - 1
        elif final == "d":
            self._row = self._top() + min(count, self._height) - 1
            self._down(0)
        elif final in "JKPX@":
            self._edit(final, first, count)
        if final in "EF":
            self._column = 0

    def _edit(self, final: str, mode: int, count: int) -> None:
        line = self._lines[self._row]
        if final == "K":
            self._erase_line(mode)
        elif final == "J":
            if mode in (2, 3):
                self._clear_screen()
            elif mode == 0:
                self._erase_line(0)
                del self._lines[self._row + 1 :]
                self._wrapped = {row for row in self._wrapped if row < self._row}
        elif final == "P":
            del line[self._column : self._column + count]
        elif final == "X":
            self._pad(self._column)
            end = min(self._column + count, len(line))
            line[self._column : end] = " " * (end - self._column)
        else:
            self._pad(self._column)
            line[self._column : self._column] = " " * min(count, 10_000)

    def _erase_line(self, mode: int) -> None:
        line = self._lines[self._row]
        if mode == 0:
            del line[self._column :]
            self._wrapped.discard(self._row)
        elif mode == 1:
            line[: self._column + 1] = " " * min(len(line), self._column + 1)
        else:
            line.clear()

    def _clear_screen(self) -> None:
        top = self._top()
        row = self._row - top
        del self._lines[top:]
        self._wrapped = {number for number in self._wrapped if number < top}
        self._lines.append([])
        self._row = top
        self._down(row)

    def _place(self, cells: list[str]) -> None:
        self._pad(self._column)
        line = self._lines[self._row]
        line[self._column : self._column + len(cells)] = cells
        self._column += len(cells)

    def _pad(self, column: int) -> None:
        line = self._lines[self._row]
        if len(line) < column:
            line += " " * (column - len(line))

    def _top(self) -> int:
        return max(0, len(self._lines) - self._height)

    def _up(self, count: int) -> None:
        self._row = max(self._top(), self._row - count)

    def _down(self, count: int) -> None:
        self._row += count
        while len(self._lines) <= self._row:
            self._lines.append([])


def _cells(run: str) -> list[str]:
    cells: list[str] = []
    for character in run:
        columns = width(character)
        if columns == 0 and cells:
            cells[-1] += character
        else:
            cells.append(character)
            cells += [""] * (columns - 1)
    return cells
