"""The bash process on its own pseudo-terminal, seen from the terminal's side."""

from __future__ import annotations

import contextlib
import fcntl
import os
import select
import signal
import struct
import termios
import time
from collections.abc import Mapping
from pathlib import Path

from aish.core.errors import ShellError
from aish.shell.input_wait import waits_for_keys
from aish.shell.terminal import Terminal, TerminalSettings

_DEFAULT_SIGNALS = (
    signal.SIGPIPE,
    signal.SIGXFSZ,
    signal.SIGINT,
    signal.SIGQUIT,
    signal.SIGTSTP,
    signal.SIGTTIN,
    signal.SIGTTOU,
    signal.SIGCHLD,
)
_PSELECT = {"x86_64": 270, "aarch64": 72}  # the system call readline waits in
_READ = {"x86_64": 0, "aarch64": 63}
_TAKEN_IN = 5.0  # seconds
_MOMENT = 0.001
_A_WHILE = 0.02


class BashProcess:
    """A bash with a controlling terminal of its own; `master` is our end of it."""

    def __init__(
        self,
        program: str,
        start_file: Path,
        env: Mapping[str, str],
        like: Terminal,
    ) -> None:
        """Start it on a terminal set like the user's.

        Raises: ShellError when the program cannot be run.
        """
        self.master, self.slave = os.openpty()
        os.set_blocking(self.master, False)
        os.set_blocking(self.slave, False)
        self.set(_settings_like(like, self.settings()))
        self.resize(like.size())
        self.pidfd = -1
        self.wait_status: int | None = None
        try:
            self.pid = self._spawn(program, start_file, env)
        except OSError as error:
            self.close_terminal()
            raise ShellError(
                f"cannot start {program}: {error.strerror}",
                "name a bash of version 5.1 or later in the configuration",
            ) from error
        with contextlib.suppress(OSError, AttributeError):
            self.pidfd = os.pidfd_open(self.pid)

    def _spawn(self, program: str, start_file: Path, env: Mapping[str, str]) -> int:
        # posix_spawn rather than fork: safe with threads about, and quick in a large process. The
        # new session's leader opens the terminal by name, which makes it the controlling one.
        name = os.ttyname(self.slave)
        return os.posix_spawnp(
            program,
            [program, "--rcfile", str(start_file), "-i"],
            env,
            file_actions=[
                (os.POSIX_SPAWN_OPEN, 0, name, os.O_RDWR, 0),
                (os.POSIX_SPAWN_DUP2, 0, 1),
                (os.POSIX_SPAWN_DUP2, 0, 2),
            ],
            setsid=True,
            setsigmask=(),
            setsigdef=_DEFAULT_SIGNALS,
        )

    # Its end -----------------------------------------------------------------------------------

    def poll(self) -> int | None:
        """The wait status once it ended, None before."""
        if self.wait_status is None:
            try:
                pid, status = os.waitpid(self.pid, os.WNOHANG)
            except ChildProcessError:  # somebody else collected it
                pid, status = self.pid, 0
            if pid:
                self.wait_status = status
        return self.wait_status

    def was_stopped(self) -> bool:
        """Whether bash itself was stopped since the last look: `suspend`, `kill -STOP $$`."""
        with contextlib.suppress(ChildProcessError):
            return os.waitid(os.P_PID, self.pid, os.WSTOPPED | os.WNOHANG) is not None
        return False

    def go_on(self) -> None:
        """Continue a bash that was stopped."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGCONT)

    def kill(self) -> None:
        """Hang up, as a closed terminal does, then insist; jobs get the hang-up from bash."""
        for number in (signal.SIGHUP, signal.SIGKILL):
            if self.poll() is not None:
                return
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)
                os.kill(self.pid, signal.SIGCONT)
            self._await_end(2.0)

    def _await_end(self, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while self.poll() is None and time.monotonic() < deadline:
            if self.pidfd >= 0:
                select.select([self.pidfd], [], [], deadline - time.monotonic())
            else:
                time.sleep(0.01)

    def close_terminal(self) -> None:
        for descriptor in (self.master, self.slave, self.pidfd):
            if descriptor >= 0:
                os.close(descriptor)
        self.master = self.slave = self.pidfd = -1

    # Its terminal ------------------------------------------------------------------------------

    def settings(self) -> TerminalSettings:
        return termios.tcgetattr(self.slave)

    def set(self, settings: TerminalSettings) -> None:
        with contextlib.suppress(termios.error):
            termios.tcsetattr(self.slave, termios.TCSANOW, settings)

    def resize(self, size: tuple[int, int]) -> None:
        """Tell the terminal its size; the foreground group gets SIGWINCH if it changed."""
        wanted = struct.pack("HHHH", *size, 0, 0)
        with contextlib.suppress(OSError):
            if fcntl.ioctl(self.master, termios.TIOCGWINSZ, bytes(8)) != wanted:
                fcntl.ioctl(self.master, termios.TIOCSWINSZ, wanted)

    def take_typed_ahead(self, settings: TerminalSettings) -> bytes:
        """Take the keys that no command has read."""
        with contextlib.suppress(termios.error):
            termios.tcflow(self.slave, termios.TCOON)  # Ctrl-S must not hold the prompt
        self.set(without(settings, termios.ICANON | termios.ECHO, at_once=True))
        keys = b""
        with contextlib.suppress(OSError):
            while piece := os.read(self.slave, 4096):
                keys += piece
        return keys

    def put_unread(self, keys: bytes, settings: TerminalSettings) -> None:
        """Have plain keys lie there to be read, line by line, and not echoed."""
        self.set(without(settings, termios.ECHO))
        with contextlib.suppress(BlockingIOError):
            os.write(self.master, keys)
        # The kernel takes them in by and by, and would echo those that are late.
        lines = max(keys.rfind(b"\r"), keys.rfind(b"\n")) + 1
        deadline = time.monotonic() + _TAKEN_IN
        while self.unread_input() < lines and time.monotonic() < deadline:
            time.sleep(_MOMENT)
        if lines < len(keys):  # the beginning of another, which nobody can see arrive
            time.sleep(_A_WHILE)

    def drop_input(self) -> None:
        with contextlib.suppress(termios.error):
            termios.tcflush(self.slave, termios.TCIFLUSH)

    def unread_input(self) -> int:
        answer = fcntl.ioctl(self.slave, termios.FIONREAD, bytes(4))
        return int(struct.unpack("i", answer)[0])

    # What it is doing --------------------------------------------------------------------------

    def waits_for_a_line(self) -> bool:
        """Whether bash itself, not a program, has the terminal and waits in its line editor."""
        try:
            if os.tcgetpgrp(self.master) != self.pid:
                return False
            lflag = termios.tcgetattr(self.slave)[3]
        except (OSError, termios.error):
            return False
        if int(lflag) & termios.ICANON:
            return False
        return self._is_in(_PSELECT) and self._is_still_bash()

    def waits_beside_its_editor(self) -> bool:
        """Whether bash waits for whole lines from its terminal: its editor is off, or an interrupt
        left it with the terminal's settings changed behind its back."""
        try:
            reads_terminal = os.readlink(f"/proc/{self.pid}/fd/0") == os.ttyname(self.slave)  # noqa: PTH115
        except OSError:
            reads_terminal = True
        by_lines = bool(int(self.settings()[3]) & termios.ICANON)  # type: ignore[arg-type]
        return reads_terminal and by_lines and (self._is_in(_READ, "0x0") or self._is_in(_PSELECT))

    def asks(self) -> bool:
        """Whether bash, or what runs in front of it, waits for keys."""
        return waits_for_keys(self.pid, self.master, self.slave)

    def _is_in(self, calls: Mapping[str, int], *arguments: str) -> bool:
        """Whether it sleeps in this call of the system; True where nobody can tell."""
        wanted = calls.get(os.uname().machine)
        try:
            call, *given = Path(f"/proc/{self.pid}/syscall").read_text().split()
        except (OSError, ValueError):
            return True
        same = tuple(given[: len(arguments)]) == arguments
        return wanted is None or (call == str(wanted) and same)

    def _is_still_bash(self) -> bool:
        """Not something that was exec-ed over it, be it another bash."""
        try:
            return b"--rcfile\0" in Path(f"/proc/{self.pid}/cmdline").read_bytes()
        except OSError:
            return True


def _settings_like(terminal: Terminal, plain: TerminalSettings) -> TerminalSettings:
    """The user's settings; without a screen, no carriage returns; without keys, no echo of any."""
    settings = list(terminal.resting or plain)
    if not terminal.has_screen:
        settings[1] = int(settings[1]) & ~termios.OPOST  # type: ignore[arg-type]
    return settings if terminal.has_keys else without(settings, termios.ECHO)


def without(settings: TerminalSettings, flags: int, *, at_once: bool = False) -> TerminalSettings:
    """Terminal settings with local flags cleared; `at_once`: reads return what there is."""
    changed = list(settings)
    changed[3] = int(settings[3]) & ~flags  # type: ignore[arg-type]
    if at_once:
        characters = list(settings[6])  # type: ignore[arg-type]
        characters[termios.VMIN] = characters[termios.VTIME] = 0
        changed[6] = characters
    return changed
