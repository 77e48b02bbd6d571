"""What a session's file says of itself, read so leanly that ten thousand can be listed."""

from __future__ import annotations

import os
import re
from typing import Any

import msgspec

from aish.core.transcript import turn_of
from aish.core.values import dataclass
from aish.store.disk import pass_hole

_HEAD = 256 << 10  # bytes in which the first question of a session is looked for
_BLOCK = 1 << 20
# Quotes within a string are escaped, so these bytes stand only where a turn or its text begins.
_QUESTION = b'"role":"user"'
_ASKED = re.compile(
    rb'"role":"user",(?:"(?:output|attached)":\d+,){0,2}"content":"(?:[^"\\]|\\.)*"'
)
_decode = msgspec.json.Decoder(dict[str, Any]).decode


@dataclass(slots=True)  # not frozen: that makes each of thousands three times as slow to build
class SessionSummary:
    """One line of `:sessions`."""

    id: str
    name: str
    started: str
    model: str
    directory: str
    first_question: str
    questions: int
    size: int
    changed: float


def summary(folder: str, file: str, name: str) -> SessionSummary | None:
    """What a file says of itself, without decoding all of it; None when it cannot be read."""
    try:
        descriptor = os.open(f"{folder}/{file}", os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        try:
            facts = os.fstat(descriptor)
            # No more room than the file needs: making it takes longer than reading most files.
            head = os.read(descriptor, min(facts.st_size, _HEAD))
            questions = head.count(_QUESTION)
            if len(head) < facts.st_size:
                questions += _questions_after(descriptor, head)
        finally:
            os.close(descriptor)
    except OSError:
        return None
    meta = _decoded(head[: head.find(b"\n")]).get("meta")
    told: dict[str, Any] = meta if isinstance(meta, dict) else {}
    return SessionSummary(
        file[: -len(".jsonl")],
        name,
        str(told.get("started", "")),
        str(told.get("model", "")),
        str(told.get("directory", "")),
        _first_question(head),
        questions,
        facts.st_size,
        facts.st_mtime,
    )


def _questions_after(descriptor: int, head: bytes) -> int:
    """How many more there are, in bounded memory."""
    found, end = 0, head[1 - len(_QUESTION) :]
    while block := os.read(descriptor, _BLOCK):
        found += (end + block).count(_QUESTION)
        end = (end + block)[1 - len(_QUESTION) :]
        if block.endswith(b"\0"):
            pass_hole(descriptor)
    return found


def _first_question(head: bytes) -> str:
    asked = _ASKED.search(head)
    if asked is None:
        return ""
    record = _decoded(b"{%b}" % asked[0])
    content = record.get("content")
    if isinstance(content, str) and not record.get("output") and content[:1] != "[":
        return content  # no output stands before it
    turn = turn_of(record)
    return turn.words if turn else ""


def _decoded(line: bytes) -> dict[str, Any]:
    try:
        return _decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return {}
