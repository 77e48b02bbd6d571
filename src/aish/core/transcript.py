"""A conversation as records of a log, and back: what resuming a session means."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, get_args

from aish.core.autonomy import Run, RunOutcome, RunUsage
from aish.core.context.log import ABORTED
from aish.core.logged import Record
from aish.core.messages import ExecResult, ToolCall, Turn, Usage
from aish.core.output_blocks import (
    EXEC_OUTPUT,
    delegated_block,
    exec_block,
    outputs_in,
    skipped_block,
)
from aish.core.values import dataclass, field

SUMMARIZE = "summarize"  # the mark of a turn in which the model read the log itself


@dataclass(frozen=True, slots=True)
class Transcript:
    """What a session's log amounts to: the conversation, and what a crash left open of it."""

    turns: tuple[Turn, ...] = ()
    pending: tuple[str, ...] = ()  # output since the last question; goes before the next one
    unanswered: str = ""  # a question whose answer never came; it is not among the turns
    interrupted: tuple[str, ...] = ()  # approved commands whose end nobody saw
    aborted: tuple[Turn, ...] = ()  # results made up for interrupted calls; the log lacks them
    pinned: tuple[str, ...] = ()  # what the user pinned
    unpinned: tuple[str, ...] = ()  # what was found in the turns and is pinned no longer
    run: Run | None = None  # the last autonomous run


def turn_record(
    turn: Turn,
    *,
    model: str = "",
    purpose: str = "",
    finish: str = "",
    usage: Usage | None = None,
    estimated: int = 0,
    meta: str = "",
) -> Record:
    """A turn as a record; what says nothing is left out."""
    record: Record = {"role": turn.role}
    if turn.output or (turn.role == "user" and turn.content.startswith(EXEC_OUTPUT)):
        record["output"] = turn.output
    if turn.attached:
        record["attached"] = turn.attached
    record["content"] = turn.content
    if turn.tool_calls:
        record["tool_calls"] = [
            {"id": call.id, "name": call.name, "arguments": call.arguments}
            for call in turn.tool_calls
        ]
    facts = {
        "tool_call_id": turn.tool_call_id,
        "is_error": turn.is_error,
        "model": model,
        "purpose": purpose,
        "finish": finish,
        "usage": usage_record(usage) if usage else None,
        "estimated": estimated,
        "meta": meta,
    }
    return record | {name: fact for name, fact in facts.items() if fact}


def usage_record(usage: Usage) -> Record:
    counts = {
        "prompt": usage.prompt_tokens,
        "completion": usage.completion_tokens,
        "cached": usage.cached_tokens,
        "cache_write": usage.cache_write_tokens,
        "reasoning": usage.reasoning_tokens,
        "cost": usage.cost,
    }
    return {name: count for name, count in counts.items() if count is not None}


def ran_record(result: ExecResult, by: str) -> Record:
    """A command that ran, and who asked for it: "user" or "ai"."""
    return {
        "event": "ran",
        "by": by,
        "command": result.command,
        "status": result.status,
        "output": result.output,
        "seconds": round(result.seconds, 3),
        "cwd": result.cwd,
    }


def delegated_record(preset: str, prompt: str, answer: str) -> Record:
    """What another model answered."""
    return {"event": "delegated", "preset": preset, "prompt": prompt, "answer": answer}


def turn_of(record: Mapping[str, Any]) -> Turn | None:
    """The turn in a record, if it holds one; hand-edited records are taken as far as they go."""
    role, content = record.get("role"), record.get("content")
    if role not in ("user", "assistant", "tool") or not isinstance(content, str):
        return None
    calls = record.get("tool_calls")
    output = output_length(record, content) if role == "user" else 0
    return Turn(
        role,
        content,
        tuple(map(_call, calls)) if isinstance(calls, list) else (),
        _text(record, "tool_call_id"),
        record.get("is_error") is True,
        output,
        attached_length(record, content, output),
    )


