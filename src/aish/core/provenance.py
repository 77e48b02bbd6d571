"""What the model had read before it proposed something: outputs and tools since the question."""

from __future__ import annotations

from collections.abc import Sequence

from aish.core.messages import Turn
from aish.core.output_blocks import EXEC_OUTPUT


def sources(turns: Sequence[Turn]) -> tuple[str, ...]:
    """Each tool that answered and each command whose output stands with the question, once."""
    found: list[str] = []
    for turn in reversed(turns):
        found += (f"the tool {call.name}" for call in reversed(turn.tool_calls))
        if turn.role == "user":
            blocks = turn.content[: turn.output].split(EXEC_OUTPUT)[1:]
            found += (f"the output of {_command(block)}" for block in reversed(blocks))
            break
    return tuple(dict.fromkeys(reversed(found)))


def _command(block: str) -> str:
    first = block.split("\n", 1)[0].strip()
    return first.removeprefix("$ ") if first.startswith("$ ") else "a command"
