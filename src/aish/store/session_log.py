"""One conversation's log: every event is on the file before the next thing happens."""

from __future__ import annotations

import secrets
import time
from dataclasses import replace
from pathlib import Path
from typing import Any, assert_never

from aish.core.errors import StoreError
from aish.core.events import (
    Approved,
    Asked,
    Attached,
    BrokeOff,
    Called,
    Declined,
    Delegated,
    Delegating,
    Emptied,
    Event,
    Evicted,
    FellBack,
    Halted,
    NotDelegated,
    Noticed,
    Paused,
    Permitted,
    Pinned,
    Planned,
    Proposed,
    Ran,
    Replied,
    Resumed,
    Retried,
    Returned,
    RolledBack,
    RunBegan,
    RunEnded,
    Said,
    Skipped,
    StepBegan,
    Stopped,
    TasksChanged,
    Thinking,
    Undone,
    Unpinned,
    Warned,
)
from aish.core.logged import Record
from aish.core.mask import Mask, NoMask, all_masked
from aish.core.messages import ExecResult, Reply, ToolCall, Turn
from aish.core.transcript import delegated_record, ran_record, spent_record, turn_record
from aish.core.user import User
from aish.core.values import dataclass
from aish.store.clock import Clock, utc_text
from aish.store.disk import DISK, Disk
from aish.store.jsonl import Writer, encode

RunNote = (
    RunBegan | TasksChanged | StepBegan | Halted | Skipped | Planned | Paused | RunEnded
)  # of an autonomous run
# What is noted in one line; the rest are turns, commands, or of no consequence.
Happening = (
    Evicted
    | Proposed
    | Declined
    | RolledBack
    | Stopped
    | BrokeOff
    | FellBack
    | NotDelegated
    | Undone
    | Retried
    | Emptied
    | RunNote
)
# Where a run waits, or goes on without having acted: what it was told is safe by then.
Settling = StepBegan | Halted | Paused | RolledBack | RunEnded
FORMAT = 1
KEPT_UNSAVED = 16 << 20  # bytes of records that wait in memory while the disk refuses them


@dataclass(frozen=True, slots=True)
class About:
    """What a session's first line says of it."""

    version: str = ""
    model: str = ""
    directory: str = ""


def new_id(now: float) -> str:
    """A name that sorts by time, to the 256th of a second, and is nobody else's."""
    moment = f"{int(now % 1 * 256):02x}"
    return time.strftime("%Y%m%d-%H%M%S-", time.gmtime(now)) + moment + secrets.token_hex(3)


