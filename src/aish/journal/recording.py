"""The conversation under way, written down as it happens, and the ones before it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aish.core.errors import StoreError, UsageError

if TYPE_CHECKING:
    from aish.core.context.window import Context
    from aish.core.events import Event
    from aish.core.messages import ExecResult, Reply
    from aish.core.transcript import Transcript
    from aish.store.session_log import About, SessionLog
    from aish.store.sessions import Session, Sessions

NOTHING_YET = "there is no conversation yet"


class Recorder:
    """One sitting's log; neither it nor what it needs is there before the first record."""

    def __init__(
        self,
        directory: Path,
        *,
        model: Callable[[], str],
        cwd: Callable[[], str],
        tell: Callable[[str], None],
        mask: Callable[[str], str] = str,
        keep_days: float = 0.0,
    ) -> None:
        self._mask = mask
        self._directory = directory
        self._model = model
        self._cwd = cwd
        self._tell = tell
        self._keep_days = keep_days
        self._log: SessionLog | None = None
        self._approved = ""
        self._arrived: list[str] = []  # of an answer that is not over
        self._questions = 0  # in the conversation, by the log
        self._waiting = False  # the newest of them has no answer yet

    @cached_property
    def sessions(self) -> Sessions:
        from aish.store.sessions import Sessions

        return Sessions(self._directory)

    @property
    def id(self) -> str:
        return self._log.id if self._log is not None and self._log.started else ""

    def __call__(self, event: Event) -> None:
        """Write down what happens.

        Raises: StoreError, when an approval cannot be made durable; the command must not run then.
        """
        from aish.core.events import Approved, Asked, Ran, Replied, RolledBack, Said, Thinking

        match event:
            case Said(text):
                self._arrived.append(text)
                return
            case Thinking():
                return
            case Asked() | Replied() | RolledBack():
                self._arrived.clear()
                self._waiting = isinstance(event, Asked)
                self._questions += isinstance(event, Asked) - isinstance(event, RolledBack)
            case Approved(command):
                self._approved = command
            case Ran(result):
                # The shell may have been given more around it, as for the background.
                event = Ran(replace(result, command=self._approved or result.command))
                self._approved = ""
            case _:
                pass
        self._open()(event)

    def ran(self, result: ExecResult) -> None:
        if not result.private:
            self._open().ran(result)

    def note(self, event: str, **facts: Any) -> None:
        if self._log is not None:  # what happened to nothing needs no record
            self._log.note(event, **facts)
        if event == "reset":
            self._questions = 0

    def settle(self, context: Context) -> None:
        """Whoever takes questions back only tells the context; the log hears of it here."""
        now = len(context.log.exchanges)
        gone = self._questions - now
        for position in range(gone):
            if position == 0 and self._waiting:
                self.note("rolled_back", error="stopped by the user")
            else:
                self.note("undo")
        self._questions = now
        self._waiting = False

    def summarized(self, reply: Reply) -> None:
        from aish.core.transcript import SUMMARIZE

        log = self._open()
        log.purpose = "memory"
        try:
            log.replied(reply, meta=SUMMARIZE)
        finally:
            log.purpose = "main"

    def read(self) -> Session:
        if not self.id:
            raise UsageError(NOTHING_YET, "ask something first")
        return self.sessions.read(self.id)

    def save(self, name: str) -> None:
        self.sessions.name(self._open(), name)

    def resume(self, reference: str, context: Context) -> Session:
        if context.turns:
            raise UsageError(
                "this conversation is not empty",
                "`:reset` first, or `aish sessions resume` in a new terminal",
            )
        if self.id and self.sessions.find(reference).stem == self.id:
            raise UsageError(f"{reference} is the session you are in")
        log, session = self.sessions.resume(reference, self._tell)
        log.mask = self._mask
        self._end_log()
        self._log = log
        load(context, session.transcript)
        self._questions = len(context.log.exchanges)
        return session

    def renew(self) -> str:
        left = self.id
        self._end_log()
        self._questions, self._waiting = 0, False
        return left

    def fork(self) -> str:
        if not self.id:
            raise UsageError(NOTHING_YET, "there is nothing to fork")
        left = self.id
        log = self.sessions.fork(left, self._about(), self._tell)
        self._end_log()
        self._log = log
        return left

    def close(self) -> None:
        """The sitting is over; an answer cut short by the end keeps what had arrived."""
        if self._arrived:
            from aish.core.messages import Turn

            turn = Turn("assistant", "".join(self._arrived))
            self._open().turn(turn, finish="interrupted")
        used = self._log is not None
        self._end_log()
        if used and self._keep_days > 0:
            with suppress(StoreError):  # the next sitting tries again
                self.sessions.prune(self._keep_days)

    def _open(self) -> SessionLog:
        if self._log is None:
            self._log = self.sessions.start(self._about(), self._tell)
            self._log.mask = self._mask
        return self._log

    def _end_log(self) -> None:
        self._arrived.clear()
        if self._log is not None:
            self._log.close()
            self._log = None

    def _about(self) -> About:
        from aish import __version__
        from aish.store.session_log import About

        return About(__version__, self._model(), self._cwd())


def load(context: Context, transcript: Transcript) -> None:
    """Put an earlier conversation into an empty context.

    All of it: the budget cuts anew for the model in use, which may be another one.
    """
    from aish.core.transcript import question_alone
    from aish.engine.turn import exec_block

    log = context.log
    for turn in transcript.turns:
        match turn.role:
            case "user":
                output = len(turn.content) - len(question_alone(turn.content))
                log.add_user(turn.content, output=output)
            case "assistant":
                log.add_assistant(turn.content, turn.tool_calls)
            case "tool":
                log.add_result(turn.tool_call_id, turn.content, turn.is_error)
    for result in transcript.pending:
        context.add_exec_output(exec_block(result))
