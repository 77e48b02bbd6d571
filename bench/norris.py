"""What a step of an autonomous run costs beside the model and its command: milliseconds.

Two hundred steps in a window of 4,096 tokens, with everything else real: the verdict on each
command, the log on the disk before it runs, the budget. The model answers and the command ends at
once.

python bench/norris.py [--json FILE]
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from aish.core.autonomy import Limits
from aish.core.events import Event, StepBegan
from support.runs import Running, commands

STEPS = 200
LIMIT_MS = 5.0
OUTPUT = "".join(f"{number} of the lines that a command prints\n" for number in range(120))


def step_times(folder: Path) -> tuple[list[float], list[float]]:
    """Milliseconds of each step: by the clock, and of the processor."""
    answers = [commands(f"ls -l part{number}") for number in range(STEPS)]
    run = Running(folder, *answers, limits=Limits(steps=STEPS), window=4096)
    run.hands.prints = lambda number: f"{number}\n{OUTPUT}"
    marks: list[tuple[float, float]] = []

    class Marks(list[Event]):
        def append(self, event: Event) -> None:
            if isinstance(event, StepBegan):
                marks.append((time.perf_counter(), time.process_time()))

    run.events = Marks()
    run.pursue("count everything there is")
    run.journal.close()
    pairs = list(pairwise(marks))[10:]  # the first ones load things
    clock = [1000 * (after[0] - before[0]) for before, after in pairs]
    processor = [1000 * (after[1] - before[1]) for before, after in pairs]
    return clock, processor


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        clock, processor = step_times(Path(folder))
    figures = {
        "step_ms": statistics.median(clock),
        "step_processor_ms": statistics.median(processor),
        "step_p95_ms": sorted(clock)[int(0.95 * len(clock))],
    }
    for name, value in figures.items():
        print(f"{name:<20} {value:7.2f} ms")
    verdict = "ok" if figures["step_ms"] <= LIMIT_MS else "OVER"
    print(f"limit of the median   {LIMIT_MS:7.2f} ms  {verdict}")
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
