"""The routing decision: milliseconds per question, short and very long ones.

python bench/routing.py [--json FILE]
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from pathlib import Path

from aish.core.routing import classify_question

LIMIT_MS = 0.2
QUESTIONS = {
    "a short question": "what is the capital of France?",
    "a sentence of code": "fix the bug in parser.py where the loop never ends",
    "a plan": "compare two designs for a cache and explain the trade-offs " * 4,
    "a traceback": 'Traceback (most recent call last):\n  File "x.py", line 3\nKeyError\n' * 20,
    "1 MB of log": "2026-01-01 12:00:00 INFO nothing of note happened here today\n" * 16_000,
    "1 MB without spaces": "a" * 1_000_000,
}


def milliseconds(question: str) -> float:
    timings = []
    for _ in range(200):
        begun = time.process_time_ns()
        classify_question(question)
        timings.append(time.process_time_ns() - begun)
    return statistics.median(timings) / 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    figures = {name: milliseconds(question) for name, question in QUESTIONS.items()}
    for name, value in figures.items():
        verdict = "ok" if value <= LIMIT_MS else "OVER"
        print(f"{name:<24} {value:7.4f} ms  (limit {LIMIT_MS})  {verdict}")
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
