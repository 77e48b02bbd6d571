"""A command in a shell of its own, on the terminal as it is: for one question, one command."""

from __future__ import annotations

import os
import subprocess
import time

from aish.core.errors import ShellError
from aish.core.handed_command import script_from
from aish.core.messages import ExecResult
from aish.shell.handing import handed
from aish.shell.process_place import working_directory


class DirectShell:
    """Runs a command with the streams aish itself has; nothing is captured."""

    def __init__(self, program: str = "bash") -> None:
        self._program = program

    @property
    def cwd(self) -> str:
        """Where aish itself is; no command of its own can change that."""
        return working_directory()

    def exported(self) -> dict[str, str]:
        """The variables that its commands get."""
        return dict(os.environ)

    def defines(self, word: str) -> bool:
        """No word: it reads no start file, and every command has a bash of its own."""
        del word
        return False

    def enter(self, line: str) -> ExecResult:
        """Raises: ShellError."""
        return self.run(line)

    def run(self, command: str) -> ExecResult:
        """Raises: ShellError."""
        started = time.monotonic()
        try:
            with handed(command) as text:
                words = [self._program, "-c", script_from(text)]
                code = subprocess.run(words, pass_fds=(text,), check=False).returncode
        except (OSError, ValueError) as error:
            raise ShellError(f"cannot run {self._program}: {error}") from error
        status = 128 - code if code < 0 else code
        return ExecResult(command, status, "", time.monotonic() - started)
