"""A program in a pseudo-terminal of its own, its output drawn on a pyte screen.

    with TerminalProgram([sys.executable, "-m", "aish"], rows=24, columns=80) as terminal:
        terminal.wait_for("❯")
        terminal.type("echo hello\\r")
        terminal.wait_for(lambda t: "hello" in t.lines)

Every wait has a deadline and fails with a picture of the screen.
"""

from __future__ import annotations

import contextlib
import copy
import fcntl
import os
import re
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import pyte

DEADLINE = 30.0  # seconds; generous, because the machine may be busy
REACTION = 0.3  # seconds from what a person sees to the key that ends it
SIGNAL_KEYS = ("ctrl-c", "ctrl-z", "ctrl-\\")

KEYS = {
    "enter": "\r",
    "tab": "\t",
    "escape": "\x1b",
    "backspace": "\x7f",
    "up": "\x1b[A",
    "down": "\x1b[B",
    "right": "\x1b[C",
    "left": "\x1b[D",
    "home": "\x1b[H",
    "end": "\x1b[F",
    "delete": "\x1b[3~",
    "page-up": "\x1b[5~",
    "page-down": "\x1b[6~",
}

# A session leader that opens a terminal by name gets it as its controlling one, which Popen alone
# cannot arrange without running Python code in the forked child.
_TAKE_TERMINAL = 'exec 0<>"$0" 1>&0 2>&0; exec "$@"'

# Sequences pyte would draw as text or take for others: device strings, and CSI with < = >.
_UNKNOWN_TO_PYTE = re.compile(
    rb"\x1b[P_^X].*?\x1b\\|\x1b\[[<=>][0-9;:]*[ -/]*[@-~]|\x1b\[[0-9;?]*\$[a-z]", re.DOTALL
)
_UNFINISHED = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*|[P_^X][^\x1b]*\x1b?)?\Z")

Predicate = Callable[["TerminalProgram"], object]


def key(name: str) -> str:
    """The bytes of a key: a name of KEYS, or "ctrl-x"."""
    if name.startswith("ctrl-"):
        return chr(ord(name[5:].upper()) ^ 0x40)
    return KEYS[name]


class Screen(pyte.HistoryScreen):
    """pyte's screen with the alternate screen, bells and answers to the program's questions."""

    def __init__(self, columns: int, rows: int, answer: Callable[[bytes], None]) -> None:
        super().__init__(columns, rows, history=5000, ratio=0.5)
        self.title = ""
        self.alternate = False
        self.bells = 0
        self._answer = answer
        self._primary: tuple[Any, Any] | None = None

    def set_mode(self, *modes: int, **kwargs: Any) -> None:
        if kwargs.get("private") and {47, 1047, 1049} & set(modes) and not self.alternate:
            self.alternate = True
            self._primary = (copy.deepcopy(self.buffer), copy.copy(self.cursor))
            self.erase_in_display(2)
        super().set_mode(*modes, **kwargs)

    def reset_mode(self, *modes: int, **kwargs: Any) -> None:
        super().reset_mode(*modes, **kwargs)
        if kwargs.get("private") and {47, 1047, 1049} & set(modes) and self._primary:
            self.alternate = False
            self.buffer, self.cursor = self._primary
            self._primary = None
            self.dirty.update(range(self.lines))

    def select_graphic_rendition(self, *attrs: int, **kwargs: Any) -> None:
        if not kwargs.get("private"):
            super().select_graphic_rendition(*attrs)

    def bell(self, *args: Any) -> None:
        self.bells += 1

    def write_process_input(self, data: str) -> None:
        self._answer(data.encode())


