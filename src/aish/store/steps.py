"""An autonomous run as its log tells it: step by step, what was done and what came of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aish.core.logged import Record

INDENT = "    "
MOST_LINES = 12  # of an output


def steps(records: Iterable[Record]) -> Iterator[str]:
    """The lines of every run in a log, in order; none where nothing ran by itself."""
    under_way = False
    for record in records:
        event = record.get("event")
        under_way = under_way or event == "run"
        if under_way:
            yield from _lines(record)
        under_way = under_way and event != "run_ended"


def _lines(record: Record) -> Iterator[str]:
    match record.get("event"):
        case "run":
            how = (
                " (goes on)" if record.get("steps") else " (in a trial)" * bool(record.get("tried"))
            )
            yield f"run{how}: {_text(record, 'goal')}"
            yield from _tasks(record)
        case "tasks":
            yield from _tasks(record)
        case "step":
            most = record.get("most") or ""
            yield f"step {record.get('number', '?')}{f'/{most}' if most else ''} · {_spent(record)}"
        case "halted":
            yield f"{INDENT}halted: {_text(record, 'action')}: {_text(record, 'reason')}"
        case "skipped":
            yield f"{INDENT}skipped: {_text(record, 'told')}"
        case "planned":
            yield f"{INDENT}would run: {_text(record, 'action')} ({_text(record, 'verdict')})"
        case "approved":
            facts = " · ".join(filter(None, (_text(record, "verdict"), _text(record, "place"))))
            yield f"{INDENT}$ {_text(record, 'command')}" + (f"  [{facts}]" if facts else "")
        case "ran":
            yield from _output(_text(record, "output"))
            yield f"{INDENT}exit status {record.get('status', '?')}"
        case "paused":
            yield f"{INDENT}paused by the user"
        case "rolled_back" | "broke_off":
            yield f"{INDENT}{_text(record, 'error')}"
        case "run_ended":
            reason = _text(record, "reason")
            said = f"{_text(record, 'outcome')}{f': {reason}' if reason else ''}"
            yield f"ended: {said} · {_spent(record)}"
        case None if record.get("role") == "assistant":
            yield from _said(record)


def _said(record: Record) -> Iterator[str]:
    for line in _text(record, "content").strip().splitlines():
        yield f"{INDENT}{line}"
    for call in record.get("tool_calls") or ():
        if isinstance(call, dict):
            yield f"{INDENT}calls {call.get('name', '')}({call.get('arguments', '')})"


def _tasks(record: Record) -> Iterator[str]:
    tasks = record.get("tasks")
    for number, task in enumerate(tasks if isinstance(tasks, list) else (), 1):
        yield f"{INDENT}{number}. {task}"


def _output(text: str) -> Iterator[str]:
    lines = text.rstrip().splitlines()
    for line in lines[:MOST_LINES]:
        yield f"{INDENT}│ {line}"
    if len(lines) > MOST_LINES:
        yield f"{INDENT}│ … and {len(lines) - MOST_LINES} more lines"


def _spent(record: Record) -> str:
    micro = record.get("micro")
    money = f" · ${micro / 1e6:.4f}" if isinstance(micro, int) and micro else ""
    return f"{record.get('tokens', 0)} tokens{money} · {record.get('seconds', 0)} s"


def _text(record: Record, name: str) -> str:
    value = record.get(name)
    return value if isinstance(value, str) else ""
