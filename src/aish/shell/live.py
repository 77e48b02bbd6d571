"""The user's own bash, long-lived, on a terminal of its own: lines in, outcomes out."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import FrameType

from aish.core.errors import ShellError
from aish.shell.bash_history import KeptLine, listed
from aish.shell.capture import Capture, LookThrough, unseen
from aish.shell.channel import sweep
from aish.shell.link import BashPrompt, Link
from aish.shell.loops import ask, catch_up, edit, interrupt, recall, relay, wait_until_ready
from aish.shell.outcome import captured_text, listed_jobs, shell_end
from aish.shell.terminal import Terminal
from aish.shell.values import Completions, Earlier, Job, Names, ShellEnd, ShellResult

CAPTURE_LIMIT = 64 * 1024
COMPLETION_TIMEOUT = 2.0  # seconds; keys wait for it
INTERRUPT_PATIENCE = 1.0  # seconds; a trap may take longer, and then its output comes later
_READLINE_LIMIT = 32 * 1024  # bytes; longer lines go by file
_AHEAD_LIMIT = 1000  # characters
_NOT_AHEAD = frozenset("!^\n\0")  # what another line may become of, or more than one


def _nobody(_: str) -> None:
    """Where nobody asks what bash keeps of a line."""


class LiveShell:
    """One bash that lives as long as the conversation.

    `start` returns at once; `run` relays keys and output until the command ends. One thread runs
    commands; `complete` may be called from another.

    Without a keyboard (stdin is no terminal) commands still run, on a terminal of their own; one
    that reads gets the end of its input. Nothing is taken from the caller's stdin.
    """

    def __init__(
        self,
        program: str = "/bin/bash",
        rcfile: Path | None = None,
        terminal: Terminal | None = None,
        *,
        env: Mapping[str, str] | None = None,
        cwd: str | Path | None = None,
        capture_limit: int = CAPTURE_LIMIT,
        look: LookThrough = unseen,
        earlier: Earlier | None = None,
    ) -> None:
        """Describe the shell; `rcfile` None is the user's ~/.bashrc, /dev/null is none.

        `look` gets the outputs of which only a part is captured, and `earlier` gives commands that
        its history begins with.
        """
        self._program = program
        self._rcfile = rcfile
        self._terminal = terminal or Terminal()
        self._env = dict(os.environ if env is None else env)
        for name in ("LINES", "COLUMNS"):
            self._env.pop(name, None)
        self._cwd = str(cwd) if cwd is not None else ""
        self._capture_limit = capture_limit
        self._look = look
        self._earlier = earlier or list
        self._link: Link | None = None
        self._end: ShellEnd | None = None
        self._lock = threading.RLock()
        self._hurry = threading.Event()  # a line is waiting: completion must give way
        self._ahead = ""  # a line that bash has read, for the next `run`
        self._pressed = bytearray()  # keys that came after a line, for what it starts
        self._names: tuple[int, Names] = (-1, Names())

    # Life --------------------------------------------------------------------------------------

    def start(self) -> None:
        """Start bash, or a new one where the last one was; returns at once.

        Raises: ShellError when it cannot be started.
        """
        with self._lock:
            self.close()
            _check_null_device()
            self._cwd = self._cwd or os.getcwd()  # noqa: PTH109 — text, as bash has it
            rcfile = self._rcfile or Path(self._env.get("HOME", "/")) / ".bashrc"
            self._end = None
            self._ahead = ""
            self._names = (-1, self._names[1])
            self._link = Link(
                self._program, rcfile, self._terminal, self._env, self._cwd, earlier=self._earlier()
            )
        sweep(self._env)

    def close(self) -> None:
        """Hang up on bash and its jobs; harmless when there is none."""
        with self._lock:
            if self._link is not None:
                self._cwd = self.cwd
                self._link.close()
                self._link = None

    @property
    def ended(self) -> ShellEnd | None:
        """How the shell ended, None while it lives."""
        return self._end

    def ready(self, timeout: float | None = None) -> bool:
        """Wait for the prompt; True when there, False on time-out or when the shell ended."""
        with self._lock:
            return self._catch_up(timeout)

    @property
    def starting(self) -> bool:
        """Whether it still reads the user's start file."""
        return self._link is not None and self._link.phase == "starting"

    @property
    def asks(self) -> bool:
        """Whether the user's start file waits for keys: call `attend`."""
        return self._link is not None and self._link.starts_by_asking

    def attend(self) -> None:
        """Give the start file the keys and the screen, until the first prompt or the end."""
        with self._lock:
            link = self._living()
            with self._on_screen(link):
                link.listen(True)
                wait_until_ready(link)
            self._notice_end(link, "")

    # State, as of the last prompt --------------------------------------------------------------

    @property
    def cwd(self) -> str:
        """The shell's working directory."""
        return self._prompt.cwd if self._prompt else self._cwd

    @property
    def status(self) -> int:
        """The status of the last command, as $? has it."""
        return self._prompt.status if self._prompt else 0

    @property
    def job_count(self) -> int:
        """How many jobs there are; asks the system, not the shell: one may have ended since."""
        return sum(map(_lives, self._prompt.job_pids)) if self._prompt else 0

    @property
    def editing(self) -> str:
        """The manner of line editing the user chose: emacs or vi."""
        return self._prompt.editing if self._prompt else ""

    @property
    def macros(self) -> bytes:
        """The user's keys that type a text, as `bind -s` lists them."""
        return self._prompt.macros if self._prompt else b""

    @property
    def environment(self) -> str:
        """The virtual environment in force, by its name."""
        return os.path.basename(self._prompt.environment) if self._prompt else ""  # noqa: PTH119

    @property
    def ignored_ends(self) -> int:
        """How often in a row Ctrl-D at an empty prompt is only warned of, as IGNOREEOF says."""
        return self._prompt.ignored_ends if self._prompt else 0

    def user_prompt(self) -> str:
        """The user's own PS1, expanded; "" when the shell is busy."""
        with self._lock:
            if not self._catch_up(0):
                return ""
            answer = ask(self._living(), b"ps1", COMPLETION_TIMEOUT, self._hurry.is_set)
        return answer.decode("utf-8", "replace")

    @property
    def erases_repeats(self) -> bool:
        """Whether the user wants each line once in the history."""
        prompt = self._prompt
        return prompt is not None and "erasedups" in prompt.history_control.split(":")

    def history(self) -> list[tuple[int, str]] | None:
        """The lines of bash's history with their numbers; None when it is busy or gone."""
        with self._lock:
            if not self._catch_up(0):
                return None
            link = self._living()
            answer = ask(link, b"history", COMPLETION_TIMEOUT, self._hurry.is_set)
        return listed(answer, link.channel.mark)

    def jobs(self) -> tuple[Job, ...]:
        """The jobs with their states; asks the shell when there are any."""
        with self._lock:
            if not self.job_count or not self._catch_up(0):
                return ()
            answer = ask(self._living(), b"jobs", COMPLETION_TIMEOUT, self._hurry.is_set)
        return listed_jobs(answer.decode("utf-8", "replace"))

    def names(self) -> Names:
        """Aliases, functions, builtins and reserved words; sent at every prompt, so a lookup."""
        prompt = self._prompt
        if prompt is not None and self._names[0] != prompt.seq:
            aliases, functions, builtins = (
                frozenset(os.fsdecode(names).split("\n")) - {""}
                for names in (prompt.aliases, prompt.functions, prompt.builtins)
            )
            own = {name for name in functions if name.startswith("__aish_")}
            self._names = (prompt.seq, Names(aliases, functions - own, builtins))
        return self._names[1]

    def type_ahead(self, keys: str) -> None:
        """These were pressed after the line that is about to run; what it starts may read them."""
        self._pressed += keys.encode("utf-8", "surrogateescape")

    def typed_ahead(self) -> str:
        """Keys typed while a command ran and not read by it; for the line editor. Taken once."""
        keys = bytes(self._link.typed if self._link else b"") + bytes(self._pressed)
        self._pressed.clear()
        if self._link is not None:
            self._link.typed.clear()
        return keys.decode("utf-8", "ignore")

    def fileno(self) -> int:
        """A descriptor to watch while no command runs: readable means call `idle_output`.

        Raises: ShellError when there is no shell.
        """
        return self._living().epoll.fileno()

    def idle_output(self) -> bytes:
        """What background jobs printed since, ready for the terminal; does not wait.

        It also takes in what the shell reports: the first prompt, and its end (see `ended`).
        """
        if self._link is None or not self._lock.acquire(blocking=False):
            return b""
        try:
            self._catch_up(0)
            output = self._link.output.take_idle(lines=self.starting)
        finally:
            self._lock.release()
        return output

    # Running -----------------------------------------------------------------------------------

    def send_ahead(self, command: str) -> None:
        """Let bash read a line that `run` is about to be called with; it begins only then.

        Where that is not simple (bash is busy, or would make another line of it), nothing is sent.
        """
        if len(command) > _AHEAD_LIMIT or _NOT_AHEAD.intersection(command):
            return
        if not self._lock.acquire(blocking=False):
            return
        try:
            link = self._link
            if link is not None and link.tells_start and self._catch_up(0):
                link.held, self._ahead = True, command
                link.send(command.encode("utf-8", "surrogateescape"), _READLINE_LIMIT)
        finally:
            self._lock.release()

    def _has_read(self, link: Link, command: str) -> bool:
        """Whether bash has this line already; one that is not wanted after all is taken back."""
        ahead, self._ahead = self._ahead, ""
        if ahead and ahead != command:
            recall(link, INTERRUPT_PATIENCE)
        return bool(ahead) and ahead == command and link.phase != "ended"

    def run(
        self,
        command: str,
        *,
        exactly: bool = False,
        whole: bool = False,
        kept: Callable[[str], None] = _nobody,
    ) -> ShellResult:
        """Run what the user would have typed, to its end, on the user's terminal.

        `exactly` runs the text as it stands: `!` and `^` in it mean no earlier line.
        `whole` says that no more of it comes: where bash would wait for more, its input is over.
        `kept` is told what bash keeps of it in its history, before it begins where that is known.
        The exit status is exact; an end of the shell itself is in `ended`, not an error.
        Raises: ShellError when there is no shell, or the text cannot be a command.
        """
        if "\0" in command:
            raise ShellError("a command cannot contain a NUL byte", "remove it from the line")
        self._hurry.set()
        with self._lock:
            self._hurry.clear()
            link = self._living()
            with self._on_screen(link):
                limit = 0 if whole else _READLINE_LIMIT
                return self._run(link, command, exactly, limit, kept)

    @contextlib.contextmanager
    def _on_screen(self, link: Link) -> Iterator[None]:
        """The user's terminal is the shell's, with what was kept for it."""
        with self._terminal.raw(), self._following_size(link):
            link.output.on_screen = True
            self._terminal.write(bytes(link.output.idle))
            link.output.idle.clear()
            try:
                yield
            finally:
                link.before_start = lambda: None
                link.listen(False)
                link.output.on_screen = False
                link.output.capture = None

    def _run(
        self, link: Link, command: str, exactly: bool, limit: int, tell: Callable[[str], None]
    ) -> ShellResult:
        has_read = self._has_read(link, "" if exactly or not limit else command)
        link.typed += self._pressed
        self._pressed.clear()
        if not has_read:
            wait_until_ready(link)
        capture = link.output.capture = Capture(self._capture_limit, self._look)
        link.output.tail = b""
        link.loaded, incomplete = link.loaded and has_read, False
        line = command.rstrip("\n").encode("utf-8", "surrogateescape")
        if exactly or len(line) > limit:  # by a way past bash's history
            tell(command)
            tell = _nobody
        kept = KeptLine(command, link.prompt.newest if link.prompt else b"", tell)
        link.before_start = lambda: kept.begins(link.newest)
        if has_read:
            link.release()
            incomplete = relay(link)
        while link.phase == "ready" and not link.loaded:
            # More than once only when a signal sent bash back to its prompt with the line unread.
            link.send(line, limit, exactly=exactly)
            incomplete = relay(link)
        kept.ends(link.newest)
        self._terminal.write(capture.repair())
        self._notice_end(link, command)
        return self._outcome(link, command, capture, incomplete)

    def _outcome(self, link: Link, command: str, capture: Capture, incomplete: bool) -> ShellResult:
        prompt = None if self._end else link.prompt
        return ShellResult(
            command=command,
            status=self._end.status if self._end else self.status,
            output=captured_text(command, capture, self._terminal.size()),
            seconds=max(0.0, link.finished_at - link.started_at),
            cwd=self.cwd,
            private=command.startswith(" "),
            pipe_status=prompt.pipe_status if prompt else (),
            open_line=link.output.open_line and not capture.full_screen,
            full_screen=capture.full_screen,
            cut_bytes=capture.parts()[2],
            incomplete=incomplete,
            ended=self._end,
        )

    def interrupt(self) -> None:
        """Ctrl-C at the prompt: a trap of the user's runs and $? is 130, as in any bash."""
        with self._lock:
            if self._link is not None and self._ahead:
                self._has_read(self._link, "")
            elif self._catch_up(0):
                interrupt(self._living(), INTERRUPT_PATIENCE)
            self._catch_up(0)

    def export(self, name: str, value: str) -> bool:
        """Set a variable of the environment for what runs from now on; False when it is busy."""
        with self._lock:
            if not self._catch_up(0):
                return False
            request = f"export:{name}={value}".encode("utf-8", "surrogateescape")
            ask(self._living(), request, COMPLETION_TIMEOUT, self._hurry.is_set)
            return True

    # Completion --------------------------------------------------------------------------------

    def complete(
        self,
        line: str,
        cursor: int | None = None,
        timeout: float = COMPLETION_TIMEOUT,
        given_up: Callable[[], bool] = lambda: False,
    ) -> Completions:
        """What the shell's own completion offers for line[:cursor]; nothing when it is busy.

        It runs in a fork of the live shell, killed after `timeout` seconds, when a line comes, or
        when it is `given_up`.
        """
        from aish.shell.completion import Line, candidates

        text = line[: len(line) if cursor is None else cursor]
        with self._lock:
            prompt = self._prompt
            if "\x1f" in text or "\0" in text or prompt is None or not self._catch_up(0):
                return Completions(len(text))
            asked = Line.parse(text, prompt.word_breaks)
            request = b"complete:" + asked.request().encode("utf-8", "surrogateescape")
            if len(request) > _READLINE_LIMIT:
                return Completions(len(text))
            link = self._living()
            answer = ask(link, request, timeout, lambda: self._hurry.is_set() or given_up())
        return candidates(asked, answer, self.cwd)

    def expand(self, how: str, line: str, place: int) -> tuple[str, int] | None:
        """What a key of bash's own editor makes of a line; None when it is busy or fails.

        `how`: a "word" with a pattern, the "line", or references to the "history" in it.
        """
        if not line or "\0" in line or "\n" in line or len(line) > _READLINE_LIMIT // 4:
            return None
        with self._lock:
            if not self._catch_up(0):
                return None
            given = f"{place}:{line}".encode("utf-8", "surrogateescape")
            answer = edit(self._living(), how, given, COMPLETION_TIMEOUT)
        point, _, text = answer.decode("utf-8", "surrogateescape").partition(":")
        return (text, min(int(point), len(text))) if point.isdecimal() else None

    # Inside ------------------------------------------------------------------------------------

    @property
    def _prompt(self) -> BashPrompt | None:
        return self._link.prompt if self._link else None

    def _living(self) -> Link:
        if self._link is None or self._end is not None:
            raise ShellError("the shell has ended", "start a new one")
        return self._link

    def _catch_up(self, timeout: float | None) -> bool:
        if self._link is None or self._end is not None:
            return False
        catch_up(self._link, timeout)
        self._notice_end(self._link, "")
        return self._link.phase == "ready"

    def _notice_end(self, link: Link, command: str) -> None:
        if link.phase == "ended":
            flags = link.prompt.flags if link.prompt else ""
            self._end = shell_end(link.process.wait_status or 0, command, flags)

    @contextlib.contextmanager
    def _following_size(self, link: Link) -> Iterator[None]:
        """The size of the user's window is the size of the shell's terminal."""

        def follow(_number: int = 0, _frame: FrameType | None = None) -> None:
            link.process.resize(self._terminal.size())

        if threading.current_thread() is not threading.main_thread():
            follow()
            yield
            return
        before = signal.signal(signal.SIGWINCH, follow)
        follow()
        try:
            yield
        finally:
            signal.signal(signal.SIGWINCH, before if before is not None else signal.SIG_DFL)


def _lives(group: int) -> bool:
    """Whether a process of a job is left."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _check_null_device() -> None:
    """Without it no hook of ours runs, and hardly a script of anybody's. Raises: ShellError."""
    try:
        os.close(os.open("/dev/null", os.O_RDWR | os.O_CLOEXEC))
    except OSError as error:
        raise ShellError(
            f"cannot open /dev/null: {error.strerror}",
            "a shell needs it; root can mend it: chmod 666 /dev/null",
        ) from error
