"""A hundred conversations, each with one rule said in passing somewhere in it."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

RULES = [
    line.partition("\t")[2]
    for line in (Path(__file__).parents[2] / "bench" / "data" / "rules.txt")
    .read_text("utf-8")
    .splitlines()
    if line and not line.startswith("#")
]
QUESTIONS = (
    "Why is the disk full on web3?",
    "What does this stack trace mean?",
    "Show the largest files in /var/log.",
    "How long did the last build take?",
    "Which process listens on port 8080?",
    "Explain the difference between the two configurations.",
    "Can you summarise what we know so far?",
    "Rename the variable in all modules.",
)
OUTPUT = "-rw-r--r-- 1 root root 18231 Nov 15 09:12 /var/log/app/service-{n}.log\n"
Messages = list[dict[str, Any]]


def conversation(number: int) -> tuple[str, Messages]:
    """A rule, and a conversation in which it was said: alone, or in the middle of other words."""
    rng = random.Random(number)
    rule = RULES[number % len(RULES)]
    turns = rng.choice((40, 80, 200, 600))
    place = rng.randrange(turns - 8)
    said: Messages = [{"role": "system", "content": "You are a helpful assistant."}]
    for at in range(turns):
        question = f"{rng.choice(QUESTIONS)} ({at})"
        if rng.random() < 0.3:
            question = OUTPUT.format(n=at) * rng.randrange(2, 12) + question
        if at == place:
            question = rng.choice((rule, f"{question}\n{rule}", f"{rule} {question}"))
        said.append({"role": "user", "content": question})
        answer = f"Answer {at}. " + "It depends on the service. " * rng.randrange(2, 30)
        said.append({"role": "assistant", "content": answer})
    said.append({"role": "user", "content": "And what comes next?"})
    return rule, said


def lost(fit: Callable[[Messages], Messages], numbers: range = range(100)) -> list[str]:
    """The rules that are no longer in what is sent; a hundred conversations by default."""
    gone = []
    for number in numbers:
        rule, messages = conversation(number)
        if rule not in "\n".join(str(m.get("content")) for m in fit(messages)):
            gone.append(rule)
    return gone
