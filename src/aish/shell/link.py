"""The link to a live bash: one loop over its terminal, its records and the user's keys.

    starting ── prompt ── going ── ready ── sent ── running ─┐
                  ▲                                          │
                  └──────────────────────────────────────────┘

`prompt`: bash reported and waits in its hook. `going`: it was let go on to its line editor, with
aish's key in front of it; it either reaches the key (`ready`), or still has a command left of the
text it was given, and starts that. `sent`: it has a line, and has not said that it runs it.
"""

from __future__ import annotations

import contextlib
import os
import re
import select
import signal
import termios
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Literal

from aish.core.values import dataclass
from aish.shell.channel import Channel, ShellReport, number
from aish.shell.output import Output
from aish.shell.process import BashProcess, without
from aish.shell.terminal import Terminal, TerminalSettings

Phase = Literal["starting", "prompt", "going", "ready", "sent", "running", "ended"]

LOAD_KEY = b"\x1e\x1e"
ACCEPT_KEY = b"\x1e\x1d"
EDIT_KEYS = {"word": b"\x1e\x01", "line": b"\x1e\x02", "history": b"\x1e\x05"}
BLOCK = 65536
_SYNC_PATIENCE = 0.5  # for output that is behind its record; a stopped terminal may hold it back
_EDITOR_PATIENCE = 1.0  # for the line editor to come to our key
_START_PATIENCE = 2.0  # for the note that a command starts; the user may have made PS0 read-only

_MOST_SENDS = 3
_IGNORED_ENDS = 10  # what bash takes an IGNOREEOF for that is no number
_QUEUE = 4000  # keys; more than a terminal holds unread wait until somebody reads
# What a terminal takes as it is: no Ctrl-C, no erasing, no Ctrl-S.
_PLAIN_KEYS = re.compile(rb"[^\x00\x03\x04\x08\x0f\x11-\x17\x1a\x1c-\x1f\x7f]+")

# Answers of the terminal to questions of a program that did not wait for them.
_REPORTS = re.compile(rb"\x1b\[[?>]?[0-9;]*[Rcnty]|\x1b[P\]].*?(?:\x1b\\|\x07)|\0", re.DOTALL)


@dataclass(frozen=True, slots=True)
class BashPrompt:
    """What bash reports at a prompt."""

    seq: int
    status: int
    pipe_status: tuple[int, ...]
    cwd: str
    flags: str
    editing: str  # the manner bash reads its lines in: emacs, vi, "" for without readline
    word_breaks: str
    environment: str  # the virtual environment in force
    history_control: str  # HISTCONTROL
    ignored_ends: int  # of input, before one ends the shell
    prompt_lines: int  # of the prompt that bash prints itself, where nothing keeps it from that
    job_pids: tuple[int, ...]
    aliases: bytes
    functions: bytes
    builtins: bytes
    macros: bytes  # keys that type a text, as `bind -s` lists them
    newest: bytes  # line of its history, as `history 1` shows it

    @classmethod
    def of(cls, record: ShellReport) -> BashPrompt:
        seq, status, pipe, cwd, flags, editing, breaks, virtual, *rest = record.fields
        control, ends, ps1, jobs, *names = rest
        return cls(
            number(seq),
            number(status),
            tuple(map(number, pipe.split())),
            os.fsdecode(cwd),
            flags.decode("ascii", "replace"),
            editing.decode("ascii", "replace"),
            breaks.decode("utf-8", "replace"),
            virtual.decode("utf-8", "replace"),
            control.decode("utf-8", "replace"),
            int(ends[:9]) if ends.isdigit() else _IGNORED_ENDS,
            ps1.count(b"\n") + 1 if ps1 else 0,
            tuple(map(number, jobs.split())),
            *names,
        )


