"""Two clients of the context engine, as programs with their own message types write them.

They are checked by mypy in strict mode and run by the tests. `ask` stands for your provider's call.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple, TypedDict

import aish


class Said(TypedDict):
    role: Literal["system", "user", "assistant"]
    content: str


class Chat:
    """A conversation of any length in a window of 8,192 tokens."""

    def __init__(self, ask: Callable[[list[Said]], str], model: str = "gpt-4o") -> None:
        self._ask = ask
        self._model = model
        self._config = aish.ContextManagementConfig(8192, reserved_output_tokens=1024)
        self.messages: list[Said] = [{"role": "system", "content": "You are helpful."}]
        self.left_out = 0
        self.still_holds: list[str] = []  # what the user laid down in messages left out
        self.told: list[str] = []  # what was left out or shortened, and why

    def say(self, text: str) -> str:
        """Raises: aish.ContextOverflowError, when even this text alone is too long."""
        self.messages.append({"role": "user", "content": text})
        prompt: aish.PromptResult[Said] = aish.build_final_prompt(
            self.messages, self._config, self._model
        )
        self.left_out = prompt.dropped_count
        self.still_holds = prompt.repeated.splitlines()
        self.told = [f"{one.first}-{one.last}: {one.what}, {one.why}" for one in prompt.changes]
        answer = self._ask(prompt.messages)
        self.messages.append({"role": "assistant", "content": answer})
        return answer


class Answer(NamedTuple):
    """What a provider's SDK gives back: words or None, calls, and what it cost."""

    content: str | None
    calls: tuple[aish.ToolCall, ...] = ()
    prompt_tokens: int = 0
    completion_tokens: int = 0


class Agent:
    """One conversation with tools that goes on for days; `run` carries out one call."""

    def __init__(
        self,
        ask: Callable[[list[dict[str, object]]], Answer],
        run: Callable[[str, str], str],
        config: aish.ContextManagementConfig,
        tokenizer: aish.Tokenizer | None = None,
    ) -> None:
        self._ask, self._run = ask, run
        self.context = aish.Context(config, tokenizer, model="gpt-4o")
        self.context.set_block("base", "You are an agent.")
        self.dropped = 0
        self.warnings: list[str] = []

    def pursue(self, task: str, most_steps: int = 20) -> str:
        """Raises: aish.ContextOverflowError; the task is taken back then, and can be put again."""
        self.context.add_user(task)
        for _ in range(most_steps):
            answer = self._step()
            if not answer.calls:
                return answer.content or ""
            for call in answer.calls:
                self.context.add_tool_result(call.id, self._run(call.name, call.arguments))
        return "not done"

    def _step(self) -> Answer:
        try:
            evicted: aish.Eviction | None = self.context.enforce_budget()
        except aish.ContextOverflowError:
            self.context.rollback()
            raise
        self.dropped += len(evicted.dropped) if evicted else 0
        answer = self._ask(self.context.to_messages())
        seen: aish.Observed = self.context.observe(
            aish.Usage(answer.prompt_tokens, answer.completion_tokens)
        )
        if seen.warning:
            self.warnings.append(seen.warning)
        self.context.add_assistant(answer.content, answer.calls)
        return answer

    def rules(self) -> list[str]:
        """What is kept word for word, whatever leaves the conversation."""
        return [pin.text for pin in self.context.pins]


def within_budget(messages: list[Said], config: aish.ContextManagementConfig) -> str:
    """One line on how full the window is."""
    found: aish.BudgetResult = aish.check_budget(messages, config)
    return f"{found.current_tokens} of {found.max_input_tokens} ({found.utilization_percent} %)"


def configured(window: int) -> aish.ContextManagementConfig | str:
    """Settings from outside; what is wrong with them is one sentence."""
    try:
        return aish.ContextManagementConfig(window)
    except aish.ConfigError as error:
        return str(error)
