"""The guide's examples, held against what is on the screen."""

from __future__ import annotations

import re
from pathlib import Path

GUIDE = Path(__file__).parents[2] / "docs/guide"
_BLOCK = re.compile(r"^```\n(.*?)^```$", re.DOTALL | re.MULTILINE)
# How many tokens and seconds it took, and how large a file became, differ from run to run.
_FIGURES = re.compile(r"\d+(?=(?: tokens| s\b| KB| B\b))")
_PROMPT = re.compile(r"^(?:\[aish:\w+\] \S+ )?[❯:] (?=[?:])")


def example(page: str, heading: str) -> list[str]:
    """The lines of all blocks below a heading of a page, as a terminal shows them."""
    text = (GUIDE / page).read_text(encoding="utf-8")
    section = text.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    return [line for block in _BLOCK.findall(section) for line in block.splitlines()]


def typed(lines: list[str]) -> list[str]:
    """What a person types in an example."""
    return [_PROMPT.sub("", line) for line in lines if _PROMPT.match(line)]


def assert_shown(lines: list[str], screen: str) -> None:
    """Every line of the example is on the screen, in its order; … stands for anything."""
    text, at = _FIGURES.sub("N", screen), 0
    for line in lines:
        wanted = _FIGURES.sub("N", _PROMPT.sub("", line).rstrip())
        pattern = ".*?".join(map(re.escape, wanted.split("…")))
        found = re.compile(pattern, re.DOTALL).search(text, at)
        assert found, f"not shown after what comes before it: {line!r}\n{text[at:]}"
        at = found.end()
