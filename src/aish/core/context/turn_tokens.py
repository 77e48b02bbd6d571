"""The tokens of each turn under one tokenizer and dialect, as prefix sums that only grow."""

from __future__ import annotations

from aish.core.context.log import Entry, Log
from aish.core.context.measure import MESSAGE_OVERHEAD, count_message
from aish.core.context.payload import inlined_call, rendered
from aish.core.context.tokenizer_registry import Tokenizer
from aish.core.values import dataclass

PLACEHOLDER = "[content truncated - {age} steps ago, {tokens} tokens]"
_LONGEST_AGE = 99_999
_JOIN = 3  # where pieces are put together a token boundary may move


@dataclass(frozen=True, slots=True)
class AgeRules:
    """Which old tool results become placeholders."""

    max_age: int = 5  # steps
    small: int = 100  # tokens; smaller results stay
    keep_errors: bool = True
    placeholder: str = PLACEHOLDER

    def text(self, age: int, tokens: int) -> str:
        return self.placeholder.replace("{age}", str(age)).replace("{tokens}", str(tokens))


class TurnTokens:
    """Prefix sums over a log: as it is, and as it is with every old result a placeholder."""

    def __init__(self, tokenizer: Tokenizer, tool_role: bool, rules: AgeRules) -> None:
        self.tokenizer = tokenizer
        self.tool_role = tool_role
        self.rules = rules
        self.full = [0]
        self.aged = [0]

    def catch_up(self, log: Log) -> None:
        """Count the turns added since the last time, each once."""
        for entry in log.entries[len(self.full) - 1 :]:
            tokens = self.tokens_of(entry)
            self.full.append(self.full[-1] + tokens)
            self.aged.append(self.aged[-1] + self._aged_tokens(entry, tokens))

    def forget_from(self, size: int) -> None:
        """Drop the sums of turns that were taken back."""
        del self.full[size + 1 :]
        del self.aged[size + 1 :]

    def tokens_at(self, index: int) -> int:
        return self.full[index + 1] - self.full[index]

    def ages(self, index: int) -> bool:
        """Whether this turn is a result that becomes a placeholder with age."""
        return self.aged[index + 1] - self.aged[index] < self.tokens_at(index)

    def span(self, start: int, end: int, aged: int) -> int:
        """The tokens of turns start..end when results before `aged` are placeholders."""
        turn = min(max(aged, start), end)
        return self.aged[turn] - self.aged[start] + self.full[end] - self.full[turn]

    def tokens_of(self, entry: Entry, text: str | None = None) -> int:
        """The tokens of one turn as it is sent, or as it is with `text` in place of its own."""
        turn = entry.turn
        if self.tool_role or not (turn.tool_calls or turn.role == "tool"):
            return count_message(rendered(entry, text), self.tokenizer)
        count = self.tokenizer.count
        said = turn.content if text is None else text
        if turn.role == "tool":
            return count(said) + _JOIN
        calls = sum(count(inlined_call(call)) + _JOIN for call in turn.tool_calls)
        return MESSAGE_OVERHEAD + count(said) + calls

    def _aged_tokens(self, entry: Entry, tokens: int) -> int:
        turn = entry.turn
        if turn.role != "tool" or tokens < self.rules.small:
            return tokens
        if turn.is_error and self.rules.keep_errors:
            return tokens
        text = self.rules.text(_LONGEST_AGE, tokens)
        return min(tokens, self.tokens_of(entry, text) + _JOIN)
