"""The live shell as the prompt uses it: started late, and one screen with the line editor."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable, Collection
from functools import cached_property
from typing import TYPE_CHECKING

from aish.core.errors import ShellError
from aish.shell.bash_history import forgets, forgets_all, forgotten
from aish.shell.capture import unseen
from aish.shell.terminal import Terminal

if TYPE_CHECKING:
    from aish.core.messages import ExecResult
    from aish.core.money.bill import Bill
    from aish.shell.capture import LookThrough
    from aish.shell.live import LiveShell
    from aish.shell.values import Completions, Earlier, LineKeeper, Names, ShellEnd, ShellResult

READ_RC_IN = 3.0  # seconds
NEWLINE_MARK = "\x1b[2m⏎\x1b[0m\r\n".encode()  # the output did not end its line; said as fish does


class UserShell:
    """The user's bash, from the first command or the first idle moment on."""

    def __init__(
        self,
        program: str,
        capture_bytes: int,
        cwd: str,
        bill: Bill,
        *,
        earlier: Earlier | None = None,
        look: LookThrough = unseen,
    ) -> None:
        """`earlier` gives the commands of other days, for bash's own history.

        `look` gets the outputs that are too long to be kept whole.
        """
        self._program = shutil.which(program) or program
        self._capture_bytes = capture_bytes
        self._cwd = cwd
        self._terminal = Terminal()  # looked at now, before a line editor has it
        self._started = False
        self._bill = bill
        self._cost = 0  # as bash was told it
        self._starting = threading.Lock()
        self._earlier = earlier
        self._look = look
        self.keeper: LineKeeper | None = None  # told what bash keeps and forgets of its history

    @cached_property
    def _live(self) -> LiveShell:
        from aish.shell.live import LiveShell

        return LiveShell(
            self._program,
            None,
            self._terminal,
            cwd=self._cwd,
            capture_limit=self._capture_bytes,
            look=self._look,
            earlier=self._earlier,
        )

    def begin(self) -> None:
        """Start bash in the background; a failure is said by the first command."""
        try:
            self._start()
        except ShellError:
            return

    def wait(self) -> None:
        """Wait until the shell has read its start files, or for as long as is polite."""
        self.begin()
        if self._started:
            self._live.ready(READ_RC_IN)

    def run(self, command: str) -> ExecResult:
        """Run a text exactly as it stands. Raises: ShellError."""
        return self._run(command, exactly=True)

    def enter(self, line: str) -> ExecResult:
        """Run a line as bash runs what is typed, history expansion and all. Raises: ShellError."""
        from aish.core.shellsyntax import is_complete

        # Ctrl-D, or the end of a pipe, in the middle of a command: bash says what is missing.
        whole = not is_complete(line).complete
        if self.keeper is None or not forgets(line):
            return self._run(line, exactly=False, whole=whole)
        before = self._lines_of_bash()
        outcome = self._run(line, exactly=False, whole=whole)
        after = [] if self.ended and forgets_all(line) else self._lines_of_bash()
        if before is not None and after is not None:
            self.keeper.bash_forgot([*forgotten(before, after, line)], cleared=not after)
        return outcome

    def _lines_of_bash(self) -> list[tuple[int, str]] | None:
        """What is in bash's history, with its numbers; None when it cannot say."""
        self.wait()
        return self._live.history() if self._started else None

    def forget(self, lines: Collection[str]) -> None:
        """Take lines out of bash's history. Raises: ShellError."""
        from aish.shell.bash_history import plain

        if not self._started:
            return
        wanted = set(map(plain, lines))
        known = self._live.history() or []
        numbers = [number for number, text in known if plain(text) in wanted]
        if numbers:  # from the last on, so that the others keep theirs
            parts = [f"builtin history -d {number}" for number in reversed(numbers)]
            self._live.run(f" {'; '.join(parts)}; (exit {self.status})", exactly=True)

    def expect(self, line: str) -> None:
        """This line is about to be entered: bash may read it while the editor is put away."""
        if self._started and self._bill.micro == self._cost and not forgets(line):
            self._live.send_ahead(line)

    def _run(self, command: str, *, exactly: bool, whole: bool = False) -> ExecResult:
        self._start()
        self._tell_cost()

        def kept(text: str) -> None:
            if self.keeper is not None and not exactly:
                self.keeper.bash_keeps(command, text, once=self._live.erases_repeats)

        try:
            outcome: ShellResult = self._live.run(command, exactly=exactly, whole=whole, kept=kept)
        finally:
            if self.keeper is not None:
                self.keeper.line_ended()
        if outcome.open_line and os.isatty(1):
            os.write(1, NEWLINE_MARK)
        if outcome.incomplete:
            raise ShellError("the command is not finished, so it did not run", "finish its quotes")
        return outcome

    def interrupt(self) -> None:
        """Ctrl-C at the prompt, for the shell that would have read the line."""
        if self._started:
            self._live.interrupt()
            if said := self._live.idle_output():
                self.show(said)

    def _tell_cost(self) -> None:
        """$AISH_COST says what the session has cost, once it has cost something."""
        micro = self._bill.micro
        if micro != self._cost and self._live.export("AISH_COST", f"{micro / 1e6:.6f}"):
            self._cost = micro

    @property
    def cwd(self) -> str:
        return self._live.cwd if self._started else self._cwd

    @property
    def status(self) -> int:
        return self._live.status if self._started else 0

    @property
    def editing(self) -> str:
        return self._live.editing if self._started else ""

    @property
    def macros(self) -> bytes:
        return self._live.macros if self._started else b""

    @property
    def environment(self) -> str:
        return self._live.environment if self._started else ""

    @property
    def ignored_ends(self) -> int:
        return self._live.ignored_ends if self._started else 0

    @property
    def job_count(self) -> int:
        return self._live.job_count if self._started else 0

    def user_prompt(self) -> str:
        """The user's own PS1, once the shell is there."""
        self.wait()
        return self._live.user_prompt() if self._started else ""

    def exported(self) -> dict[str, str]:
        """The variables that the shell's commands get; those of aish itself before it runs.

        Keys are among them, so that they are told in memory: no disk ever has them.
        """
        if not self._started:
            return dict(os.environ)
        with os.fdopen(os.memfd_create("exported"), "rb") as file:
            place = f"/proc/{os.getpid()}/fd/{file.fileno()}"
            self._live.run(f" command env -0 >|{place}", exactly=True)
            pairs = (os.fsdecode(part).partition("=") for part in file.read().split(b"\0"))
            return {name: value for name, _, value in pairs if name} or dict(os.environ)

    @property
    def ended(self) -> ShellEnd | None:
        return self._live.ended if self._started else None

    def names(self) -> Names:
        from aish.shell.values import Names

        return self._live.names() if self._started else Names()

    def defines(self, word: str) -> bool:
        """Whether a word is an alias or a function, which a program beside the shell has not."""
        names = self.names()
        return word in names.aliases or word in names.functions

    def complete(
        self, text: str, given_up: Callable[[], bool] = lambda: False
    ) -> Completions | None:
        return self._live.complete(text, given_up=given_up) if self._started else None

    def expand(self, how: str, line: str, place: int) -> tuple[str, int] | None:
        """The line as a key of bash's own editor would leave it."""
        return self._live.expand(how, line, place) if self._started else None

    def type_ahead(self, keys: str) -> None:
        """Keys that came after the line that is about to be entered."""
        self._live.type_ahead(keys)

    def typed_ahead(self) -> str:
        return self._live.typed_ahead() if self._started else ""

    def close(self) -> None:
        if self._started:
            self._live.close()

    # What goes on while a line is edited

    def fileno(self) -> int:
        return self._live.fileno() if self._started and not self._live.ended else -1

    def output(self) -> bytes:
        return self._live.idle_output()

    @property
    def starting(self) -> bool:
        return self._started and self._live.starting

    @property
    def asks(self) -> bool:
        return self._started and self._live.asks

    def attend(self) -> str:
        """Let the user answer what their start file asks; keys that it left unread."""
        self._live.attend()
        return self._live.typed_ahead()

    def show(self, output: bytes) -> None:
        os.write(1, output if output.endswith(b"\n") else output + b"\r\n")

    def _start(self) -> None:
        with self._starting:
            if not self._started:
                self._live.start()
                self._started = True
