"""The user's terminal: raw while a command has it, exactly as before afterwards."""

from __future__ import annotations

import atexit
import contextlib
import os
import select
import signal
import termios
import threading
import tty
from collections.abc import Iterator
from types import FrameType

TerminalSettings = list[int | list[bytes | int]]

_LINE_MODE = (
    termios.ISIG
    | termios.ICANON
    | termios.IEXTEN
    | termios.ECHO
    | termios.ECHOE
    | termios.ECHOK
    | termios.ECHOCTL
    | termios.ECHOKE
)

_borrowed: dict[int, TerminalSettings] = {}  # terminals in raw mode, to give back when aish exits


class Terminal:
    """Where keys come from and output goes; either may be something else than a terminal."""

    def __init__(self, stdin_fd: int = 0, stdout_fd: int = 1) -> None:
        self.stdin_fd = stdin_fd
        self.stdout_fd = stdout_fd
        self.has_keys = os.isatty(stdin_fd)
        self.has_screen = os.isatty(stdout_fd)
        now = self.settings()
        # Taken once, now: later a line editor may hold the terminal in a mode of its own.
        self.resting = at_rest(now) if now else None

    def settings(self) -> TerminalSettings | None:
        """The settings of the terminal, None where there is none."""
        with contextlib.suppress(termios.error):
            return termios.tcgetattr(self.stdin_fd)
        return None

    def size(self) -> tuple[int, int]:
        """Rows and columns; 24 and 80 where nobody knows."""
        for descriptor in (self.stdout_fd, self.stdin_fd):
            with contextlib.suppress(OSError):
                columns, rows = os.get_terminal_size(descriptor)
                if rows and columns:
                    return rows, columns
        return 24, 80

    @contextlib.contextmanager
    def raw(self) -> Iterator[None]:
        """Every key as it is, no echo, no output processing; exactly as before afterwards."""
        before = self.settings()
        if before is None:
            yield
            return
        if not _borrowed:
            atexit.register(give_back)
        _borrowed[self.stdin_fd] = before
        replaced = _catch_signals()
        with contextlib.suppress(termios.error):
            # Not TCSAFLUSH: keys typed a moment ago are meant for the command.
            tty.setraw(self.stdin_fd, termios.TCSADRAIN)
        try:
            yield
        finally:
            give_back()
            for number in replaced:
                signal.signal(number, signal.SIG_DFL)

    def stop_too(self) -> None:
        """Stop with the shell that was stopped, for the shell aish was started from.

        Where there is none (aish is the login shell), the kernel does not stop it, and it goes on.
        """
        raw = self.settings()
        resting = _borrowed.get(self.stdin_fd)
        if threading.current_thread() is not threading.main_thread() or not raw or not resting:
            return
        before = signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        with contextlib.suppress(termios.error):
            termios.tcsetattr(self.stdin_fd, termios.TCSADRAIN, resting)
        os.killpg(0, signal.SIGTSTP)
        with contextlib.suppress(termios.error):
            termios.tcsetattr(self.stdin_fd, termios.TCSADRAIN, raw)
        signal.signal(signal.SIGTSTP, before)

    def write(self, data: bytes) -> None:
        """Show bytes. A terminal that went away swallows them: the hang-up is told elsewhere."""
        while data:
            try:
                written = os.write(self.stdout_fd, data)
                if written == len(data):
                    return
            except BlockingIOError:  # some program left the terminal non-blocking
                select.select([], [self.stdout_fd], [])
                continue
            except OSError:
                return
            data = data[written:]


def at_rest(found: TerminalSettings) -> TerminalSettings:
    """Settings that a command can be started with: the user's keys and tastes, nothing raw.

    The terminal may be found raw, after a crash of what had it before, or half raw, under a prompt
    that is already painted.
    """
    iflag, oflag, cflag, lflag, *speeds, characters = found
    was_raw = not int(lflag) & termios.ISIG  # type: ignore[arg-type]
    iflag = int(iflag) & ~(termios.INLCR | termios.IGNCR | termios.IGNBRK | termios.PARMRK)  # type: ignore[arg-type]
    iflag |= termios.ICRNL | (termios.BRKINT | termios.IXON if was_raw else 0)
    oflag = (int(oflag) & ~(termios.OCRNL | termios.ONLRET)) | termios.OPOST | termios.ONLCR  # type: ignore[arg-type]
    lflag = (int(lflag) & ~termios.ECHONL) | _LINE_MODE  # type: ignore[arg-type]
    keys = list(characters)  # type: ignore[arg-type]
    keys[termios.VMIN], keys[termios.VTIME] = b"\x01", b"\0"
    return [iflag, oflag, cflag, lflag, *speeds, keys]


def _catch_signals() -> list[int]:
    """Signals that would end aish with the terminal raw; those that somebody handles are left."""
    if threading.current_thread() is not threading.main_thread():
        return []
    deadly = (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
    caught = [number for number in deadly if signal.getsignal(number) == signal.SIG_DFL]
    for number in caught:
        signal.signal(number, _give_back_and_die)
    return list(caught)


def _give_back_and_die(number: int, _frame: FrameType | None) -> None:
    give_back()
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


def give_back() -> None:
    """Restore every terminal that is in raw mode; harmless when none is."""
    while _borrowed:
        descriptor, settings = _borrowed.popitem()
        with contextlib.suppress(termios.error):
            termios.tcsetattr(descriptor, termios.TCSADRAIN, settings)
    atexit.unregister(give_back)
