"""What a trial costs: the time it adds to a command, and the listing of 10,000 changed files.

    python bench/try.py [REPEATS]

Each figure is the best of several, because a busy machine only ever adds.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from aish.sandbox.changes import scan
from aish.sandbox.jail import Jail
from aish.sandbox.trial import Trial, prepare

FILES = 10_000
COMMAND = ["bash", "-c", "true"]


def best(action: Callable[[], object], repeats: int) -> float:
    """Milliseconds."""
    found = []
    for _ in range(repeats):
        began = time.perf_counter()
        action()
        found.append(time.perf_counter() - began)
    return min(found) * 1000


def main() -> int:
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 30
    with tempfile.TemporaryDirectory(prefix="aish-bench-") as name:
        folder = Path(name)
        work = folder / "work"
        work.mkdir()

        def tried() -> None:
            trial = prepare(folder / "trials", str(work))
            assert trial.run(COMMAND)[0] == 0
            scan(trial)
            trial.discard()

        plain = best(lambda: subprocess.run(COMMAND, check=True), repeats)
        python = best(
            lambda: subprocess.run([sys.executable, "-I", "-S", "-c", "0"], check=True), repeats
        )
        trial = best(tried, repeats)
        jail = Jail(str(work))
        jailed = best(lambda: jail.run(COMMAND), repeats)
        print(f"bash -c true                     {plain:6.1f} ms")
        print(f"a bare interpreter               {python:6.1f} ms")
        print(f"the same as a trial, listed      {trial:6.1f} ms: adds {trial - plain:.1f} ms")
        print(
            f"the same in the sandbox ({jail.kind})  {jailed:6.1f} ms: adds {jailed - plain:.1f} ms"
        )
        listing(work, folder)
    return 0


def listing(work: Path, folder: Path) -> None:
    """Change many files in a trial and list them."""
    for number in range(FILES):
        (work / str(number)).write_text(f"{number}\n")
    time.sleep(0.05)
    trial: Trial = prepare(folder / "trials", str(work))
    began = time.perf_counter()
    script = f"import os\nfor n in range({FILES}): open(str(n), 'a').write('more')"
    assert trial.run([sys.executable, "-c", script])[0] == 0
    ran = time.perf_counter() - began
    took = best(lambda: scan(trial), 3)
    found = scan(trial)
    trial.discard()
    assert len(found.changes) == FILES
    print(f"changing {FILES:,} files in a trial  {ran * 1000:6.0f} ms")
    print(f"listing them                     {took:6.0f} ms")


if __name__ == "__main__":
    sys.exit(main())