def output_length(record: Mapping[str, Any], content: str) -> int:
    """How much of a question is output; logs of earlier versions do not say, and are searched."""
    if "output" in record or not content.startswith(EXEC_OUTPUT):
        return min(_count(record, "output"), len(content))
    return len(content) - len(content.rpartition("\n\n")[2])


def attached_length(record: Mapping[str, Any], content: str, output: int) -> int:
    """How much of the output is what the question mentions; logs of earlier versions do not say.

    There, what does not begin as a command's output is all of that kind.
    """
    if "attached" in record:
        return min(_count(record, "attached"), output)
    return 0 if content.startswith(EXEC_OUTPUT) else output


def result_of(record: Mapping[str, Any]) -> ExecResult:
    """The command and its outcome in a `ran` record."""
    status, seconds = record.get("status"), record.get("seconds")
    return ExecResult(
        _text(record, "command"),
        status if isinstance(status, int) else 0,
        _text(record, "output"),
        float(seconds) if isinstance(seconds, int | float) else 0.0,
        _text(record, "cwd"),
    )


def replay(records: Iterable[Mapping[str, Any]]) -> Transcript:
    """The conversation that a log tells, with what a crash left open brought to an end."""
    told = _Telling()
    for record in records:
        told.take(record)
    return told.end()


def for_summary(records: Iterable[Mapping[str, Any]], max_chars: int) -> str:
    """The newest of what was said, within a limit, for a model to find what is worth keeping.

    Turns in which a model read the log are left out: summaries never feed on themselves.
    """
    lines: list[str] = []
    for record in records:
        turn = turn_of(record)
        if turn is not None and turn.content and record.get("meta") != SUMMARIZE:
            lines.append(f"{turn.role}: {turn.content}")
    kept: list[str] = []
    room = max_chars
    for line in reversed(lines):
        kept.append(line[-room:])
        room -= len(line) + 1
        if room <= 0:
            break
    return "\n".join(reversed(kept))


@dataclass
class _Telling:
    """The state of a replay."""

    turns: list[Turn] = field(default_factory=list)
    pending: list[str] = field(default_factory=list)
    approved: list[str] = field(default_factory=list)
    open_calls: dict[str, ToolCall] = field(default_factory=dict)
    pinned: list[str] = field(default_factory=list)
    unpinned: list[str] = field(default_factory=list)
    run: Run | None = None

    def take(self, record: Mapping[str, Any]) -> None:
        if record.get("meta") == SUMMARIZE:
            return
        turn = turn_of(record)
        if turn is not None:
            self._turn(turn)
        else:
            self._event(record)

    def _turn(self, turn: Turn) -> None:
        if turn.role == "tool":
            if self.open_calls.pop(turn.tool_call_id, None):  # else a result of nothing
                self.turns.append(turn)
            return
        self._close_calls()
        if turn.role == "user":
            self._roll_back()  # nobody said what became of the last one: a crash, or an old log
            self.pending = []
        self.turns.append(turn)
        self.open_calls = {call.id: call for call in turn.tool_calls}

    def _event(self, record: Mapping[str, Any]) -> None:
        match record.get("event"):
            case "rolled_back":
                self._roll_back()
            case "paused" if record.get("kept") is False:
                self._roll_back()
            case "approved":
                self.approved.append(_text(record, "command"))
            case "ran":
                self._ran(result_of(record))
            case "delegated":
                parts = (_text(record, name) for name in ("preset", "prompt", "answer"))
                self.pending.append(delegated_block(*parts))
            case "skipped":
                self.pending.append(skipped_block(_text(record, "told")))
            case "run" | "tasks" | "step" | "run_ended":
                self.run = run_after(self.run, record)
            case "pinned":
                self.pinned.append(_text(record, "text"))
                self.unpinned = [text for text in self.unpinned if text != self.pinned[-1]]
            case "unpinned":
                self.unpinned.append(_text(record, "text"))
                self.pinned = [text for text in self.pinned if text != self.unpinned[-1]]
            case "undo":
                self._undo()
            case "retry":
                self._wait_again(self._undo())
            case "reset":
                self._reset()

    def _ran(self, result: ExecResult) -> None:
        if result.command in self.approved:
            self.approved.remove(result.command)
        self.pending.append(exec_block(result))

    def _roll_back(self) -> Turn | None:
        if not self.turns or self.turns[-1].role != "user":
            return None
        self._wait_again(self.turns[-1])
        return self.turns.pop()

    def _wait_again(self, question: Turn | None) -> None:
        """What was printed before a question that is taken back goes before the next one."""
        self.pending = outputs_in(question.printed if question else "") + self.pending

    def _undo(self) -> Turn | None:
        """Drop the last question, which is returned, and all it led to."""
        self.open_calls, gone = {}, None
        while self.turns and (gone is None or gone.role != "user"):
            gone = self.turns.pop()
        return gone

    def _reset(self) -> None:
        self.turns, self.pending = [], []
        self.approved, self.open_calls = [], {}
        self.pinned, self.unpinned = [], []

    def _close_calls(self) -> tuple[Turn, ...]:
        """Answer every call that has no result, so that no call stands alone."""
        closed = tuple(
            Turn("tool", ABORTED, tool_call_id=call, is_error=True) for call in self.open_calls
        )
        self.turns.extend(closed)
        self.open_calls = {}
        return closed

    def end(self) -> Transcript:
        aborted = self._close_calls()
        unanswered = self._roll_back()
        return Transcript(
            tuple(self.turns),
            tuple(self.pending),
            unanswered.words if unanswered else "",
            tuple(self.approved),
            aborted,
            tuple(self.pinned),
            tuple(self.unpinned),
            self.run,
        )


