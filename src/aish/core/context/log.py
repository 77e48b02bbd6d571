"""The conversation as it happened: turns in order, where they may be cut, and calls still open."""

from __future__ import annotations

import json
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from typing import Any

from aish.core.messages import Message, ToolCall, Turn
from aish.core.values import dataclass

ABORTED = "[aborted: the call was interrupted and gave no result]"
INTERRUPTED = "[interrupted]"
OPENING = "[start of the conversation]"
LEGACY = "function_call:"  # the id of a call in the older form, which has a name and no id


@dataclass(frozen=True, slots=True)
class Entry:
    """A turn with what the engine knows of it."""

    turn: Turn
    step: int  # assistant turns with calls so far, this one included
    output: int = 0  # the leading characters of a user turn that are command output
    source: Message | None = None  # the caller's own message, sent as it is unless it must change


class Log:
    """Turns, append-only but for taking back the newest ones.

    Every shape a strict chat template rejects is repaired on the way in: a call without a result
    is closed as aborted before anything else follows, a user turn never comes right after a tool
    result, and the first turn is the user's. So any cut at an exchange, and any cut at an atom with
    the user turn of its exchange put before it, renders to a valid conversation.
    """

    def __init__(self, *, strict: bool = True) -> None:
        """Not strict: turns of one role may follow each other, and anyone may begin."""
        self.strict = strict
        self.entries: list[Entry] = []
        self.exchanges: list[int] = []  # where a user turn stands
        self.atoms: list[
            int
        ] = []  # where a user turn, or an assistant turn with its results, begins
        self.open_calls: list[ToolCall] = []

    def __len__(self) -> int:
        return len(self.entries)

    @property
    def newest(self) -> int:
        """Where the newest exchange begins."""
        return self.exchanges[-1] if self.exchanges else 0

    @property
    def steps(self) -> int:
        return self.entries[-1].step if self.entries else 0

    def add_user(
        self, text: str, output: int = 0, source: Message | None = None, *, attached: int = 0
    ) -> None:
        self.close_calls()
        if self.strict and self.entries and self.entries[-1].turn.role == "tool":
            self._append(Turn("assistant", INTERRUPTED))
        turn = Turn("user", text, output=output, attached=attached)
        self._append(turn, output=output, source=source)

    def add_assistant(
        self, text: str, calls: Sequence[ToolCall] = (), source: Message | None = None
    ) -> None:
        self.close_calls()
        if not self.entries and self.strict:
            self._append(Turn("user", OPENING))
        self._append(Turn("assistant", text, tuple(calls)), source=source)
        self.open_calls = list(calls)

    def add_result(
        self, call_id: str, text: str, is_error: bool = False, source: Message | None = None
    ) -> bool:
        """Answer an open call; False if no such call is open."""
        for at, call in enumerate(self.open_calls):
            if call.id == call_id:
                del self.open_calls[at]
                turn = Turn("tool", text, tool_call_id=call_id, is_error=is_error)
                self._append(turn, source=source)
                return True
        return False

    def add_message(self, message: Message) -> bool:
        """Take in an OpenAI chat message; False if it is a result without a call."""
        text = text_of(message.get("content"))
        role = message.get("role")
        if role == "assistant":
            self.add_assistant(text, calls_of(message), source=message)
        elif role in ("tool", "function"):
            error = bool(message.get("is_error") or message.get("isError"))
            return self.add_result(answered_call(message), text, error, source=message)
        else:
            # A system message in mid-conversation is part of its exchange, in a role every
            # template accepts there.
            kept = role == "user" or not self.strict
            said = message if kept else {**message, "role": "user"}
            self.add_user(text, source=said)
        return True

    def close_calls(self) -> None:
        """Answer every open call with the fixed "aborted" result."""
        for call in self.open_calls:
            self._append(Turn("tool", ABORTED, tool_call_id=call.id, is_error=True))
        self.open_calls = []

    def take_back(self, size: int) -> list[Entry]:
        """Forget everything from entry `size` on and return it."""
        gone = self.entries[size:]
        del self.entries[size:]
        del self.exchanges[bisect_left(self.exchanges, size) :]
        del self.atoms[bisect_left(self.atoms, size) :]
        self.open_calls = self._unanswered()
        return gone

    def exchange_of(self, index: int) -> int:
        """Where the exchange that contains an entry begins."""
        return self.exchanges[bisect_right(self.exchanges, index) - 1]

    def _append(self, turn: Turn, output: int = 0, source: Message | None = None) -> None:
        at = len(self.entries)
        if turn.role == "user":
            self.exchanges.append(at)
            self.atoms.append(at)
        elif turn.role == "assistant" and (
            not self.entries or self.entries[-1].turn.role != "assistant"
        ):
            self.atoms.append(at)
        step = self.steps + (1 if turn.tool_calls else 0)
        self.entries.append(Entry(turn, step, output, source))

    def _unanswered(self) -> list[ToolCall]:
        answered: list[str] = []
        for entry in reversed(self.entries):
            if entry.turn.role != "tool":
                waiting = list(entry.turn.tool_calls)
                return [call for call in waiting if not _take(answered, call.id)]
            answered.append(entry.turn.tool_call_id)
        return []


def _take(names: list[str], name: str) -> bool:
    if name in names:
        names.remove(name)
        return True
    return False


def text_of(content: object) -> str:
    """The text of a message's content, whatever its shape."""
    if isinstance(content, str):
        return content
    if isinstance(content, bytes):
        return content.decode("utf-8", "replace")
    if isinstance(content, Mapping):
        content = [content]
    if not isinstance(content, Sequence):
        return ""
    parts = (part.get("text") if isinstance(part, Mapping) else part for part in content)
    return "\n".join(part for part in parts if isinstance(part, str))


def calls_of(message: Mapping[str, Any]) -> tuple[ToolCall, ...]:
    """The tool calls of an OpenAI assistant message, those of the older form too."""
    found = []
    for call in message.get("tool_calls") or ():
        function = call.get("function") or call.get("custom") or call
        name, arguments = function.get("name"), function.get("arguments", function.get("input"))
        found.append(ToolCall(str(call.get("id") or ""), str(name or ""), _json(arguments)))
    legacy = message.get("function_call")
    if isinstance(legacy, Mapping):
        name = str(legacy.get("name") or "")
        found.append(ToolCall(LEGACY + name, name, _json(legacy.get("arguments"))))
    return tuple(found)


def answered_call(message: Mapping[str, Any]) -> str:
    """The id of the call that a result answers."""
    if message.get("role") == "function":
        return LEGACY + str(message.get("name") or "")
    return str(message.get("tool_call_id") or "")


def _json(arguments: object) -> str:
    if arguments is None:
        return ""
    if isinstance(arguments, str):
        return arguments
    return json.dumps(arguments, ensure_ascii=False, default=str)
