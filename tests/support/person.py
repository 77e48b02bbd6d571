"""A person at the front door: the installed aish in a terminal, left idle, then typed at by hand.

    with Person(home) as person:
        person.say("sleep 60")
        person.wait_runs("sleep 60")
        person.press("ctrl-c")
        person.at_prompt()

Keys come one by one with pauses between them, as fingers make them, never in one piece.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from support.home import Home
from support.terminal import DEADLINE, TerminalProgram

INSTALLED = Path(sys.executable).with_name("aish")
IDLE = 2.0  # seconds at the first prompt: the shell behind it starts, nobody types
BETWEEN_KEYS = 0.012
MARK = "❯"
PROMPT = b"\x1b]133;A"  # what aish writes where a prompt begins


class Person(TerminalProgram):
    """Somebody using aish."""

    def __init__(
        self,
        home: Home,
        *words: str,
        rows: int = 24,
        columns: int = 80,
        env: dict[str, str] | None = None,
        idle: float = IDLE,
        argv: list[str] | None = None,
    ) -> None:
        self.prompts = 0
        self._end_seen = b""
        path = f"{INSTALLED.parent}:{os.environ['PATH']}"
        super().__init__(
            [*(argv or [str(INSTALLED)]), *words],
            rows=rows,
            columns=columns,
            env=home.env | {"PATH": path} | (env or {}),
            cwd=home.path,
        )
        self.home = home
        self.at_prompt(1)
        self.pause(idle)

    def __enter__(self) -> Person:
        return self

    # Fingers -----------------------------------------------------------------------------------

    def pause(self, seconds: float) -> None:
        """Do nothing for a while; what the program writes is drawn."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if not self.pump(min(left, 0.05)) and not self._open:
                time.sleep(min(left, 0.05))

    def keys(self, text: str) -> None:
        """Type key after key."""
        for key in text:
            self.type(key)
            self.pause(BETWEEN_KEYS)

    def say(self, line: str) -> None:
        """Type a line and, after a moment, Enter."""
        self.keys(line)
        self.pause(0.1)
        self.type("\r")

    # Eyes --------------------------------------------------------------------------------------

    def at_prompt(self, count: int = 0, timeout: float = DEADLINE) -> None:
        """Wait for the next prompt after `count - 1` others (0: one with nothing typed in it)."""
        self.wait_for(lambda t: self.prompts >= count and self._bare(), timeout)

    def next_prompt(self, count: int) -> None:
        """Wait until so many prompts have come; something may be typed in the last."""
        self.wait_for(lambda t: self.prompts >= count)

    def do(self, line: str, timeout: float = DEADLINE) -> str:
        """Say a line and wait for the next prompt; what was printed between the two."""
        wanted = self.prompts + 1
        self.say(line)
        self.at_prompt(wanted, timeout)
        above = self.scrollback.split(MARK)
        entered, _, printed = above[-2].partition("\n")
        while entered.strip() and line.replace("\n", "").startswith(entered.strip()):
            if len(entered.strip()) >= len(line.rstrip()):
                break
            more, _, printed = printed.partition("\n")  # a line that wraps
            entered = entered.strip() + more
        return printed.rpartition("\n")[0] if "\n" in printed else ""

    def wait_runs(self, command: str) -> None:
        """Wait until a process with this command line runs under aish."""
        self.wait_for(lambda t: command in descendants(self.process.pid))

    def _bare(self) -> bool:
        row, column = self.cursor
        line = self.screen.display[row]
        return line[:column].rstrip().endswith(MARK) and not line[column:].strip()

    def _draw(self, data: bytes) -> None:
        # Counted in the stream rather than on the screen, which a command may clear.
        self.prompts += (self._end_seen + data).count(PROMPT)
        self._end_seen = (self._end_seen + data)[-(len(PROMPT) - 1) :]
        super()._draw(data)


def descendants(pid: int) -> list[str]:
    """The command lines of all processes below one."""
    found, waiting = [], [pid]
    while waiting:
        parent = waiting.pop()
        for task in Path(f"/proc/{parent}/task").glob("*/children"):
            try:
                children = task.read_text().split()
            except OSError:
                continue
            for child in children:
                waiting.append(int(child))
                try:
                    words = Path(f"/proc/{child}/cmdline").read_bytes().split(b"\0")
                except OSError:
                    continue
                found.append(b" ".join(words).decode(errors="replace").strip())
    return found
