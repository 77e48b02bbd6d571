"""What the tests of reading commands share: the samples, and one warm parser."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from aish.core.safety import Situation, Verdict, judge
from aish.core.safety.user_rules import UserRule
from aish.shell.shfmt import Shfmt

DATA = Path(__file__).parent.parent / "data" / "safety"


@cache
def parser() -> Shfmt:
    return Shfmt()


def verdict(
    command: str, situation: Situation | None = None, rules: tuple[UserRule, ...] = ()
) -> Verdict:
    """Read a command as the product does."""
    return judge(command, parser(), situation or Situation(), rules)


def samples(name: str) -> list[tuple[str, str]]:
    """(family, command) of a file of samples."""
    rows = (json.loads(line) for line in (DATA / f"{name}.jsonl").read_text().splitlines())
    return [(row["category"], row["cmd"]) for row in rows]


def rounds(kind: str) -> list[tuple[str, str]]:
    """(family, command) of every round that was written after the rules and measured once."""
    names = sorted(path.stem for path in (DATA / "rounds").glob(f"*-{kind}.txt"))
    return [row for name in names for row in own(f"rounds/{name}")]


def own(name: str) -> list[tuple[str, str]]:
    """(family, command) of the self-written set."""
    found: list[tuple[str, str]] = []
    family = ""
    for line in (DATA / f"{name}.txt").read_text().splitlines():
        if line.startswith("## "):
            family = line[3:]
        elif line.strip():
            found.append((family, line.replace("⏎", "\n")))
    return found
