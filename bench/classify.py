"""Accuracy and speed of the line classifier on labelled lines, beside two simple baselines.

    python bench/classify.py [FILE.jsonl ...] [--mistakes]

A file holds one `{"line", "kind", "source"?, "half"?}` a row; by default tests/data/lines.jsonl.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from aish.core.classify import WELL_KNOWN, classify
from aish.core.shellsyntax import is_complete, spans

OWN = Path(__file__).resolve().parent.parent / "tests" / "data" / "lines.jsonl"
LONG = (
    "find . -name '*.py' -mtime -7 -exec grep -l 'foo bar' {} + | xargs -n1 wc -l | sort -n | "
    "tail -20 && echo done > out.txt; "
    'for f in *.txt; do mv "$f" "${f%.txt}.md"; done; ls -la ~/src | head'
)
WORDY = (
    "please find all the files in my home directory which are larger than 10 MB and changed in "
    "the last week, then sort them by size and print the names of the ten biggest in a small table"
)


def first_word_known(line: str) -> str:
    """Baseline: a line whose first word is a known command is a command."""
    words = line.split()
    return "shell" if words and WELL_KNOWN.kind_of(words[0]) else "ask"


def capital_letter(line: str) -> str:
    """Baseline: a capital letter at the start means a question."""
    return "ask" if line.strip()[:1].isupper() else "shell"


def share(rows: list[dict[str, str]], guess: Callable[[str], str]) -> float:
    return sum(guess(row["line"]) == row["kind"] for row in rows) / len(rows)


def by_group(rows: list[dict[str, str]]) -> None:
    right: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for row in rows:
        group = f"{row.get('source', '-')} {row.get('half', '')} {row['kind']}"
        total[group] += 1
        right[group] += classify(row["line"]).kind == row["kind"]
    for group in sorted(total):
        print(f"  {group:24} {right[group]:5}/{total[group]:<5} {right[group] / total[group]:.4f}")


def mistakes(rows: list[dict[str, str]]) -> None:
    for row in rows:
        found = classify(row["line"])
        if found.kind != row["kind"] and row.get("half") != "hidden":
            print(f"    {row['kind']:5} {found.score:+5.1f} {row['line'][:100]!r} ({found.reason})")


def milliseconds(act: Callable[[str], object], line: str, times: int = 300) -> float:
    best = float("inf")
    for _ in range(5):
        start = time.perf_counter()
        for _ in range(times // 5):
            act(line)
        best = min(best, (time.perf_counter() - start) / (times // 5))
    return best * 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*", default=[str(OWN)])
    parser.add_argument("--mistakes", action="store_true", help="print them, except hidden lines")
    args = parser.parse_args()
    for path in args.files:
        with Path(path).open(encoding="utf-8") as file:
            rows = [json.loads(row) for row in file if row.strip()]
        print(f"{Path(path).name}: {len(rows)} lines")
        print(f"  aish                     {share(rows, lambda line: classify(line).kind):.4f}")
        print(f"  first word known         {share(rows, first_word_known):.4f}")
        print(f"  capital letter means ask {share(rows, capital_letter):.4f}")
        by_group(rows)
        if args.mistakes:
            mistakes(rows)
    for name, act in (("classify", classify), ("is_complete", is_complete), ("spans", spans)):
        for label, line in (("command", LONG), ("sentence", WORDY)):
            print(f"{name} {label} of {len(line)} characters: {milliseconds(act, line):.3f} ms")


if __name__ == "__main__":
    main()
