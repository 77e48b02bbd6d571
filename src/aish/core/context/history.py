"""A program's messages read from the end, as far as they may be kept and no further."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from aish.core.context.incoming import listed, read, role_of
from aish.core.context.measure import count_message
from aish.core.context.stretches import SIZE, stretch_at, users_among
from aish.core.context.tokenizer_registry import Tokenizer
from aish.core.context.turn_tokens import AgeRules
from aish.core.messages import Message
from aish.core.values import dataclass

LEADING = ("system", "developer")
RESULTS = ("tool", "function")


@dataclass(frozen=True, slots=True)
class CutPlace:
    """Where a conversation may be cut: before a user turn, or before a step inside an exchange."""

    at: int
    is_user: bool
    full: int  # tokens from here to the end
    aged: int  # the same with every old result a placeholder
    steps: int  # assistant turns with calls from here to the end


class History:
    """Messages with their tokens, read once each and only when looked at."""

    def __init__(self, given: Iterable[Any], tokenizer: Tokenizer, rules: AgeRules) -> None:
        self.given: Sequence[Any] = listed(given)
        self.tokenizer = tokenizer
        self.rules = rules
        self._read: dict[int, Message] = {}
        self.lead = self._leading()

    def __len__(self) -> int:
        return len(self.given)

    def message(self, at: int) -> Message:
        """A message of its own, so that no two are the same object and none is the caller's.

        Raises: MessageError.
        """
        found = self._read.get(at)
        if found is None:
            found = self._read[at] = {**read(self.given[at], at)}
        return found

    def tokens_at(self, at: int) -> int:
        return count_message(self.message(at), self.tokenizer)

    def scanned(self, room: int, most: int | None) -> tuple[list[CutPlace], int, int]:
        """The places from the newest back, where the reading stopped, and the tokens read.

        It stops where not even placeholders for all results would fit any more, but not before the
        newest step is found: whatever that takes, it is what must be sent.
        """
        placeholder = self.tokenizer.count(self.rules.text(99_999, 99_999)) + 12
        places: list[CutPlace] = []
        full = aged = steps = 0
        size, at = len(self.given), len(self.given)
        while at > self.lead:
            if places and (aged > room or (most is not None and size - at > most)):
                break
            at -= 1
            message = self.message(at)
            tokens = count_message(message, self.tokenizer)
            role = message["role"]
            full += tokens
            aged += min(tokens, placeholder) if self._ages(message, role, tokens) else tokens
            if role in RESULTS:
                continue
            steps += bool(message.get("tool_calls") or message.get("function_call"))
            is_user = role != "assistant"
            if is_user or not self._follows_user(at):
                places.append(CutPlace(at, is_user, full, aged, steps))
        return places, at, full

    def _ages(self, message: Message, role: str, tokens: int) -> bool:
        if role not in RESULTS or tokens < self.rules.small:
            return False
        failed = message.get("is_error") or message.get("isError")
        return not (failed and self.rules.keep_errors)

    def _follows_user(self, at: int) -> bool:
        before = self.role(at - 1) if at > self.lead else "user"
        return before not in ("assistant", *RESULTS)

    def user_before(self, at: int) -> int | None:
        """The nearest user turn before a message."""
        while at > self.lead:
            start = max(self.lead, (at - 1) // SIZE * SIZE)
            if users := self.users(start, at):
                return users[-1]
            at = start
        return None

    def users(self, start: int, end: int) -> list[int]:
        """The user turns among the messages from `start` to `end`."""
        found: list[int] = []
        while start < end:
            stop = min(end, (start // SIZE + 1) * SIZE)
            found += self._users_in(start, stop)
            start = stop
        return found

    def weighing(self, start: int, end: int, weight: int) -> list[int]:
        """Those of them of one weight, between two bounds of stretches."""
        return [
            begin + at
            for begin in range(start, end, SIZE)
            for at in stretch_at(self.given, begin, self.role).weighing(weight)
        ]

    def _users_in(self, start: int, end: int) -> Iterator[int]:
        if end - start == SIZE:
            found = stretch_at(self.given, start, self.role).users
        else:
            found = users_among(self.given[start:end], lambda at: self.role(start + at))
        return (start + at for at in found)

    def role(self, at: int) -> str:
        return role_of(self.given[at]) or str(self.message(at)["role"])

    def _leading(self) -> int:
        for at in range(len(self.given)):
            if self.role(at) not in LEADING:
                return at
        return len(self.given)