class TerminalProgram:
    """A running program, the keyboard in front of it and the screen it draws on."""

    def __init__(
        self,
        argv: Sequence[str],
        *,
        rows: int = 24,
        columns: int = 80,
        env: Mapping[str, str] | None = None,
        cwd: str | Path | None = None,
    ) -> None:
        self._master, slave = os.openpty()
        self._slave_name = os.ttyname(slave)
        self.rows, self.columns = rows, columns
        self._set_size()
        self.screen = Screen(columns, rows, self._write)
        self._stream = pyte.ByteStream(self.screen)
        self._held = b""
        self.raw = bytearray()  # everything the program wrote, the last megabyte of it
        environment = dict(os.environ if env is None else env)
        environment.setdefault("TERM", "xterm-256color")
        environment.pop("LINES", None)
        environment.pop("COLUMNS", None)
        self.process = subprocess.Popen(
            ["/bin/sh", "-c", _TAKE_TERMINAL, self._slave_name, *argv],
            env=environment,
            cwd=cwd,
            start_new_session=True,
        )
        # The slave stays open on this side: the settings can be read while no program has it open.
        self._slave = slave
        self._open = True

    # The keyboard ------------------------------------------------------------------------------

    def type(self, text: str | bytes) -> None:
        """Type text as it is; Enter is \\r."""
        self._write(text.encode() if isinstance(text, str) else text)

    def press(self, *names: str) -> None:
        """Press keys by name: press("ctrl-c"), press("up", "enter").

        A key that sends a signal comes a moment after what was seen, as a hand's does: bash
        loses one that falls between the fork of a command and the terminal's handing over.
        """
        for name in names:
            if name in SIGNAL_KEYS:
                time.sleep(REACTION)
            self.type(key(name))

    def enter(self, line: str) -> None:
        """Type a line and Enter."""
        self.type(line + "\r")

    def paste(self, text: str) -> None:
        """Paste as a terminal does: bracketed, when the program has asked for that."""
        bracketed = (2004 << 5) in self.screen.mode
        self.type(f"\x1b[200~{text}\x1b[201~" if bracketed else text)

    def resize(self, rows: int, columns: int) -> None:
        """Change the size of the window; the program gets SIGWINCH."""
        self.pump(0)
        self.rows, self.columns = rows, columns
        self.screen.resize(rows, columns)
        self._set_size()

    # The screen --------------------------------------------------------------------------------

    @property
    def lines(self) -> list[str]:
        """The rows of the screen, without trailing blanks."""
        return [line.rstrip() for line in self.screen.display]

    @property
    def text(self) -> str:
        """The screen as one text, without the empty rows below."""
        return "\n".join(self.lines).rstrip()

    @property
    def scrollback(self) -> str:
        """What scrolled off above, followed by the screen."""
        above = [
            "".join(row[x].data for x in range(self.screen.columns)).rstrip()
            for row in self.screen.history.top
        ]
        return "\n".join([*above, *self.lines]).rstrip()

    @property
    def cursor(self) -> tuple[int, int]:
        """Row and column of the cursor, from 0."""
        return self.screen.cursor.y, self.screen.cursor.x

    def snapshot(self) -> str:
        """A picture of the screen with a frame, for messages."""
        edge = "+" + "-" * self.columns + "+"
        rows = [f"|{line.ljust(self.columns)}|" for line in self.lines]
        return "\n".join([edge, *rows, edge, f"cursor {self.cursor}"])

    def settings(self) -> str:
        """What `stty -g` would say of the terminal now."""
        done = subprocess.run(
            ["stty", "-g"], stdin=self._slave, capture_output=True, text=True, check=True
        )
        return done.stdout.strip()

    # Spinner -----------------------------------------------------------------------------------

    def pump(self, seconds: float) -> bool:
        """Draw what the program wrote, waiting up to `seconds` for it; say whether any came."""
        if not self._open or not select.select([self._master], [], [], seconds)[0]:
            return False
        try:
            data = os.read(self._master, 65536)
        except OSError:  # EIO: the last program let go of the terminal
            data = b""
        if not data:
            self._open = False
            return False
        self._draw(data)
        return True

    def wait_for(
        self, condition: str | re.Pattern[str] | Predicate, timeout: float = DEADLINE
    ) -> TerminalProgram:
        """Wait until the text is on the screen, the pattern matches it, or the predicate holds."""
        deadline = time.monotonic() + timeout
        while not self._holds(condition):
            left = deadline - time.monotonic()
            if left <= 0:
                raise AssertionError(f"waited {timeout:g} s for {condition!r}\n{self.snapshot()}")
            if not self.pump(min(left, 0.1)) and self.process.poll() is not None:
                self._drain()
                if not self._holds(condition):
                    raise AssertionError(
                        f"the program ended ({self.process.returncode}) before {condition!r}\n"
                        f"{self.snapshot()}"
                    )
        return self

    def wait_exit(self, timeout: float = DEADLINE) -> int:
        """Wait for the program to end; its exit status, negative for a signal."""
        deadline = time.monotonic() + timeout
        while self.process.poll() is None:
            self.pump(0.05)
            if time.monotonic() > deadline:
                raise AssertionError(f"still running after {timeout:g} s\n{self.snapshot()}")
        self._drain()
        return self.process.returncode

    def settle(self, quiet: float = 0.15, timeout: float = DEADLINE) -> TerminalProgram:
        """Draw until nothing has come for `quiet` seconds; for pictures, not for logic."""
        deadline = time.monotonic() + timeout
        while self.pump(quiet) and time.monotonic() < deadline:
            pass
        return self

    # The end -----------------------------------------------------------------------------------

    def close(self) -> None:
        """Hang up, as closing a terminal window does, and make sure that the program is gone."""
        if self._slave < 0:
            return
        os.close(self._slave)
        os.close(self._master)
        self._slave, self._open = -1, False
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(10)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failure: object) -> None:
        self.close()

    # Inside ------------------------------------------------------------------------------------

    def _holds(self, condition: str | re.Pattern[str] | Predicate) -> bool:
        if isinstance(condition, str):
            return condition in self.text
        if isinstance(condition, re.Pattern):
            return condition.search(self.text) is not None
        return bool(condition(self))

    def _draw(self, data: bytes) -> None:
        self.raw += data
        del self.raw[:-1_000_000]
        data = self._held + data
        unfinished = _UNFINISHED.search(data)
        cut = unfinished.start() if unfinished and len(data) - unfinished.start() < 4096 else None
        self._held = data[cut:] if cut is not None else b""
        self._stream.feed(_UNKNOWN_TO_PYTE.sub(b"", data[:cut]))

    def _drain(self) -> None:
        while self.pump(0):
            pass

    def _write(self, data: bytes) -> None:
        # A full input queue must not block the test: the program may be waiting for us to read.
        while data:
            ready, writable, _ = select.select([self._master], [self._master], [], DEADLINE)
            if writable:
                data = data[os.write(self._master, data[:1024]) :]
            elif ready:
                self.pump(0)
            else:
                raise AssertionError(f"the terminal takes no more input\n{self.snapshot()}")

    def _set_size(self) -> None:
        size = struct.pack("HHHH", self.rows, self.columns, 0, 0)
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, size)
