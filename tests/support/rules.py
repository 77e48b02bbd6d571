"""A hundred conversations, each with one thing laid down in passing somewhere in it."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

DATA = Path(__file__).parents[2] / "bench" / "data"
SETS = (
    "rules",
    "rules-second",
    "rules-third",
    "rules-fourth",
    "rules-fifth",
    "rules-sixth",
    "rules-seventh",
    "rules-eighth",
    "rules-ninth",
    "rules-tenth",
)
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
CHATTER = (  # what people say besides; no rule
    "That worked on host {n}, it seems.",
    "The build went red with commit {n}.",
    "Lunch was late, back at it now, round {n}.",
    "Lösche bitte den Ordner build{n}.",
    "Montre le fichier numéro {n} du rapport.",
    "Host {n} hat gerade neu gestartet.",
)
OUTPUT = "-rw-r--r-- 1 root root 18231 Nov 15 09:12 /var/log/app/service-{n}.log\n"
Messages = list[dict[str, Any]]


@lru_cache
def laid_down(which: str) -> list[tuple[str, str]]:
    """What is laid down in each conversation of a set, and the question it answers, if any.

    A line has the language, in later sets the kind, then the words, then that question.
    """
    found = []
    for line in (DATA / f"{which}.txt").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            _, *fields = line.split("\t")
            if fields[0] in ("rule", "goal", "correction", "answer"):
                fields.pop(0)
            found.append((fields[0], fields[1] if len(fields) > 1 else ""))
    return found


def chatter() -> list[str]:
    """What people say besides: three hundred turns that lay nothing down."""
    lines = (DATA / "chatter.txt").read_text("utf-8").splitlines()
    return [line.split("\t", 1)[1] for line in lines if line and not line.startswith("#")]


def conversation(number: int, which: str = "rules") -> tuple[str, Messages]:
    """A rule, and a conversation in which it was said: alone, or in the middle of other words."""
    rng = random.Random(number)
    rules = laid_down(which)
    rule, asked = rules[number % len(rules)]
    chatty = 0.05 if which != "rules" else 0.0
    turns = rng.choice((40, 80, 200, 600))
    place = rng.randrange(turns - 8)
    said: Messages = [{"role": "system", "content": "You are a helpful assistant."}]
    for at in range(turns):
        question = f"{rng.choice(QUESTIONS)} ({at})"
        if rng.random() < 0.3:
            question = OUTPUT.format(n=at) * rng.randrange(2, 12) + question
        elif rng.random() < chatty:
            question = rng.choice(CHATTER).format(n=at)
        if at == place and asked:
            question = rule
            said[-1]["content"] += f" {asked}"
        elif at == place:
            question = rng.choice((rule, f"{question}\n{rule}", f"{rule} {question}"))
        said.append({"role": "user", "content": question})
        answer = f"Answer {at}. " + "It depends on the service. " * rng.randrange(2, 30)
        said.append({"role": "assistant", "content": answer})
    said.append({"role": "user", "content": "And what comes next?"})
    return rule, said


def lost(
    fit: Callable[[Messages], Messages], numbers: range = range(100), which: str = "rules"
) -> list[str]:
    """The rules that are no longer in what is sent; a hundred conversations by default."""
    gone = []
    for number in numbers:
        rule, messages = conversation(number, which)
        if rule not in "\n".join(str(m.get("content")) for m in fit(messages)):
            gone.append(rule)
    return gone
