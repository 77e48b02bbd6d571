"""A message too long to be read, as one that can be: its ends, and where all of it is."""

from __future__ import annotations

import re

import mcp_types as types

from aish.tools.lines import TooLong, unescaped

MARK = "aish/ends-only"
SHOWN = 1000  # characters of each end: as much as an output may have
_WORD = 400  # characters that a word has at most
_ID = re.compile(rb'"id"\s*:\s*(\d{1,18}(?!\d)|"[^"\\]{1,64}")')
_TEXT = re.compile(r'"text"\s*:\s*"')
_FAILED = re.compile(rb'"isError"\s*:\s*true')
_END = re.compile(r'"\s*\}?\s*\].{0,200}\Z', re.DOTALL)  # of the last text of a result


def stand_in(line: TooLong) -> types.JSONRPCResponse | types.JSONRPCError | None:
    """What the client gets instead; None where nobody waits for this message."""
    found = _ID.search(line.head) or _ID.search(line.tail)
    if found is None:
        return None
    known = found[1].decode()
    number = int(known) if known.isdecimal() else known.strip('"')
    if line.place:
        return types.JSONRPCResponse(jsonrpc="2.0", id=number, result=_result(line))
    text = f"the answer has {line.size:,} bytes, too many to be read; ask for less"
    error = types.ErrorData(code=types.INTERNAL_ERROR, message=text)
    return types.JSONRPCError(jsonrpc="2.0", id=number, error=error)


def _result(line: TooLong) -> dict[str, object]:
    """The ends of a result as its text."""
    head, tail = _readable(line.head), _readable(line.tail)
    begun = _TEXT.search(head)
    head = head[begun.end() :] if begun else head
    note = f"[a result of {line.size:,} bytes; all of it is in {line.place}; here are its ends]"
    first, last = _whole_words(head[:SHOWN]), _whole_words(_END.sub("", tail)[-SHOWN:][::-1])[::-1]
    text = f"{note}\n{first}\n[...]\n{last}"
    failed = bool(_FAILED.search(line.head) or _FAILED.search(line.tail))
    parts = [{"type": "text", "text": text}]
    # Called an error, because the SDK holds any other result against the tool's schema.
    return {"content": parts, "isError": True, "_meta": {MARK: failed}, "resultType": "complete"}


def _whole_words(cut: str) -> str:
    """The text without the word that the cut went through: half a secret is not known as one."""
    word = re.search(r"[^\s,;\"'<>]*\Z", cut[-_WORD:])
    return cut[: len(cut) - len(word[0])] if word else cut


def has_failed(result: types.CallToolResult) -> bool:
    """Whether a call failed, also where only the ends of its result came through."""
    return bool((result.meta or {}).get(MARK, result.is_error))


def _readable(end: bytes) -> str:
    return unescaped(end.decode("utf-8", "replace"))
