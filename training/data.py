"""All pairs, as conversations in the product's own wording: `python training/data.py OUT.jsonl`."""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
from collections import Counter
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "src")]

from clean import nl2bash, renamed, tldr  # noqa: E402
from generate import DISTRIBUTIONS, generated  # noqa: E402

from aish.core.proposal.wording import MachineFacts, command_messages  # noqa: E402

LAST = re.compile(r"^(.*) \(exit status (\d+)\)$")
MANAGED = re.compile(r"\b(apt|apt-get|dpkg|apt-cache|dnf|rpm|yum|pacman|apk|zypper)\b")
MANAGERS = {"apt-get": "apt", "dpkg": "apt", "apt-cache": "apt", "rpm": "dnf", "yum": "dnf"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--data", type=Path, required=True, help="folder of the public pairs")
    parser.add_argument("--each", type=int, default=26, help="pairs of a template")
    parser.add_argument("--seed", type=int, default=7)
    args = parser.parse_args()
    chance = random.Random(args.seed)
    rows = list(nl2bash(args.data / "nl2bash.jsonl"))
    rows += [other for row in rows for other in others(row, chance)]
    rows += tldr(args.data / "tldr.jsonl", chance)
    rows += generated(HERE / "pairs", args.each, args.seed)
    chance.shuffle(rows)
    with args.out.open("w", encoding="utf-8") as out:
        for row in rows:
            out.write(json.dumps(conversation(row, chance)) + "\n")
    print(len(rows), dict(Counter(row["from"] for row in rows)))


def others(row: dict[str, str], chance: random.Random) -> list[dict[str, str]]:
    """Up to two copies of a pair with other names in it."""
    made = [renamed(row, chance), renamed(row, chance)]
    return list(
        {other["nl"]: other for other in made if other and other["nl"] != row["nl"]}.values()
    )


def conversation(row: dict[str, str], chance: random.Random) -> dict[str, object]:
    """A pair as the product asks it, with the distribution that its command fits."""
    last = LAST.match(row.get("last", ""))
    around = MachineFacts(
        system=row.get("system") or _system(row["cmd"], chance),
        files=tuple(row["files"].split()) if row.get("files") else (),
        last=last[1] if last else "",
        status=int(last[2]) if last else 0,
    )
    return {
        "messages": command_messages(row["nl"], around),
        "answer": f"CMD: {row['cmd']}",
        "from": row["from"],
    }


def _system(command: str, chance: random.Random) -> str:
    found = MANAGED.search(command)
    manager = MANAGERS.get(found[1], found[1]) if found else "apt"
    return chance.choice(DISTRIBUTIONS[manager])


if __name__ == "__main__":
    main()