class Link:
    """A running bash and everything that goes back and forth."""

    def __init__(
        self,
        program: str,
        rcfile: Path,
        terminal: Terminal,
        env: Mapping[str, str],
        cwd: str,
        *,
        earlier: Iterable[tuple[str, int]] = (),
    ) -> None:
        """Start bash; it reads its start files while the caller does other things."""
        self.terminal = terminal
        self.channel = Channel.create(env)
        self.channel.write_start_file(rcfile, cwd)
        self.channel.write_history(earlier)
        try:
            self.process = BashProcess(program, self.channel.start_file, env, terminal)
        except BaseException:
            self.channel.close()
            raise
        self.phase: Phase = "starting"
        self.prompt: BashPrompt | None = None
        self.output = Output(terminal, self.channel.mark)
        self.typed = bytearray()
        self.loaded = False  # bash has taken the line that was sent
        self.held = False  # bash may read that line, but not begin with it
        self.tells_start = False  # bash told of the last command before it began
        self.waits = False  # bash has read a line that is held
        self.newest = b""  # line of bash's history, as of the last record
        self.before_start: Callable[[], None] = lambda: None
        self.answered = False
        self.forked_pid = 0
        self.started_at = 0.0
        self.finished_at = 0.0
        self._settings: TerminalSettings = self.process.settings()
        self._prompt_at = 0.0
        self._let_go_at = 0.0
        self._keys = b""
        self._sent = b""  # the request with the last line
        self._left = 0  # times that it may be sent again
        self._listening = False
        self._open_epoll()

    def _open_epoll(self) -> None:
        self.epoll = select.epoll()
        self.epoll.register(self.process.master, select.EPOLLIN)
        self.epoll.register(self.channel.up, select.EPOLLIN)
        if self.process.pidfd >= 0:
            self.epoll.register(self.process.pidfd, select.EPOLLIN)

    # One turn of the loop ----------------------------------------------------------------------

    def turn(self, timeout: float) -> bool:
        """Wait for something and deal with it; False when nothing came."""
        events = self.epoll.poll(timeout)
        ready = {descriptor for descriptor, _ in events}
        if self.process.master in ready:
            self._read_output()
        if self.channel.up in ready:
            for record in self.channel.records():
                # One that is damaged is as if it had not come: the next prompt says it again.
                with contextlib.suppress(ValueError, IndexError, TypeError):
                    self._take(record)
        if self._listening and self.terminal.stdin_fd in ready:
            self._read_keys()
        if self._keys:
            self._type()
        if self.process.pidfd in ready or (not events and self.process.pidfd < 0):
            self._notice_end()
            return True
        if self.phase == "prompt":
            self._let_go()
        elif self.phase == "going" and not events:
            self._nudge()
        return bool(events)

    def listen(self, wanted: bool) -> None:
        """Whether the user's keys go to bash now."""
        wanted = wanted and self.terminal.has_keys
        if wanted and not self._listening:
            self.epoll.register(self.terminal.stdin_fd, select.EPOLLIN)
        elif self._listening and not wanted:
            self.epoll.unregister(self.terminal.stdin_fd)
        self._listening = wanted

    def _read_keys(self) -> None:
        try:
            keys = os.read(self.terminal.stdin_fd, 4096)
        except OSError:
            keys = b""
        if keys:
            self._keys += keys
        else:  # the user's terminal is gone
            self.listen(False)
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.process.pid, signal.SIGHUP)

    def type(self, keys: bytes) -> None:
        """Put keys in front of whatever reads the shell's terminal."""
        self._keys += keys
        self._type()

    def _type(self) -> None:
        # A program that does not read leaves its queue full: the rest waits, the loop goes on.
        with contextlib.suppress(BlockingIOError):
            self._keys = self._keys[os.write(self.process.master, self._keys) :]
        wanted = select.EPOLLIN | (select.EPOLLOUT if self._keys else 0)
        self.epoll.modify(self.process.master, wanted)

    def _read_output(self) -> None:
        # Several blocks for one wait: the kernel hands out 4 KiB at a time, and waiting costs as
        # much as reading. Gathering them for one write is slower: the terminal would idle.
        for _ in range(16):
            try:
                data = os.read(self.process.master, BLOCK)
            except OSError:
                return
            self.output.take(data)

    # Records -----------------------------------------------------------------------------------

    def _take(self, record: ShellReport) -> None:
        if record.kind == "prompt":
            self.prompt = BashPrompt.of(record)
            self.newest = self.prompt.newest
            self.output.prompt_lines = self.prompt.prompt_lines
            if self.phase in ("starting", "running"):
                # Only then are they what the user and their commands made of them.
                self._settings = self.process.settings()
            self.phase = "prompt"
            self.held = self.waits = False
            self._prompt_at = self.finished_at = time.monotonic()
            self.listen(False)
        elif record.kind == "forked":
            self.forked_pid = record.number(0)
        elif self.prompt is None or record.number(0) != self.prompt.seq:
            return  # of a prompt that was interrupted
        elif record.kind == "ready":
            # Said twice where it was asked twice; bash may have been given a line since.
            self.phase = "ready" if self.phase == "going" else self.phase
        elif record.kind == "answer":
            self.answered = True
        elif record.kind == "loaded":
            self.loaded = True
        elif record.kind == "started":
            self.tells_start = True
            self.newest = record.fields[1]
            if self.held:
                self.waits = True
            elif self.phase == "running":  # said again: it was not told to go on
                self._tell_on()
            else:
                self.began()

    @property
    def synced(self) -> bool:
        """Whether the output is as far as the records."""
        if self.prompt is None or self.phase not in ("prompt", "ready"):
            return True
        late = time.monotonic() - self._prompt_at > _SYNC_PATIENCE
        wanted = f"{self.prompt.seq}r" if self.phase == "ready" else str(self.prompt.seq)
        return late or self.output.noted in (wanted, f"{self.prompt.seq}r")

    @property
    def starts_by_asking(self) -> bool:
        """Whether the user's start file waits for keys."""
        return self.phase == "starting" and self.process.asks()

    def _let_go(self) -> None:
        """From the hook to the line editor, with our key in front of it."""
        if not self.synced or self.prompt is None:
            return
        keys = self.process.take_typed_ahead(self._settings)
        if int(self._settings[3]) & termios.ECHO:  # type: ignore[arg-type]
            self.output.take_back(keys)
        keys += self._keys
        self._keys = b""
        self.typed += _REPORTS.sub(b"", keys.replace(LOAD_KEY, b"").replace(ACCEPT_KEY, b""))
        # Without echo, readline neither draws a prompt nor the line.
        self.process.set(without(self._settings, termios.ECHO))
        self._let_go_at = time.monotonic()
        if self.prompt.editing:
            self.type(LOAD_KEY)
        else:
            self._bring_editor_back()
        self.channel.forget_requests()
        self.channel.request(b"%d:go" % self.prompt.seq)
        self.phase = "going"

    def _bring_editor_back(self) -> None:
        """Only a command at the top level does; a key means nothing to a bash without editor."""
        assert self.prompt is not None  # noqa: S101 — the phase says so
        self.process.drop_input()
        self.type(b" set -o emacs; (exit %d)\n" % self.prompt.status)

    def _nudge(self) -> None:
        """A bash that was let go and does not come to our key; one that is only slow is left alone.

        Some settings (INSIDE_EMACS) leave one that says it has an editor and has none; a signal
        may have thrown it out of its editor, or have the key dropped.
        """
        if time.monotonic() - self._let_go_at < _EDITOR_PATIENCE:
            return
        self._let_go_at = time.monotonic()
        if self.process.waits_beside_its_editor():
            self._bring_editor_back()
        elif self.process.waits_for_a_line() and not self.process.unread_input():
            self.type(LOAD_KEY)
        elif self.prompt is not None:
            # A signal in the middle of a request loses it, or the answer. Twice does no harm.
            self.channel.request(b"%d:go" % self.prompt.seq)

    def send(self, line: bytes, limit: int, *, exactly: bool = False) -> None:
        """Give bash a line; it must be ready. `exactly`: no history expansion in it."""
        assert self.prompt is not None  # noqa: S101 — the phase says so
        if len(line) > limit:
            # readline takes time quadratic in the length of a line.
            self.channel.line.write_bytes(line)
            self._sent = b"%d:file" % self.prompt.seq
        else:
            how = b"exact" if exactly else b"run"
            self._sent = b"%d:%s:%s" % (self.prompt.seq, how, line)
        self.channel.request(self._sent)
        self.type(ACCEPT_KEY)
        self.loaded = False
        self._left = _MOST_SENDS
        self.phase = "sent"
        self.started_at = time.monotonic()

    def send_again(self) -> bool:
        """Give bash its line once more; False when it has it, or was told often enough.

        A signal in the middle of a request loses it, and somebody else may have read it. One that
        came all the same is of a prompt that is past when bash meets the second.
        """
        if self.loaded or not self._left:
            return False
        self._left -= 1
        self.channel.request(self._sent)
        self.started_at = time.monotonic()
        return True

    def release(self) -> None:
        """Bash may begin with the line that it was given to read."""
        self.held = False
        self.started_at = time.monotonic()
        if self.waits:
            self.waits = False
            self.began()

    def ask(self, request: bytes) -> None:
        """Ask bash for something that it answers in the answer file."""
        assert self.prompt is not None  # noqa: S101 — the phase says so
        self.answered = False
        self.forked_pid = 0
        self.channel.request(b"%d:%s" % (self.prompt.seq, request))

    def edit(self, how: str, given: bytes) -> None:
        """Give bash a line to edit with one of its own keys; it answers with what became of it."""
        assert self.prompt is not None  # noqa: S101 — the phase says so
        self.answered = False
        self.channel.request(b"%d:edit:%s" % (self.prompt.seq, given))
        self.type(EDIT_KEYS[how] + LOAD_KEY)

    def began(self) -> None:
        """A command is about to run: its terminal gets its settings, and the user the keys."""
        if self.tells_start:
            self.before_start()
        self.output.close_window()
        if self.phase == "going":
            self.process.drop_input()  # our key; nobody came to it
        self._hand_over(bytes(self.typed))
        self.typed.clear()
        self._tell_on()
        self.phase = "running"
        self.started_at = time.monotonic()
        self.listen(True)
        if not self.terminal.has_keys:
            self.end_of_input()

    def _tell_on(self) -> None:
        if self.prompt is not None:
            self.channel.request(b"%d:on" % self.prompt.seq)

    def _hand_over(self, keys: bytes) -> None:
        """The command gets its settings, and the keys that came after its line: it may read them.

        They are not echoed, since nobody saw them begin; Ctrl-C and the like do what they do
        while it runs.
        """
        plain = _PLAIN_KEYS.match(keys)
        quiet = plain[0] if plain and len(plain[0]) < _QUEUE else b""
        if quiet:
            self.process.put_unread(quiet, self._settings)
        self.process.set(self._settings)
        if len(quiet) < len(keys):
            self.type(keys[len(quiet) :])

    def mend(self) -> None:
        """Make the channel anew where somebody removed it."""
        if not self.channel.is_there():
            self.epoll.unregister(self.channel.up)
            self.channel.open()
            self.epoll.register(self.channel.up, select.EPOLLIN)

    def start_is_late(self) -> bool:
        return time.monotonic() - self.started_at > _START_PATIENCE

    def end_of_input(self) -> None:
        """Without a keyboard, a command that reads gets the end of its input."""
        if not self.process.unread_input() and not self._keys:
            self.type(b"\x04")

    # The end -----------------------------------------------------------------------------------

    def _notice_end(self) -> None:
        if self.process.poll() is None:
            return
        if self.process.pidfd >= 0:
            self.epoll.unregister(self.process.pidfd)  # it would be readable for ever
        self.listen(False)
        self.finished_at = time.monotonic()
        # A daemon may hold the terminal open for ever: what is there is all that is waited for.
        while select.select([self.process.master], [], [], 0.02)[0]:
            try:
                self.output.take(os.read(self.process.master, BLOCK))
            except OSError:
                break
        self.output.close_window()
        self.phase = "ended"

    def close(self) -> None:
        """End bash, if it has not, and leave nothing behind."""
        self.listen(False)
        self.process.kill()
        self.phase = "ended"
        self.epoll.close()
        self.process.close_terminal()
        self.channel.close()
