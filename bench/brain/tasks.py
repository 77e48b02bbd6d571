"""The requests that a model is judged by, read from tasks/*.txt."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

FOLDER = Path(__file__).parent / "tasks"


@dataclass(frozen=True, slots=True)
class Task:
    """A request, a command that fulfils it, and how another one is compared with it."""

    family: str
    request: str
    reference: str
    mode: str = "lines"
    setup: str = ""
    probe: str = ""

    @property
    def kept(self) -> bool:
        """Whether it is one of the third that nothing is tuned on."""
        return sha256(self.request.encode()).digest()[0] % 3 == 0


def tasks(folder: Path = FOLDER) -> Iterator[Task]:
    for path in sorted(folder.glob("*.txt")):
        request = ""
        facts: dict[str, str] = {}
        for line in [*path.read_text("utf-8").splitlines(), ""]:
            mark, _, text = line.partition(" ")
            if mark in ("=", "~", "^", "?"):
                facts[mark] = text
                continue
            if facts:
                yield Task(
                    path.stem, request, facts["="], facts.get("~", "lines"), facts.get("^", ""),
                    facts.get("?", ""),
                )  # fmt: skip
            request, facts = line, {}