def run_after(run: Run | None, record: Mapping[str, Any]) -> Run | None:
    """The autonomous run as it stands after one more record."""
    match record.get("event"):
        case "run":
            return Run(_text(record, "goal"), _texts(record, "tasks"), _spent(record))
        case "tasks" if run is not None:
            return replace(run, tasks=_texts(record, "tasks"))
        case "step" if run is not None:
            spent = replace(_spent(record), steps=_count(record, "number"))
            return replace(run, spent=spent)
        case "run_ended" if run is not None:
            said = _text(record, "outcome")
            outcome: RunOutcome = next(
                (one for one in get_args(RunOutcome) if one == said), "stopped"
            )
            return replace(
                run, spent=_spent(record), outcome=outcome, reason=_text(record, "reason")
            )
    return run


def spent_record(spent: RunUsage) -> Record:
    """What a run has used, as facts of a record."""
    return {
        "steps": spent.steps,
        "seconds": round(spent.seconds, 1),
        "tokens": spent.tokens,
        "micro": spent.micro_dollars,
    }


def _spent(record: Mapping[str, Any]) -> RunUsage:
    seconds = record.get("seconds")
    return RunUsage(
        _count(record, "steps"),
        float(seconds) if isinstance(seconds, int | float) else 0.0,
        _count(record, "tokens"),
        _count(record, "micro"),
    )


def _texts(record: Mapping[str, Any], name: str) -> tuple[str, ...]:
    value = record.get(name)
    return tuple(text for text in value if isinstance(text, str)) if isinstance(value, list) else ()


def _call(value: Any) -> ToolCall:
    fields = value if isinstance(value, dict) else {}
    return ToolCall(_text(fields, "id"), _text(fields, "name"), _text(fields, "arguments"))


def _text(record: Mapping[str, Any], name: str) -> str:
    value = record.get(name)
    return value if isinstance(value, str) else ""


def _count(record: Mapping[str, Any], name: str) -> int:
    value = record.get(name)
    return value if isinstance(value, int) and value > 0 else 0