class SessionLog:
    """The log of the conversation under way; the file appears with the first record.

    A disk that refuses a record never ends the conversation: the record waits in memory, the user
    is told once, and the next record takes it along. Only an approval that cannot be made durable
    is an error: what runs was logged first.
    """

    def __init__(
        self,
        path: Path,
        about: About,
        *,
        user: User,
        mask: Mask | None = None,
        clock: Clock = time.time,
        disk: Disk = DISK,
        writer: Writer | None = None,
    ) -> None:
        """A new session's log, or with `writer` the rest of one that was resumed."""
        self.path = path
        self._about = about
        self._user = user
        self._mask = mask or NoMask()
        self._clock = clock
        self._disk = disk
        self._writer = writer
        self._unsaved: list[bytes] = []
        self._refused = False
        self._owed = False  # a record that waits was to be durable
        self._in_run = False  # an autonomous run is under way
        self._late = False  # an answer of it is written, and durable before anything follows

    @property
    def id(self) -> str:
        return self.path.stem

    @property
    def started(self) -> bool:
        """Whether there is anything of this session on the disk."""
        return self._writer is not None

    def __call__(self, event: Event) -> None:
        """Write down what happens.

        Raises: StoreError, when an approval cannot be logged.
        """
        match event:
            case Asked(turn, spec):
                self.turn(turn, model=spec.name)
            case Replied():
                self.replied(event.reply, event.estimated)
            case Returned(_, turn):
                self.turn(turn)
            case Approved(command, directory, verdict, place):
                facts = {"directory": directory, "verdict": verdict, "place": place}
                self.approved(command, **{name: text for name, text in facts.items() if text})
            case Permitted(call, verdict):
                self.permitted(call, verdict)
            case Ran(result, by):
                self.ran(result, by)
            case Delegated(preset, prompt, answer):
                self._save(delegated_record(preset, prompt, answer), durable=True)
            case Pinned(text) | Unpinned(text):
                name = "pinned" if isinstance(event, Pinned) else "unpinned"
                self.note(name, durable=True, text=text)
            case Thinking() | Said() | Warned() | Noticed() | Attached():
                pass  # of no consequence for the conversation
            case Called() | Delegating() | Resumed():
                pass  # told by what follows
            case _:
                self._in_run = isinstance(event, RunBegan) or (
                    self._in_run and not isinstance(event, RunEnded)
                )
                self.note(**_facts(event), durable=self._late and isinstance(event, Settling))

    def turn(self, turn: Turn, *, meta: str = "", purpose: str = "main", **facts: Any) -> None:
        """A turn of the conversation.

        An answer is durable when this returns; in a run, before anything is done about it: the
        approval that follows makes both so, with one wait for the disk.
        """
        purpose = "" if turn.role == "user" else purpose
        if turn.output:  # masked apart, so that its lengths are known as they are written
            parts = [turn.printed, turn.content[len(turn.printed) : turn.output], turn.words]
            printed, attached, words = all_masked(parts, self._mask)
            turn = replace(
                turn,
                content=printed + attached + words,
                output=len(printed) + len(attached),
                attached=len(attached),
            )
        record = turn_record(turn, purpose=purpose, meta=meta, **facts)
        answer = turn.role == "assistant"
        late = answer and self._in_run and not turn.tool_calls  # calls are asked about at once
        self._late = self._late or late
        self._save(record, durable=answer and not late, masked=bool(turn.output))

    def replied(
        self, reply: Reply, estimated: int = 0, *, meta: str = "", purpose: str = "main"
    ) -> None:
        """A model's answer, as durable as `turn` makes it."""
        self.turn(
            Turn("assistant", reply.text, reply.tool_calls),
            model=reply.model,
            finish=reply.finish,
            usage=reply.usage,
            estimated=estimated,
            meta=meta,
            purpose=purpose,
        )

    def approved(self, command: str, **facts: Any) -> None:
        """The user's yes to exactly this command, on the disk before it runs.

        Raises: StoreError, when it is not; then the command must not run.
        """
        if not self._save({"event": "approved", "command": command, **facts}, durable=True):
            raise self._unlogged("the command does not run", "type the command yourself")

    def permitted(self, call: ToolCall, verdict: str = "") -> None:
        """The word for exactly this call, on the disk before it is made.

        Raises: StoreError, when it is not; then the call must not be made.
        """
        facts = {"name": call.name, "arguments": call.arguments, "verdict": verdict}
        if not self._save({"event": "permitted", "call": call.id, **facts}, durable=True):
            raise self._unlogged("the tool is not called", "ask without tools")

    def _unlogged(self, then: str, instead: str) -> StoreError:
        del self._unsaved[-1:]  # it never counted
        return StoreError(
            f"the approval could not be logged, so {then}",
            f"make {self.path.parent} writable, or {instead}",
        )

    def ran(self, result: ExecResult, by: str = "user") -> None:
        """A command and its outcome, unless it is private."""
        if not result.private:
            self._save(ran_record(result, by))

    def summary(self, text: str, *, turns: int = 0) -> None:
        """What stands for the turns that left the prompt."""
        self.note("summary", text=text, turns=turns)

    def note(self, event: str, *, durable: bool = False, **facts: Any) -> None:
        """Anything else that happens: `reset`, `undo`, `named`, a verdict."""
        self._save({"event": event, **facts}, durable=durable)

    def close(self) -> None:
        """Let others resume the session. What the disk still refuses is lost, and that was said."""
        if self._unsaved or self._late:
            self._flush(durable=True)
        if self._writer is not None:
            self._writer.close()
            self._writer = None

    def _save(self, record: Record, *, durable: bool = False, masked: bool = False) -> bool:
        try:
            record = record if masked else all_masked(record, self._mask)
            self._unsaved.append(encode({"ts": utc_text(self._clock()), **record}))
        except StoreError as error:
            self._user.tell(error.message)
            return False
        return self._flush(durable)

    def _flush(self, durable: bool) -> bool:
        self._owed = self._owed or durable
        try:
            if self._writer is None:
                self._writer = Writer(self.path, wait=0, disk=self._disk)
            self._write_unsaved(self._writer)
        except StoreError as error:
            self._say_refused(error)
            return False
        self._late = self._late and not self._owed
        self._owed = False
        if self._refused:
            self._refused = False
            self._user.tell(f"{self.path.name} is saved again; nothing is missing")
        return True

    def _write_unsaved(self, writer: Writer) -> None:
        size = writer.size
        first = [self._meta()] if size == 0 else []
        try:
            writer.append_lines([*first, *self._unsaved], durable=self._owed)
        finally:
            if writer.size > size:  # also when Ctrl-C ends the wait for the disk
                self._unsaved.clear()

    def _say_refused(self, error: StoreError) -> None:
        if not self._refused:
            self._refused = True
            told = f"{error.message}; kept in memory and tried again with what comes next"
            self._user.tell(told)
        while sum(map(len, self._unsaved)) > KEPT_UNSAVED:
            del self._unsaved[0]

    def _meta(self) -> bytes:
        about = {
            "format": FORMAT,
            "session": self.id,
            "started": utc_text(self._clock()),
            "version": self._about.version,
            "model": self._about.model,
            "directory": self._about.directory,
        }
        return encode({"meta": about})


