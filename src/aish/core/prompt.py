"""The system prompt: what the model is told about where it is and how to propose a command."""

from __future__ import annotations

from aish.core.messages import Message

SYSTEM_PROMPT = """\
You are aish, an AI-augmented shell assistant. You help the user execute shell
commands, write and debug code, and re-engineer software. When suggesting shell
commands, output them on a line beginning with exactly "CMD: " so aish can
identify and optionally execute them. Be concise. Prefer concrete actions over
explanations unless asked."""


def with_examples(
    messages: list[Message], examples: tuple[tuple[str, str], ...]
) -> tuple[Message, ...]:
    """The messages with a model's examples after the system message, as an earlier exchange."""
    shown: list[Message] = []
    for question, answer in examples:
        shown.append({"role": "user", "content": question})
        shown.append({"role": "assistant", "content": answer})
    return (*messages[:1], *shown, *messages[1:])


def examples_cost(examples: tuple[tuple[str, str], ...]) -> int:
    """How many tokens the examples take, guessed high."""
    return sum(
        20 + len(question.encode()) // 3 + len(answer.encode()) // 3
        for question, answer in examples
    )
