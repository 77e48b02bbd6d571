"""The system message: named blocks in one stable order, the most lasting first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, get_args

from aish.core.messages import Message

PromptBlock = Literal["base", "tools", "background", "project", "pins", "summary", "autonomy"]
ORDER: tuple[PromptBlock, ...] = get_args(PromptBlock)

# What changes least stands first: servers reuse the longest unchanged beginning of a prompt.
_TITLES: dict[PromptBlock, str] = {
    "background": "[background]",
    "project": "[project]",
    "pins": "[laid down by the user earlier; it still holds]",
    "summary": "[earlier conversation summary]",
}
# An autonomous run repeats its prompt at every step; it gets its goal, not the ambient blocks.
_QUIET_DURING_AUTONOMY: tuple[PromptBlock, ...] = ("background", "project", "summary")

BASE = """\
You are aish, an AI-augmented shell assistant. You help the user execute shell commands, write \
and debug code, and re-engineer software. When suggesting shell commands, output them on a line \
beginning with exactly "CMD: " so aish can identify and optionally execute them. Be concise. \
Prefer concrete actions over explanations unless asked."""

TOOLS = """\
You have tools: they are listed with this request. Call one by emitting a tool call; its result \
comes in the next turn. Use tools for structured operations and "CMD: " lines for local shell \
commands."""

AUTONOMY = """\
[NORRIS MODE] You are operating autonomously toward the following goal:
{goal}
Plan and execute step by step using CMD: lines (for shell) or tool calls (when tools are \
available). After each action you will see its result in the next turn. Re-plan based on what \
you observe.
When the goal is achieved, emit a single line:
GOAL: complete
on its own line, optionally followed by a brief summary. If the goal is unreachable or you need \
user input, emit:
GOAL: blocked
with a one-line reason. Avoid destructive operations unless the goal explicitly requires them; \
the user confirms them, and a declined one is answered by "[aish] ... skipped by user"."""


def autonomy_block(goal: str, tasks: Sequence[str] = ()) -> str:
    """The instructions of an autonomous run, with its goal and its tasks word for word."""
    listed = "".join(f"\n{number}. {task}" for number, task in enumerate(tasks, 1))
    return AUTONOMY.replace("{goal}", goal) + (f"\nThe tasks on the way:{listed}" if tasks else "")


def shown_blocks(blocks: Mapping[PromptBlock, str]) -> dict[PromptBlock, str]:
    """The blocks as they appear in the system message, in order, with their titles."""
    quiet = _QUIET_DURING_AUTONOMY if blocks.get("autonomy") else ()
    shown: dict[PromptBlock, str] = {}
    for name in ORDER:
        text = blocks.get(name, "").strip()
        if text and name not in quiet:
            title = _TITLES.get(name, "")
            shown[name] = f"{title}\n{text}" if title and not text.startswith(title) else text
    return shown


def compose(blocks: Mapping[PromptBlock, str]) -> str:
    """The system message; empty if no block says anything."""
    return "\n\n".join(shown_blocks(blocks).values())


def example_messages(examples: Sequence[tuple[str, str]]) -> list[Message]:
    """A small model's examples, as the beginning of the conversation it continues."""
    messages: list[Message] = []
    for question, answer in examples:
        messages.append({"role": "user", "content": question})
        messages.append({"role": "assistant", "content": answer})
    return messages
