"""Hostile conversations, as many as you like: both ways of fitting, every promise checked.

    PYTHONPATH=src:tests python bench/context/hostile.py [COUNT] [FIRST_SEED]

A broken promise ends the run with the seed of its conversation; see tests/support/hostile.py.
"""

from __future__ import annotations

import sys
import time

from support.hostile import Tally, tried

CHUNK = 10_000


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    whole, start = Tally(), time.process_time()
    for at in range(first, first + count, CHUNK):
        whole.add(tried(range(at, min(at + CHUNK, first + count))))
        spent = time.process_time() - start
        print(f"{spent:7.0f} s of processor  {vars(whole)}  0 violations", flush=True)


if __name__ == "__main__":
    main()
