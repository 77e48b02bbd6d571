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
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from aish.core.autonomy import RunLimits
from aish.core.events import Event, StepBegan
from aish.store.disk import Disk
from aish.store.sessions import Sessions
from support.runs import Running, commands

STEPS = 200
LIMIT_MS = 5.0
OUTPUT = "".join(f"{number} of the lines that a command prints\n" for number in range(120))


class TimedDisk(Disk):
    """The real disk, with a watch on its waits."""

    def __init__(self) -> None:
        self.waited = 0.0  # seconds
        self.waits = 0

    def sync(self, descriptor: int) -> None:
        began = time.perf_counter()
        super().sync(descriptor)
        self.waited += time.perf_counter() - began
        self.waits += 1


@dataclass(frozen=True, slots=True)
class Mark:
    """Where a step begins: by the clock, of the processor, waited for the disk, and how often."""

    clock: float
    processor: float
    waited: float
    waits: int


def steps(folder: Path) -> list[Mark]:
    """What each step took, in milliseconds."""
    answers = [commands(f"ls -l part{number}") for number in range(STEPS)]
    run = Running(folder, *answers, limits=RunLimits(steps=STEPS), window=4096)
    run.hands.prints = lambda number: f"{number}\n{OUTPUT}"
    disk = TimedDisk()
    run.journal.sessions = Sessions(folder / "sessions", disk=disk)
    marks: list[Mark] = []

    class Marks(list[Event]):
        def append(self, event: Event) -> None:
            if isinstance(event, StepBegan):
                now = time.perf_counter(), time.process_time()
                marks.append(Mark(*now, disk.waited, disk.waits))

    run.events = Marks()
    run.pursue("count everything there is")
    run.journal.close()
    return [_between(*pair) for pair in list(pairwise(marks))[10:]]  # the first ones load things


def _between(before: Mark, after: Mark) -> Mark:
    return Mark(
        1000 * (after.clock - before.clock),
        1000 * (after.processor - before.processor),
        1000 * (after.waited - before.waited),
        after.waits - before.waits,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        taken = steps(Path(folder))
    median = statistics.median
    figures = {
        "step_ms": median(one.clock for one in taken),
        "step_p95_ms": sorted(one.clock for one in taken)[int(0.95 * len(taken))],
        "step_disk_ms": median(one.waited for one in taken),
        "step_without_disk_ms": median(one.clock - one.waited for one in taken),
        "step_processor_ms": median(one.processor for one in taken),
    }
    for name, value in figures.items():
        print(f"{name:<20} {value:7.2f} ms")
    print(f"waits for the disk   {median(one.waits for one in taken):7.0f} a step")
    verdict = "ok" if figures["step_ms"] <= LIMIT_MS else "OVER"
    print(f"limit of the median   {LIMIT_MS:7.2f} ms  {verdict}")
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
