"""Where aish writes: answers to one stream, notices and errors beside them."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, TextIO

from aish.core.errors import AishError
from aish.core.values import dataclass, field
from aish.ui.streams import reason
from aish.ui.style import (
    BOLD,
    DIM,
    MAGENTA,
    RED,
    YELLOW,
    closed,
    colours_wanted,
    escaped,
    harmless,
    on_white,
    paint,
    terminal_safe,
)

if TYPE_CHECKING:
    from aish.ui.spinner import Spinner


class OutputLost(OSError):
    """What was to be shown could not be written: a full disk, a closed stream."""


@contextmanager
def writing_out() -> Iterator[None]:
    """Raises: OutputLost; BrokenPipeError where somebody has read enough."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputLost(error.errno, reason(error)) from error


_UNDER_NOTICE = " " * len("[aish] ")  # before its other lines: none of them looks like a new one


@dataclass
class Screen:
    """A pair of streams and what they can show."""

    out: TextIO = field(default_factory=lambda: sys.stdout)
    err: TextIO = field(default_factory=lambda: sys.stderr)
    colours: bool = False
    terminal: bool = False  # `out` is a terminal
    light: bool = False  # its background is
    sign: Spinner | None = field(
        default=None, repr=False, compare=False
    )  # of life, while one turns
    typed: str = field(default="", repr=False, compare=False)  # at a question, but no answer to it

    @classmethod
    def of_process(cls) -> Screen:
        terminal = sys.stdout.isatty()
        return cls(
            colours=colours_wanted(os.environ, is_terminal=terminal),
            terminal=terminal,
        )

    def use_theme(self, theme: str) -> None:
        """`[ui] theme`: the colours of a dark terminal, of a light one, or none."""
        self.colours = self.colours and theme != "none"
        self.light = theme == "light"

    @staticmethod
    def has_keyboard() -> bool:
        """Whether somebody can answer: standard input is open, and a terminal."""
        return sys.stdin is not None and not sys.stdin.closed and sys.stdin.isatty()

    def take_typed(self) -> str:
        """What was typed and answered no question, once; the next line begins with it."""
        typed, self.typed = self.typed, ""
        return typed

    @property
    def width(self) -> int:
        try:
            return os.get_terminal_size(self.out.fileno()).columns or 80
        except (OSError, ValueError):
            return 80

    @property
    def height(self) -> int:
        try:
            return os.get_terminal_size(self.out.fileno()).lines or 24
        except (OSError, ValueError):
            return 24

    def write(self, text: str) -> None:
        """Show text at once; a terminal gets nothing that it would obey but our own colours."""
        if self.terminal:
            text = terminal_safe(text)
        self._put(on_white(text) if self.light and "\x1b" in text else text)

    def plain(self, text: str) -> None:
        """Show foreign text as it comes, without any colours; it is looked at once."""
        self._put(harmless(text).replace("\t", "    ") if self.terminal else text)

    def control(self, sequence: str) -> None:
        """Something the terminal is to obey; never with foreign text in it."""
        self._put(sequence)

    def _put(self, text: str) -> None:
        with writing_out():
            self.out.write(text)
            self.out.flush()

    def beside(self, text: str) -> None:
        """What cannot be told beside an answer is no reason to lose the answer."""
        with suppress(OSError):
            self.err.write(text)
            self.err.flush()

    def line(self, text: str = "") -> None:
        self.write((closed(text) if self.terminal else text) + "\n")

    def notice(self, text: str) -> None:
        """A word of aish itself, beside the answer."""
        words = self._worded(f"[aish] {harmless(text)}".replace("\n", f"\n{_UNDER_NOTICE}"))
        self.beside(paint(words, DIM, on=self._err_colours) + "\n")

    def interject(self, text: str) -> None:
        """A notice while something else may be drawing."""
        self.still()
        self.notice(text)

    def still(self) -> None:
        """Stop what draws by itself; something must be read."""
        if self.sign is not None:
            self.sign.stop()

    def error(self, error: AishError) -> None:
        """One line for what went wrong, one for what to do about it."""
        on = self._err_colours
        message = self._worded(f"aish: {escaped(error.message)}", "      ").removeprefix("aish: ")
        said = paint("aish: ", RED, BOLD, on=on) + message + "\n"
        if error.hint:
            colour = MAGENTA if self.light else YELLOW
            hint = self._worded(f"      {escaped(error.hint)}", "      ")
            said += paint(hint, colour, on=on) + "\n"
        self.beside(said)

    def worded(self, text: str, indent: str = "", column: int = 0) -> str:
        """Text that begins in this column, with line ends between words; blanks at its end stay,
        for an answer."""
        words = text.rstrip(" ")
        if self.terminal:
            wrapped = self._wrapped(" " * column + words, indent)
            words = wrapped[column:] if wrapped[:column].isspace() or not column else words
        return words + text[len(text.rstrip(" ")) :]

    def _worded(self, text: str, indent: str = "") -> str:
        return self._wrapped(text, indent) if self.err.isatty() else text

    def _wrapped(self, text: str, indent: str = "") -> str:
        """The text with line ends between words where a terminal would break it anywhere."""
        if len(text) < self.width:
            return text
        from textwrap import fill

        return "\n".join(
            fill(
                line,
                max(20, self.width - 1),
                subsequent_indent=indent,
                break_long_words=False,
                break_on_hyphens=False,
            )
            for line in text.split("\n")
        )

    def paint(self, text: str, *codes: str) -> str:
        return paint(text, *codes, on=self.colours)

    @property
    def _err_colours(self) -> bool:
        return self.colours and self.err.isatty()
