"""The conversation under way, written down as it happens, and the ones before it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from aish.core.errors import StoreError, UsageError
from aish.core.mask import NoMask

if TYPE_CHECKING:
    from aish.core.context.window import Context
    from aish.core.events import Event, Resumed
    from aish.core.located import Located
    from aish.core.mask import Mask
    from aish.core.messages import Reply
    from aish.core.transcript import Transcript
    from aish.core.user import User
    from aish.store.session_log import About, SessionLog
    from aish.store.session_search import Hit
    from aish.store.sessions import Sessions, StoredSession
    from aish.store.summaries import SessionSummary

SOON_CUT = 2000  # characters of a turn that may not fit a prompt whole
NOTHING_YET = "there is no conversation yet"


class Recorder:
    """One sitting's log; neither it nor what it needs is there before the first record."""

    def __init__(
        self,
        directory: Path,
        *,
        model: Callable[[], str],
        place: Located,
        user: User,
        mask: Mask | None = None,
        keep_days: float = 0.0,
    ) -> None:
        self._mask = mask or NoMask()
        self._directory = directory
        self._model = model
        self._place = place
        self._user = user
        self._keep_days = keep_days
        self._log: SessionLog | None = None
        self._arrived: list[str] = []  # of an answer that is not over
        self._other_speaks = False  # a model that was asked aside

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
        from aish.core import events as happened

        match event:
            case happened.Said(text):
                if not self._other_speaks:
                    self._arrived.append(text)
                return
            case happened.Asked() | happened.Replied() | happened.RolledBack():
                self._arrived.clear()
            case happened.Stopped() | happened.BrokeOff():
                self._arrived.clear()
                self._other_speaks = False
            case happened.Delegating():
                self._other_speaks = True
            case happened.Delegated() | happened.NotDelegated():
                self._other_speaks = False
            case happened.Ran(result) if result.private:
                return
            case happened.Undone() | happened.Emptied() if self._log is None:
                return  # what happened to nothing needs no record
            case happened.Thinking() | happened.Warned() | happened.Noticed() | happened.Attached():
                return  # of no consequence for the conversation
            case _:
                pass
        self._open()(event)

    def summarized(self, reply: Reply) -> None:
        from aish.core.transcript import SUMMARIZE

        self._open().replied(reply, meta=SUMMARIZE, purpose="memory")

    def read(self) -> StoredSession:
        """The conversation, without the secrets that an older log may hold."""
        if not self.id:
            raise UsageError(NOTHING_YET, "ask something first")
        return self.sessions.read(self.id).without_secrets(self._mask)

    def listed(self, rows: Sequence[SessionSummary]) -> list[SessionSummary]:
        """Sessions as a list may show them. Raises: ConfigError."""
        from aish.store.sessions import as_shown

        return as_shown(rows, self._mask)

    def search(self, words: str) -> list[Hit]:
        """The sessions that have every word. Raises: StoreError, ConfigError."""
        from aish.store.session_search import search

        return search(self.sessions, words, mask=self._mask)

    def save(self, name: str) -> None:
        """Raises: UsageError, for a name that holds a secret."""
        if self._mask.without_secrets(name) != name:
            raise UsageError("this name holds a secret", "save it under another one")
        self.sessions.name(self._open(), name)

    def resume(self, reference: str, context: Context) -> Resumed:
        from aish.core.events import Resumed

        if context.turns:
            raise UsageError(
                "this conversation is not empty",
                "`:reset` first, or `aish sessions resume` in a new terminal",
            )
        if self.id and self.sessions.find(reference).stem == self.id:
            raise UsageError(f"{reference} is the session you are in")
        log, session = self.sessions.resume(reference, self._user, self._mask)
        self._end_log()
        self._log = log
        for turn in session.transcript.turns:
            if len(turn.content) > SOON_CUT:  # the log may be older than what is known of secrets
                self._mask.without_secrets(turn.content)
        load(context, session.transcript)
        return Resumed(session.id, session.transcript, session.damage)

    def renew(self) -> str:
        left = self.id
        self._end_log()
        return left

    def fork(self) -> str:
        if not self.id:
            raise UsageError(NOTHING_YET, "there is nothing to fork")
        left = self.id
        log = self.sessions.fork(left, self._about(), self._user, self._mask)
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
            self._log = self.sessions.start(self._about(), self._user, self._mask)
        return self._log

    def _end_log(self) -> None:
        self._arrived.clear()
        if self._log is not None:
            self._log.close()
            self._log = None

    def _about(self) -> About:
        from aish import __version__
        from aish.store.session_log import About

        return About(__version__, self._model(), self._mask.without_secrets(self._place.cwd))


def load(context: Context, transcript: Transcript) -> None:
    """Put an earlier conversation into an empty context.

    All of it: the budget cuts anew for the model in use, which may be another one.
    """
    log = context.log
    for turn in transcript.turns:
        match turn.role:
            case "user":
                log.add_user(turn.content, output=turn.output, attached=turn.attached)
            case "assistant":
                log.add_assistant(turn.content, turn.tool_calls)
            case "tool":
                log.add_result(turn.tool_call_id, turn.content, turn.is_error)
    for output in transcript.pending:
        context.add_exec_output(output)
    for text in transcript.pinned:
        context.pin(text)
    for text in transcript.unpinned:
        context.unpin(text)
