"""The loops over a link: until ready, until a command has ended, until a question is answered."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

from aish.shell.link import ACCEPT_KEY, LOAD_KEY, Link

TICK = 0.5  # seconds between looks at a silent command
LOOK = 0.02  # seconds between looks at a line that does not start
SOON = 0.001
READS_IN = 30.0  # seconds in which bash has surely read a line, however busy the machine
_IDLE_LIMIT = 1_000_000  # bytes of background output read in one go


def settled(link: Link) -> bool:
    """At rest: ready with all output shown, or gone."""
    return link.phase == "ended" or (link.phase == "ready" and link.synced)


def catch_up(link: Link, timeout: float | None) -> None:
    """Deal with what came, until ready; with a time-out of 0, only what is there.

    A start file that asks something is not waited for: it waits for the user.
    """
    deadline = None if timeout is None else time.monotonic() + timeout
    while not settled(link):
        left = 1.0 if deadline is None else deadline - time.monotonic()
        if not link.turn(max(0.0, min(left, 5 * LOOK))) and (left <= 0 or link.starts_by_asking):
            break
    while link.phase != "ended" and len(link.output.idle) < _IDLE_LIMIT and link.turn(0):
        pass


def wait_until_ready(link: Link) -> None:
    """The user's start file may be slow, and may ask: it has the keys then."""
    while link.phase != "ended" and link.turn(0):
        pass
    while not settled(link):
        if not link.turn(TICK) and link.phase in ("starting", "running"):
            link.listen(True)


def relay(link: Link) -> bool:
    """Until bash is ready again or gone; True when it wanted more of the text."""
    incomplete = refused = False
    suspicion, patience = 0, 1  # looks at a bash that waits for a line
    while not settled(link):
        if link.turn(TICK if link.phase == "running" else LOOK):
            suspicion = 0
        elif link.process.was_stopped():
            link.terminal.stop_too()
            link.process.go_on()
        elif link.phase in ("sent", "running"):
            suspicion = suspicion + 1 if _wants_a_line(link) else 0
            if link.phase == "sent" and suspicion > 2 and link.send_again():
                suspicion = 0  # it waits for the line itself
            elif link.phase == "sent" and suspicion > 2:
                if link.output.said_a_line and not refused:
                    # A history expansion failed, bash said so and reads another line.
                    refused = True
                    link.type(ACCEPT_KEY)
                else:
                    incomplete = True
                    os.kill(link.process.pid, signal.SIGINT)
            elif link.phase == "sent" and link.start_is_late() and not suspicion:
                if not link.send_again():
                    link.tells_start = False
                    link.began()
            elif link.phase == "running" and suspicion > patience:
                # A prompt without a report: the hook or the channel was removed. Our key, and a
                # new channel, put it back.
                link.mend()
                link.type(LOAD_KEY)
                suspicion, patience = 0, patience * 2
            elif link.phase == "running" and not link.terminal.has_keys:
                link.end_of_input()
    return incomplete


def ask(link: Link, request: bytes, timeout: float, hurry: Callable[[], bool]) -> bytes:
    """Ask bash; what it forked for the answer is killed when late, or when `hurry` says so."""
    with contextlib.suppress(FileNotFoundError):
        link.channel.answer.unlink()
    link.ask(request)
    deadline = time.monotonic() + timeout
    killed = False
    while not link.answered and link.phase == "ready":
        left = deadline - time.monotonic()
        if not killed and link.forked_pid and (left <= 0 or hurry()):
            killed = True
            _kill_tree(link.forked_pid)
        elif left <= -1.0:
            break
        link.turn(LOOK if killed else min(max(left, LOOK), 0.1))
    if killed or not link.answered:
        return b""
    try:
        return link.channel.answer.read_bytes()
    except OSError:
        return b""


def interrupt(link: Link, patience: float) -> None:
    """Interrupt a bash that waits for a line, until it waits again."""
    before = link.prompt.seq if link.prompt else 0
    deadline = time.monotonic() + patience
    shown = len(link.output.idle)
    link.ask(b"leave")  # to its own line editor, which knows what to do
    while not _wants_a_line(link) and time.monotonic() < deadline:
        link.turn(SOON)
    os.kill(link.process.pid, signal.SIGINT)
    _wait_for_prompt_after(link, before, deadline)
    _drop_mark(link, shown)


def recall(link: Link, patience: float) -> None:
    """Take back a line that is held; to bash it is one that Ctrl-C dropped."""
    before = link.prompt.seq if link.prompt else 0
    shown = len(link.output.idle)
    # An interrupt before bash has read it would find our own hook, and bash would not come back.
    deadline = time.monotonic() + READS_IN
    while link.phase == "sent" and not link.waits and time.monotonic() < deadline:
        link.turn(LOOK)
    # Also to the substitution in which bash waits for leave to begin.
    with contextlib.suppress(ProcessLookupError):
        os.killpg(link.process.pid, signal.SIGINT)
    _wait_for_prompt_after(link, before, time.monotonic() + patience)
    _drop_mark(link, shown)
    link.held = False


def _wait_for_prompt_after(link: Link, seq: int, deadline: float) -> None:
    while link.phase != "ended" and time.monotonic() < deadline:
        if link.prompt and link.prompt.seq > seq and settled(link):
            break
        link.turn(LOOK)


def _drop_mark(link: Link, shown: int) -> None:
    """The line and its ^C are on the screen already; a trap may have said something between."""
    said = bytes(link.output.idle[shown:]).removeprefix(b"^C")
    link.output.idle[shown:] = said.removesuffix(b"\n").removesuffix(b"\r")


def edit(link: Link, how: str, given: bytes, timeout: float) -> bytes:
    """Have bash's own line editor change a line; "" when it does not come back in time."""
    with contextlib.suppress(FileNotFoundError):
        link.channel.answer.unlink()
    shown = len(link.output.idle)
    link.edit(how, given)
    deadline = time.monotonic() + timeout
    while not link.answered and link.phase == "ready" and time.monotonic() < deadline:
        link.turn(LOOK)
    if not link.answered:
        interrupt(link, timeout)
        return b""
    while link.turn(0):
        pass
    del link.output.idle[shown:]  # the line editor's own drawing
    try:
        return link.channel.answer.read_bytes()
    except OSError:
        return b""


def _wants_a_line(link: Link) -> bool:
    return link.process.waits_for_a_line() and not link.process.unread_input()


def _kill_tree(pid: int) -> None:
    """Kill a process and what it started; stopped first, so that it starts nothing more."""
    with contextlib.suppress(OSError):
        os.kill(pid, signal.SIGSTOP)
        for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
            _kill_tree(int(child))
    with contextlib.suppress(OSError):
        os.kill(pid, signal.SIGKILL)
