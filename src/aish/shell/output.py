"""Output of the shell's terminal on its way to the user's: shown, captured, or kept while idle."""

from __future__ import annotations

import re

from aish.shell.capture import Capture
from aish.shell.terminal import Terminal

# What readline prints when a key runs a shell function: back to column 0, erase. On a terminal that
# cannot erase, a line of its own.
_CLEARED_LINE = re.compile(
    rb"\r\x1b\[0?K\r?(?!.*\r\x1b\[0?K)|\r\n\Z|\r\Z|\A\n\Z|(?<=\n)\n\Z", re.DOTALL
)

_TAIL = 512
# What brings the cursor to the first column, and what leaves no trace on the line.
_TO_COLUMN_0 = re.compile(rb"\n|\x1b\[[0-9;]*H|\x1b\[[23]?J|\x1bc|\x1b\[\?1049l")
_NO_TEXT = re.compile(
    rb"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\a\x1b]*(?:\a|\x1b\\)?|\x1b[PX^_].*?\x1b\\"
    rb"|\x1b[ -/]*[0-~]|[\x00-\x1f\x7f]",
    re.DOTALL,
)

_FAREWELL = re.compile(rb"^(?:exit|logout)\r?\n\Z", re.MULTILINE)  # of an interactive bash


class Output:
    """Where output goes, and the notes in it.

    Records and output travel apart, so bash also leaves a note in its output: one at a prompt, one
    when its line editor has come to our key. What is between the two is word of jobs and readline's
    own; it is shown without the latter and not captured. A note steers nothing else.
    """

    def __init__(self, terminal: Terminal, mark: str) -> None:
        self.on_screen = False  # to the terminal now, else kept
        self.capture: Capture | None = None
        self.idle = bytearray()  # kept
        self.tail = b""  # the end of what was shown for this command
        self.noted = ""  # the last note
        self.prompt_lines = 0  # of a prompt that bash prints before its line editor is there
        self._terminal = terminal
        self._note = b"\x1b]7770;" + mark.encode() + b";"
        self._held = b""  # the beginning of a note, perhaps
        self._window: bytearray | None = None  # output between the two notes
        self._farewell = b""  # held back: without a keyboard, only output that follows shows it

    def take(self, data: bytes) -> None:
        """Deal with a block of output; nothing is done per byte."""
        if b"\x1b" in data or self._held:
            data = self._without_notes(self._held + data)
        self._show(data)

    def take_idle(self, *, lines: bool) -> bytes:
        """What was kept; only whole `lines` while the rest may be a question, to be answered
        where it stands."""
        end = self.idle.rfind(b"\n") + 1 if lines else len(self.idle)
        taken = bytes(self.idle[:end])
        del self.idle[:end]
        return taken

    @property
    def said_a_line(self) -> bool:
        """Whether the last thing printed is the end of a line: a message, no PS2."""
        return self.tail.endswith(b"\n")

    @property
    def open_line(self) -> bool:
        """Whether the cursor stands behind text that no newline ended."""
        line = _TO_COLUMN_0.split(self.tail)[-1]
        return bool(_NO_TEXT.sub(b"", line).strip(b" "))

    def take_back(self, keys: bytes) -> None:
        """Keys typed ahead were echoed; the line editor shows them again, so they go."""
        echo = re.split(rb"[\r\n]", keys)[-1]
        if echo and echo.isascii() and echo.decode().isprintable() and self.tail.endswith(echo):
            self.tail = self.tail[: -len(echo)]
            if self.on_screen:
                self._terminal.write(b"\b" * len(echo) + b"\x1b[K")

    def close_window(self) -> None:
        """Show what came between the notes, less readline's clearing of its line."""
        window, self._window = self._window, None
        if window:
            capture, self.capture = self.capture, None
            self._show(_CLEARED_LINE.sub(b"", bytes(window), count=1))
            self.capture = capture

    def _drop_prompt(self) -> None:
        """The prompt is the last that came before readline cleared its line."""
        cleared = _CLEARED_LINE.search(self._window or b"")
        if self._window and cleared and self.prompt_lines:
            kept = self._window[: cleared.start()].split(b"\n")[: -self.prompt_lines]
            self._window[: cleared.start()] = b"".join(line + b"\n" for line in kept)

    def _without_notes(self, data: bytes) -> bytes:
        """Take our notes out; what may be the beginning of one is held back."""
        self._held = b""
        while (at := data.find(self._note)) >= 0:
            end = data.find(b"\a", at)
            if end < 0:
                break
            self._show(data[:at])
            self._pass_note(data[at + len(self._note) : end].decode("ascii", "replace"))
            data = data[end + 1 :]
        cut = self._note_begins(data)
        self._held = data[cut:]
        return data[:cut]

    def _note_begins(self, data: bytes) -> int:
        """Where a note begins that is not all there, len(data) when none does."""
        first = max(0, len(data) - len(self._note) - 24)
        at = data.rfind(b"\x1b", first)
        while at >= 0:
            if self._note.startswith(data[at : at + len(self._note)]):
                return at
            at = data.rfind(b"\x1b", first, at)
        return len(data)

    def _without_farewell(self, data: bytes, *, go_on: bool) -> bytes:
        """A bash that ends says so to somebody at a terminal; a pipe gets no word of that."""
        data, self._farewell = self._farewell + data, b""
        bye = None if go_on or self.tail[-1:] not in (b"", b"\n") else _FAREWELL.search(data)
        if bye is None or not self.on_screen:
            return data
        self._farewell = bye[0]
        return data[: bye.start()]

    def _pass_note(self, word: str) -> None:
        self.noted = word
        self._show(b"", go_on=True)
        if word.endswith("r"):
            self._drop_prompt()
        self.close_window()
        if not word.endswith("r"):
            self._window = bytearray()

    def _show(self, data: bytes, *, go_on: bool = False) -> None:
        if self._farewell or not self._terminal.has_keys:
            data = self._without_farewell(data, go_on=go_on)
        if not data:
            return
        if self._window is not None:
            self._window += data
        elif self.on_screen:
            self._terminal.write(data)
            self.tail = (self.tail + data[-_TAIL:])[-_TAIL:]
            if self.capture is not None:
                self.capture.add(data)
        else:
            self.idle += data
