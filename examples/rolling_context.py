"""A client of the context engine, as a program with its own message types writes one.

It is checked by mypy in strict mode and run by the tests. `ask` stands for your provider's call.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypedDict

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

    def say(self, text: str) -> str:
        """Raises: aish.ContextOverflowError, when even this text alone is too long."""
        self.messages.append({"role": "user", "content": text})
        prompt: aish.PromptResult[Said] = aish.build_final_prompt(
            self.messages, self._config, self._model
        )
        self.left_out = prompt.dropped_count
        answer = self._ask(prompt.messages)
        self.messages.append({"role": "assistant", "content": answer})
        return answer


def within_budget(messages: list[Said], config: aish.ContextManagementConfig) -> str:
    """One line on how full the window is."""
    found = aish.check_budget(messages, config)
    return f"{found.current_tokens} of {found.max_input_tokens} ({found.utilization_percent} %)"
