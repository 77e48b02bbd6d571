"""What the model gets to see of commands and of other models, before the next question."""

from __future__ import annotations

from collections.abc import Iterable

from aish.core.messages import ExecResult

EXEC_OUTPUT = "[exec output]\n"  # how each output before a question begins
_END = "\n\n"


def exec_block(result: ExecResult) -> str:
    """A command and its output."""
    status = f"\n[exit status {result.status}]" if result.status else ""
    return f"$ {result.command}\n{result.output.rstrip()}{status}"


def delegated_block(preset: str, prompt: str, answer: str) -> str:
    """Another model's answer."""
    return f"DELEGATE: {preset} {prompt}\n{answer}"


def skipped_block(told: str) -> str:
    """What the model is told of an action that was not taken."""
    return f"[aish] {told}"


def as_printed(outputs: Iterable[str]) -> str:
    """Outputs as they stand before a question."""
    return "".join(f"{EXEC_OUTPUT}{output}{_END}" for output in outputs)


def outputs_in(printed: str) -> list[str]:
    """What stood before a question, as outputs that wait again."""
    if not printed.startswith(EXEC_OUTPUT):
        return []
    bare = printed.removeprefix(EXEC_OUTPUT).removesuffix(_END)
    return bare.split(f"{_END}{EXEC_OUTPUT}")
