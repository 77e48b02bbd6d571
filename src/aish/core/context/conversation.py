"""What was said and what stands above it, before anyone asks how much of it fits."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from aish.core.context.clamp import clamp_tokens
from aish.core.context.incoming import read_all, read_call, read_text
from aish.core.context.kinds import copied
from aish.core.context.log import Log
from aish.core.context.pairing import paired
from aish.core.context.payload import neutralise
from aish.core.context.prompt import ORDER, PromptBlock, autonomy_block
from aish.core.context.tokenizer_registry import Tokenizer
from aish.core.errors import ConfigError, MessageError
from aish.core.messages import Message, Turn
from aish.core.output_blocks import as_printed, outputs_in
from aish.core.values import dataclass

WHOLE_OUTPUT = "\n[the whole output is in {place}]"
_OUTPUTS = 2  # as many full-sized outputs go into one question

SpillText = Callable[
    [str], str
]  # keeps a whole output elsewhere and says where, or "" if it did not


@dataclass(frozen=True, slots=True)
class OutputLimit:
    """The most that one output may take as it comes in."""

    tokens: int
    tokenizer: Tokenizer

    def clamped(self, text: str) -> str:
        return clamp_tokens(text, self.tokens, self.tokenizer)


class Conversation:
    """The log, the output waiting for the next question, and the blocks of the system message."""

    def __init__(self, spill: SpillText | None = None) -> None:
        self.log = Log()
        self.blocks: dict[PromptBlock, str] = {}
        self.tools: tuple[Mapping[str, Any], ...] = ()
        self.tools_text = ""
        self.edition = 0  # grows with every change to the blocks or tools
        self.spill = spill
        self._pending: list[str] = []

    @property
    def turns(self) -> tuple[Turn, ...]:
        """Everything said, whether the model still sees it or not."""
        return tuple(entry.turn for entry in self.log.entries)

    @property
    def pending_output(self) -> str:
        """The command output that the next user turn will begin with."""
        return as_printed(self._pending)

    def add_user(
        self,
        text: str,
        limit: OutputLimit,
        attached: str = "",
        pictures: Sequence[Mapping[str, Any]] = (),
    ) -> None:
        """Add the user's words, after the output that waits and what the words mention."""
        words = self.text(text)
        blocks = f"{neutralise(attached)}\n\n" if attached else ""
        output = self._newest_output(limit) + blocks
        self._pending = []
        said = output + words
        parts = [{"type": "text", "text": said}, *pictures]
        source: Message | None = {"role": "user", "content": parts} if pictures else None
        self.log.add_user(said, output=len(output), attached=len(blocks), source=source)

    def add_assistant(self, text: str | None, tool_calls: Iterable[object] | None = ()) -> None:
        """Add the model's words and calls; an SDK's answer has None where it has none of them."""
        words, index = self.text(text if text is not None else ""), len(self.log)
        calls = [read_call(call, index, at) for at, call in enumerate(tool_calls or ())]
        self.log.add_assistant(words, calls)

    def add_tool_result(
        self, call_id: str, text: str, limit: OutputLimit, *, is_error: bool = False
    ) -> None:
        """Answer an open tool call; a long result keeps its head and tail.

        Raises: MessageError, also when no such call is open.
        """
        # As it is taken in an output is bounded, and unable to end its turn in the template.
        kept = self._kept_output(self.text(text), limit)
        if not self.log.add_result(call_id, kept, is_error):
            told, index = f"no open tool call {call_id!r:.60}", len(self.log)
            raise MessageError(told, index=index, field="tool_call_id")

    def text(self, given: object, field: str = "content") -> str:
        """Words for the turn that comes next.

        Raises: MessageError.
        """
        return read_text(given, len(self.log), field)

    def add_exec_output(self, text: str, limit: OutputLimit) -> None:
        """Keep a command's output for the next user turn; a long one keeps its head and tail."""
        if self.text(text).strip():
            self._pending.append(self._kept_output(text, limit))

    def _kept_output(self, text: str, limit: OutputLimit) -> str:
        """A command's output as it is taken in, naming where all of it is when it was cut."""
        whole = neutralise(text)
        bounded = limit.clamped(whole)
        place = self.spill(text) if self.spill and bounded != whole else ""
        note = WHOLE_OUTPUT.format(place=place) if place else ""
        room = limit.tokens - limit.tokenizer.count(note)
        if not note or room < limit.tokens // 2:
            return bounded
        return clamp_tokens(whole, room, limit.tokenizer) + note

    def load(self, messages: Iterable[object]) -> None:
        """Take in an earlier conversation; calls it left open count as aborted.

        System messages are left out: what stands above the conversation is set by blocks.

        Raises: MessageError.
        """
        said = [
            copied(message)
            for message in read_all(messages)
            if message["role"] not in ("system", "developer")
        ]
        for message in paired(said):
            self.log.add_message(message)

    def rollback(self) -> str:
        """Take back the newest user turn and what followed; its output waits again.

        Returns what the user had said.
        """
        if not self.log.exchanges:
            return ""
        entry = self.log.take_back(self.log.exchanges[-1])[0]
        self._pending = outputs_in(entry.turn.printed) + self._pending
        return entry.turn.words

    def undo(self) -> tuple[Turn, ...]:
        """Drop the last exchange for good and return its turns."""
        if not self.log.exchanges:
            return ()
        return tuple(entry.turn for entry in self.log.take_back(self.log.exchanges[-1]))

    def reset(self) -> None:
        """Clear what was said; blocks and tools stay."""
        self.log.take_back(0)
        self._pending = []

    def set_block(self, name: PromptBlock, text: str) -> None:
        """Set one block of the system message; empty takes it out.

        Raises: ConfigError for a block that nobody shows; MessageError.
        """
        if name not in ORDER:
            raise ConfigError(f"not one of {', '.join(ORDER)}", key=f"block {name!r:.60}")
        if self.blocks.get(name, "") != self.text(text, name):
            self.blocks[name] = text
            self.edition += 1

    def set_goal(self, goal: str, tasks: Sequence[str] = ()) -> None:
        """Pin the goal and the tasks of an autonomous run; an empty goal ends it."""
        self.set_block("autonomy", autonomy_block(goal, tasks) if goal else "")

    def set_tools(self, tools: Sequence[Mapping[str, Any]]) -> None:
        """The tool definitions sent with each request; they take room too."""
        self.tools = tuple(tools)
        self.tools_text = json.dumps(self.tools, ensure_ascii=False, default=str) if tools else ""
        self.edition += 1

    def _newest_output(self, limit: OutputLimit) -> str:
        """What waits, or only the newest of it: a question is about the last commands."""
        newest, room = len(self._pending) - 1, _OUTPUTS * limit.tokens
        if newest < 1:
            return self.pending_output  # the only one stays, whatever it takes
        for at in range(newest, -1, -1):
            room -= limit.tokenizer.count(self._pending[at])
            if room < 0 and at < newest:
                left_out = f"[{at + 1} earlier outputs left out]"
                return as_printed([left_out, *self._pending[at + 1 :]])
        return self.pending_output
