"""The conversation: turns, output waiting for the next question, and what fits the window."""

from __future__ import annotations

from dataclasses import dataclass

from aish.core.errors import ContextOverflowError
from aish.core.messages import Message, ToolCall, Turn

EXEC_OUTPUT = "[exec output]\n"
MESSAGE_OVERHEAD = 6  # tokens a chat template spends on one message
PROMPT_OVERHEAD = 16


@dataclass(frozen=True, slots=True)
class Eviction:
    """What was dropped from the prompt to make room."""

    turns: int
    tokens: int


class Context:
    """The running conversation, rendered within a token budget."""

    def __init__(self, system: str) -> None:
        self._system = system
        self._turns: list[Turn] = []
        self._pending: list[str] = []
        self._before_question: list[str] = []

    @property
    def turns(self) -> tuple[Turn, ...]:
        return tuple(self._turns)

    def add_exec_output(self, text: str) -> None:
        """Keep a command's output for the next question."""
        if text:
            self._pending.append(text)

    def add_user(self, text: str) -> Turn:
        """Add a question, with the output of the commands since the last one before it."""
        self._before_question = self._pending
        blocks = [EXEC_OUTPUT + output for output in self._pending]
        content = "\n".join(blocks) + "\n\n" + text if blocks else text
        self._pending = []
        turn = Turn("user", content)
        self._turns.append(turn)
        return turn

    def add_assistant(self, text: str, tool_calls: tuple[ToolCall, ...] = ()) -> Turn:
        turn = Turn("assistant", text, tool_calls)
        self._turns.append(turn)
        return turn

    def rollback(self) -> None:
        """Take back the last question, so that asking again does not double it."""
        if self._turns and self._turns[-1].role == "user":
            self._turns.pop()
            self._pending = self._before_question + self._pending

    def reset(self) -> None:
        self._turns.clear()
        self._pending.clear()

    def estimate_tokens(self) -> int:
        return PROMPT_OVERHEAD + estimate_tokens(self._system) + sum(map(_turn_tokens, self._turns))

    def enforce_budget(self, budget: int) -> Eviction | None:
        """Drop the oldest exchanges until the prompt fits; the last question always stays.

        Raises: ContextOverflowError, when even that is too much.
        """
        need = self.estimate_tokens()
        before, dropped = need, 0
        while need > budget and (cut := self._first_exchange()):
            need -= sum(map(_turn_tokens, self._turns[:cut]))
            del self._turns[:cut]
            dropped += cut
        if need > budget:
            raise ContextOverflowError(
                f"the question needs about {need:,} tokens and the model has room for {budget:,}",
                "ask with less output attached, or choose a model with a larger window",
                need=need,
                have=budget,
                breakdown={
                    "system": estimate_tokens(self._system),
                    "question": sum(map(_turn_tokens, self._turns)),
                },
            )
        return Eviction(dropped, before - need) if dropped else None

    def to_messages(self) -> list[Message]:
        messages: list[Message] = [{"role": "system", "content": self._system}]
        messages.extend({"role": turn.role, "content": turn.content} for turn in self._turns)
        return messages

    def _first_exchange(self) -> int:
        """How many turns the oldest exchange has; 0 when only the last one is left."""
        for index, turn in enumerate(self._turns):
            if index and turn.role == "user":
                return index
        return 0


def _turn_tokens(turn: Turn) -> int:
    return MESSAGE_OVERHEAD + estimate_tokens(turn.content)


def estimate_tokens(text: str) -> int:
    """A cautious guess: rounds up, and counts bytes rather than characters."""
    return (len(text.encode("utf-8", "surrogatepass")) + 2) // 3
