"""A terminal with the line loop in it, for the tests of the live shell."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

from support.terminal import DEADLINE, TerminalProgram

LOOP = Path(__file__).with_name("line_loop.py")
SOURCE = Path(__file__).parents[2] / "src"


class LiveTerminal(TerminalProgram):
    """The line loop in a terminal; `run` types a command and waits for how it went."""

    def __init__(
        self,
        home: Path,
        *,
        rc: str | None = None,
        rows: int = 24,
        columns: int = 100,
        env: dict[str, str] | None = None,
        cwd: Path | None = None,
    ) -> None:
        self._seen = self._more = 0
        self._end_seen = b""
        arguments = []
        if rc is not None:
            (home / "rc").write_text(rc)
            arguments = ["--rcfile", str(home / "rc")]
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(home),
            "TERM": "xterm-256color",
            "LANG": "C.UTF-8",
            "PYTHONPATH": str(SOURCE),
            "TMPDIR": str(home),
            **(env or {}),
        }
        super().__init__(
            [sys.executable, str(LOOP), *arguments],
            rows=rows,
            columns=columns,
            env=environment,
            cwd=cwd or home,
        )
        self.wait_for("aish>")

    def run(self, line: str, timeout: float = DEADLINE) -> str:
        """Run a line in the shell; what came on the screen for it, its status line included."""
        self.wait_for(_at_prompt, timeout)
        count = self._seen
        self.enter(line)
        self.wait_for(lambda t: self._seen > count and _at_prompt(t), timeout)
        shown = re.split(r"^aish>.*\n?", self.scrollback, flags=re.MULTILINE)
        return str(shown[-2]).rstrip("\n")

    def enter_lines(self, *lines: str) -> None:
        """Enter a text of several lines; the last one starts it."""
        for line in lines[:-1]:
            seen = self._more
            self.enter(line + "++")
            self._wait_for_more(seen)
        self.enter(lines[-1])

    def _wait_for_more(self, seen: int) -> None:
        self.wait_for(lambda _: self._more > seen)

    def ask(self, line: str) -> str:
        """Ask the loop something; its answer."""
        return self.run(line)

    def _draw(self, data: bytes) -> None:
        # Counted in the stream rather than on the screen, which a command may clear.
        self._seen += (self._end_seen + data).count(b"aish> ")
        self._more += (self._end_seen + data).count(b"more> ")
        self._end_seen = (self._end_seen + data)[-5:]
        super()._draw(data)


def _at_prompt(terminal: TerminalProgram) -> bool:
    row, column = terminal.cursor
    return column == 6 and terminal.screen.display[row].startswith("aish> ")