def _facts(event: Happening) -> dict[str, Any]:
    """What is noted of an event that is no turn and no command that ran."""
    facts: dict[str, Any] = {}
    match event:
        case Evicted(eviction):
            name, tokens = "cut", eviction.before - eviction.after
            facts = {"turns": len(eviction.dropped), "tokens": tokens}
        case Proposed(proposal):
            name = "proposed"
            facts = {"command": proposal.command, "background": proposal.background}
        case Declined(proposal):
            name, facts = "declined", {"command": proposal.command}
        case RolledBack(error):
            name, facts = "rolled_back", {"error": error.message}
        case Stopped(kept):
            name = "stopped" if kept else "rolled_back"
            facts = {"error": "stopped by the user"}
        case BrokeOff(error):
            name, facts = "broke_off", {"error": error.message}
        case FellBack(text):
            name, facts = "fell_back", {"text": text}
        case NotDelegated(preset, error):
            name, facts = "not_delegated", {"preset": preset, "error": error.message}
        case Undone():
            name = "undo"
        case Retried():
            name = "retry"
        case Emptied():
            name = "reset"
        case _:
            return _run_facts(event)
    return {"event": name, **facts}


def _run_facts(event: RunNote) -> dict[str, Any]:  # noqa: PLR0911  (one case an event)
    """What is noted of an autonomous run."""
    match event:
        case RunBegan(goal, tasks, tried, spent):
            facts = {"goal": goal, "tasks": list(tasks), "tried": tried}
            return {"event": "run", **facts, **spent_record(spent)}
        case TasksChanged(tasks):
            return {"event": "tasks", "tasks": list(tasks)}
        case StepBegan(number, most, spent):
            return {"event": "step", "number": number, "most": most, **spent_record(spent)}
        case Halted(action, reason):
            return {"event": "halted", "action": action, "reason": reason}
        case Skipped(action, told):
            return {"event": "skipped", "action": action, "told": told}
        case Planned(action, verdict, reason):
            return {"event": "planned", "action": action, "verdict": verdict, "reason": reason}
        case Paused(kept):
            return {"event": "paused", "kept": kept}
        case RunEnded(outcome, reason, spent):
            ended = {"outcome": outcome, "reason": reason}
            return {"event": "run_ended", **ended, **spent_record(spent)}
        case _:
            assert_never(event)
