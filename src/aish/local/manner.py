"""How the built-in models are spoken to: what they imitate and how they are sampled.

SmolLM2-135M follows examples far better than instructions: with these, simple requests come back
as well-formed `CMD: ` lines, and without sampling against repetition it loops. The coder models
follow the instruction, and with their adapter the wording they were trained on.
"""

from __future__ import annotations

from typing import Any

from aish.core.proposal.wording import GRAMMAR
from aish.local.catalogue import TINY, BuiltIn

EXAMPLES = (
    ("list the files here", "CMD: ls"),
    ("what is a pipe?", "A pipe sends the output of one command into another."),
    ("how much disk space is free?", "CMD: df -h"),
    ("hello", "Hello! How can I help?"),
    ("show memory", "CMD: free -h"),
    ("what is my name?", "CMD: whoami"),
    ("count the lines in notes.txt", "CMD: wc -l notes.txt"),
    ("why do cats purr?", "Cats purr when they are content, and to calm themselves."),
)

SAMPLING = {
    "temperature": 0.1,
    "dry_multiplier": 0.8,
    "dry_allowed_length": 2,
    "stop": ["\nCMD"],  # one command at a time; the second is hardly ever a good one
}
# The adapter writes commands and nothing else, so an answer in words does without it.
WITHOUT = {"lora": [{"id": 0, "scale": 0.0}]}
WITH = {"lora": [{"id": 0, "scale": 1.0}]}


def examples(model: BuiltIn) -> tuple[tuple[str, str], ...]:
    return EXAMPLES if model is TINY else ()


def talking(model: BuiltIn, *, adapted: bool) -> dict[str, Any]:
    """For an answer in words."""
    if model is TINY:
        return dict(SAMPLING)
    return {"temperature": 0.2, "repeat_penalty": 1.05, **(WITHOUT if adapted else {})}


def proposing(model: BuiltIn, *, adapted: bool) -> dict[str, Any] | None:
    """For one command line; None for the smallest, which lives on its examples alone."""
    if model is TINY:
        return None
    return {"temperature": 0.0, "grammar": GRAMMAR, **(WITH if adapted else {})}
