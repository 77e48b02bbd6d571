"""The pairs that models without an adapter are shown: `python training/nearest.py`.

One concrete pair for two ways to ask of every template that needs nothing but the request.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

from generate import SLOT, fill, render, templates
from names import Picks

HERE = Path(__file__).parent
SHIPPED = HERE.parent / "src/aish/local/pairs.tsv"


def pairs(seed: int = 5) -> Iterator[tuple[str, str]]:
    chance = random.Random(seed)
    for _, template in templates(HERE / "pairs"):
        for asked in template.asked[:2] if not (template.files or template.last) else ():
            picks = Picks(chance)
            for slot in SLOT.findall(f"{asked} {template.command}"):
                if slot not in picks.said:
                    fill(picks, slot)
            yield render(asked, picks.said), render(template.command, picks.typed)


if __name__ == "__main__":
    lines = [f"{request}\t{command}\n" for request, command in pairs()]
    SHIPPED.write_text("".join(lines), "utf-8")
