"""The user's own bash, long-lived, on a terminal of its own: lines in, outcomes out."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import FrameType

from aish.core.errors import ShellError
from aish.shell.capture import Capture
from aish.shell.channel import sweep
from aish.shell.completion import Line, candidates
from aish.shell.fold import fold
from aish.shell.link import TICK, LOAD_KEY, Link
from aish.shell.terminal import Terminal
from aish.shell.values import Completions, Job, Names, Outcome, ShellEnd

CAPTURE_LIMIT = 64 * 1024
COMPLETION_TIMEOUT = 1.5
_READLINE_LIMIT = 32 * 1024  # bytes; longer lines go by file
_LOOK = 0.02  # seconds between looks at a line that does not start
_JOB = re.compile(r"\[(\d+)\]([ +-]) +(\d+) (.{23}) ?(.*)")
_LEAVES = re.compile(r"\b(exit|logout|exec)\b")
_ERREXIT = re.compile(r"\bset\s+(-\w*e|-o\s+errexit)")


class LiveShell:
    """One bash that lives as long as the conversation.

    `start` returns at once; `run` relays keys and output until the command ends. One thread runs
    commands; `complete` may be called from another.
    """

    def __init__(
        self,
        program: str = "/bin/bash",
        rcfile: Path | None = None,
        terminal: Terminal | None = None,
        env: Mapping[str, str] | None = None,
        cwd: str | Path | None = None,
        capture_limit: int = CAPTURE_LIMIT,
    ) -> None:
        """Describe the shell; `rcfile` None is the user's ~/.bashrc, /dev/null is none."""
        self._program = program
        self._rcfile = rcfile
        self._terminal = terminal or Terminal()
        self._env = {
            name: value
            for name, value in (os.environ if env is None else env).items()
            if name not in ("LINES", "COLUMNS")
        }
        self._cwd = str(cwd) if cwd is not None else ""
        self._capture_limit = capture_limit
        self._link: Link | None = None
        self._end: ShellEnd | None = None
        self._lock = threading.RLock()
        self._hurry = threading.Event()  # a line is waiting: completion must give way
        self._names: tuple[int, Names] = (-1, Names(frozenset(), frozenset()))

    # Life --------------------------------------------------------------------------------------

    def start(self) -> None:
        """Start bash, or a new one where the last one was; returns at once.

        Raises: ShellError when it cannot be started.
        """
        with self._lock:
            self.close()
            self._cwd = self._cwd or os.getcwd()  # noqa: PTH109 — text, as bash has it
            rcfile = self._rcfile or Path(self._env.get("HOME", "/")) / ".bashrc"
            self._end = None
            self._names = (-1, self._names[1])
            self._link = Link(self._program, rcfile, self._terminal, self._env, self._cwd)
        sweep(self._env)

    def close(self) -> None:
        """Hang up on bash and its jobs; harmless when there is none."""
        with self._lock:
            if self._link is not None:
                self._cwd = self.cwd or self._cwd
                self._link.close()
                self._link = None

    @property
    def ended(self) -> ShellEnd | None:
        """How the shell ended, None while it lives."""
        return self._end

    def ready(self, timeout: float | None = None) -> bool:
        """Wait for the prompt; True when there, False on time-out or when the shell ended."""
        with self._lock:
            return self._pump(timeout)

    # State, as of the last prompt --------------------------------------------------------------

    @property
    def cwd(self) -> str:
        """The shell's working directory."""
        prompt = self._link.prompt if self._link else None
        return prompt.cwd if prompt else self._cwd

    @property
    def status(self) -> int:
        """The status of the last command, as $? has it."""
        prompt = self._link.prompt if self._link else None
        return prompt.status if prompt else 0

    @property
    def job_count(self) -> int:
        """How many jobs there are; costs nothing."""
        prompt = self._link.prompt if self._link else None
        return len(prompt.job_pids) if prompt else 0

    def jobs(self) -> tuple[Job, ...]:
        """The jobs with their states; asks the shell when there are any."""
        with self._lock:
            if not self.job_count or not self._pump(0):
                return ()
            text = self._ask(b"jobs", COMPLETION_TIMEOUT).decode("utf-8", "replace")
        found = (_JOB.match(line) for line in text.splitlines())
        return tuple(
            Job(int(m[1]), int(m[3]), m[4].strip(), m[5].strip(), m[2] == "+") for m in found if m
        )

    def names(self) -> Names:
        """Alias and function names; sent at every prompt, so this is a lookup."""
        if self._lock.acquire(blocking=False):
            with contextlib.closing(_Held(self._lock)):
                self._pump(0)
        prompt = self._link.prompt if self._link else None
        if prompt is not None and self._names[0] != prompt.seq:
            aliases = frozenset(os.fsdecode(prompt.aliases).split("\n")) - {""}
            functions = frozenset(
                name
                for name in os.fsdecode(prompt.functions).split("\n")
                if name and not name.startswith("__aish_")
            )
            self._names = (prompt.seq, Names(aliases, functions))
        return self._names[1]

    def typed_ahead(self) -> str:
        """Keys typed while a command ran and not read by it; for the line editor. Taken once."""
        if self._link is None:
            return ""
        keys = bytes(self._link.typed)
        self._link.typed.clear()
        return keys.decode("utf-8", "ignore")

    def fileno(self) -> int:
        """A descriptor to watch while no command runs: readable means call `idle_output`.

        Raises: ShellError when there is no shell.
        """
        return self._living().epoll.fileno()

    def idle_output(self) -> bytes:
        """What background jobs printed since, ready for the terminal; does not wait."""
        if self._link is None or not self._lock.acquire(blocking=False):
            return b""
        with contextlib.closing(_Held(self._lock)):
            self._pump(0)
            output = bytes(self._link.idle)
            self._link.idle.clear()
        return output

    # Running -----------------------------------------------------------------------------------

    def run(self, command: str) -> Outcome:
        """Run what the user would have typed, to its end, on the user's terminal.

        The exit status is exact; an end of the shell itself is in `ended`, not an error.
        Raises: ShellError when there is no shell, or the text cannot be a command.
        """
        if "\0" in command:
            raise ShellError("a command cannot contain a NUL byte", "remove it from the line")
        self._hurry.set()
        with self._lock:
            self._hurry.clear()
            link = self._living()
            with self._terminal.raw(), self._following_size(link):
                link.on_screen = True
                try:
                    return self._run(link, command)
                finally:
                    link.listen(False)
                    link.on_screen = False
                    link.capture = None

    def _run(self, link: Link, command: str) -> Outcome:
        self._show_idle(link)
        self._wait_until_ready(link)
        link.loaded = False
        capture = link.capture = Capture(self._capture_limit)
        incomplete = False
        link.last_shown = b""
        line = command.rstrip("\n").encode("utf-8", "surrogateescape")
        while link.phase == "ready" and not link.loaded:
            # More than once only when a signal sent bash back to its prompt with the line unread.
            link.send(line, _READLINE_LIMIT)
            incomplete = self._relay(link)
        repair = capture.repair()
        if repair:
            self._terminal.write(repair)
        if link.phase == "ended":
            self._bury(link, command)
        return self._outcome(link, command, capture, incomplete)

    def _show_idle(self, link: Link) -> None:
        if link.idle:
            self._terminal.write(bytes(link.idle))
            link.idle.clear()

    def _wait_until_ready(self, link: Link) -> None:
        """The user's start file may be slow, and may ask: it has the keys then."""
        while link.phase != "ended" and link.turn(0):
            pass
        while not (link.phase == "ready" and link.synced) and link.phase != "ended":
            if not link.turn(TICK) and link.phase in ("starting", "running"):
                link.listen(True)

    def _relay(self, link: Link) -> bool:
        """Until bash is ready again or gone; True when it wanted more of the text."""
        incomplete = False
        suspicion = 0
        patience = 1
        while not (link.phase == "ready" and link.synced) and link.phase != "ended":
            if link.turn(_LOOK if link.phase != "running" else TICK):
                suspicion = 0
            elif link.phase in ("sent", "running"):
                suspicion = suspicion + 1 if _wants_a_line(link) else 0
                if link.phase == "sent" and suspicion > 2:
                    incomplete = True
                    os.kill(link.process.pid, signal.SIGINT)
                elif link.phase == "sent" and link.start_is_late() and not suspicion:
                    link.began()
                elif link.phase == "running" and suspicion > patience:
                    # A prompt without a report: the hook was removed. Our key puts it back.
                    link.type(LOAD_KEY)
                    suspicion, patience = 0, patience * 2
                elif link.phase == "running" and not self._terminal.has_keys:
                    link.end_of_input()
        return incomplete

    def _outcome(self, link: Link, command: str, capture: Capture, incomplete: bool) -> Outcome:
        prompt = link.prompt
        head, tail, cut = capture.parts()
        return Outcome(
            command=command,
            status=self._end.status if self._end else prompt.status if prompt else 0,
            output=self._text(command, capture, head, tail, cut),
            seconds=max(0.0, link.finished_at - link.started_at),
            cwd=self.cwd,
            private=command.startswith(" "),
            pipe_status=prompt.pipe_status if prompt and not self._end else (),
            open_line=link.last_shown not in (b"", b"\n") and not capture.full_screen,
            full_screen=capture.full_screen,
            cut_bytes=cut,
            incomplete=incomplete,
            ended=self._end,
        )

    def _text(self, command: str, capture: Capture, head: bytes, tail: bytes, cut: int) -> str:
        if capture.full_screen:
            return f"[ran {(command.split() or ['a program'])[0]}]"
        rows, columns = self._terminal.size()
        if not cut:
            return fold(head + tail, columns, rows)
        # Neither half of a character nor half of an escape sequence survives a cut at lines.
        first = head[: head.rfind(b"\n") + 1] or head
        last = tail[tail.find(b"\n") + 1 :] or tail
        cut += len(head) + len(tail) - len(first) - len(last)
        note = f"[... {cut} bytes cut ...]"
        return f"{fold(first, columns, rows).rstrip()}\n{note}\n{fold(last, columns, rows)}"

    def _bury(self, link: Link, command: str) -> None:
        raw = link.process.wait_status or 0
        code = os.waitstatus_to_exitcode(raw)
        errexit = "e" in (link.prompt.flags if link.prompt else "") or _ERREXIT.search(command)
        if code < 0:
            self._end = ShellEnd(128 - code, "signal")
        elif errexit and not _LEAVES.search(command):
            self._end = ShellEnd(code, "errexit")
        else:
            self._end = ShellEnd(code, "exit")

    # Completion --------------------------------------------------------------------------------

    def complete(
        self, line: str, cursor: int | None = None, timeout: float = COMPLETION_TIMEOUT
    ) -> Completions:
        """What the shell's own completion offers for line[:cursor]; nothing when it is busy.

        It runs in a fork of the live shell, killed after `timeout` seconds or when a line comes.
        """
        text = line[: len(line) if cursor is None else cursor]
        with self._lock:
            nothing = Completions(len(text))
            if "\x1f" in text or "\0" in text or self._link is None or not self._pump(0):
                return nothing
            prompt = self._link.prompt
            asked = Line.parse(text, prompt.word_breaks if prompt else "")
            request = b"complete:" + asked.request().encode("utf-8", "surrogateescape")
            if len(request) > _READLINE_LIMIT:
                return nothing
            answer = self._ask(request, timeout)
        return candidates(asked, answer, self.cwd)

    def _ask(self, request: bytes, timeout: float) -> bytes:
        """Ask the shell, and kill what it forked for that when it takes too long."""
        link = self._living()
        with contextlib.suppress(FileNotFoundError):
            link.channel.answer.unlink()
        link.ask(request)
        deadline = time.monotonic() + timeout
        killed = False
        while not link.answered and link.phase == "ready":
            left = deadline - time.monotonic()
            if not killed and (left <= 0 or self._hurry.is_set()) and link.forked_pid:
                killed = True
                _kill_tree(link.forked_pid)
            elif left <= -1.0:
                break
            link.turn(_LOOK if killed else min(max(left, _LOOK), 0.1))
        if killed or not link.answered:
            return b""
        try:
            return link.channel.answer.read_bytes()
        except OSError:
            return b""

    # Inside ------------------------------------------------------------------------------------

    def _living(self) -> Link:
        if self._link is None or self._end is not None:
            raise ShellError("the shell has ended", "start a new one")
        return self._link

    def _pump(self, timeout: float | None) -> bool:
        """Deal with what came, until ready; with 0, only what is there."""
        link = self._link
        if link is None or self._end is not None:
            return False
        deadline = None if timeout is None else time.monotonic() + timeout
        while not (link.phase == "ready" and link.synced) and link.phase != "ended":
            left = 1.0 if deadline is None else deadline - time.monotonic()
            if not link.turn(max(0.0, min(left, _LOOK * 5))) and left <= 0:
                break
        while link.phase != "ended" and link.turn(0):
            if len(link.idle) > 1_000_000:
                break
        if link.phase == "ended":
            self._bury(link, "")
        return link.phase == "ready"

    @contextlib.contextmanager
    def _following_size(self, link: Link) -> Iterator[None]:
        """The size of the user's window is the size of the shell's terminal."""

        def follow(number: int, frame: FrameType | None) -> None:
            link.process.resize(self._terminal.size())

        link.process.resize(self._terminal.size())
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = signal.signal(signal.SIGWINCH, follow)
        follow(0, None)
        try:
            yield
        finally:
            signal.signal(signal.SIGWINCH, before if before is not None else signal.SIG_DFL)


class _Held:
    """A lock to let go of."""

    def __init__(self, lock: threading.RLock) -> None:  # type: ignore[valid-type]
        self._lock = lock

    def close(self) -> None:
        self._lock.release()  # type: ignore[attr-defined]


def _wants_a_line(link: Link) -> bool:
    return link.process.waits_for_a_line() and not link.process.unread_input()


def _kill_tree(pid: int) -> None:
    """Kill a process and what it started; children first, so that none is lost from sight."""
    with contextlib.suppress(OSError):
        os.kill(pid, signal.SIGSTOP)
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        for child in children:
            _kill_tree(int(child))
    with contextlib.suppress(OSError):
        os.kill(pid, signal.SIGKILL)
