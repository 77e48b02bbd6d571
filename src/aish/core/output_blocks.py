"""What the model gets to see of commands and of other models, before the next question."""

from __future__ import annotations

from aish.core.messages import ExecResult

EXEC_OUTPUT = "[exec output]"  # the line before what commands printed


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
