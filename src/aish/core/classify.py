"""What a typed line is: a meta command, a shell command, or a question."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

Kind = Literal["meta", "shell", "ask"]


@dataclass(frozen=True, slots=True)
class Classification:
    kind: Kind
    reason: str
    text: str


def classify(line: str, known: Callable[[str], bool]) -> Classification:
    text = line.strip()
    if text[:1] == ":" and text[1:2].isalpha():
        return Classification("meta", "a colon and a name", text)
    if text[:1] == "?":
        return Classification("ask", "forced by ?", text[1:].strip())
    if text[:1] == "!" and text[1:2].isalpha():
        return Classification("shell", "forced by !", text[1:])
    if text.startswith("$ "):
        return Classification("shell", "forced by $", text[2:].strip())
    first = text.split(maxsplit=1)[0] if text else ""
    if not text or known(first) or "/" in first or "=" in first:
        return Classification("shell", f"{first} is a command", text)
    return Classification("ask", f"{first} is no command", text)
