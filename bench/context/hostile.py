"""Hostile conversations, as many as you like: both ways of fitting, every promise checked.

    PYTHONPATH=src:tests python bench/context/hostile.py [COUNT] [FIRST_SEED]

A broken promise is printed with the seed of its conversation; see tests/support/hostile.py.
"""

from __future__ import annotations

import sys
import time

from support.hostile import Tally, tried

CHUNK = 10_000


def main() -> int:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    whole, broken, start = Tally(), 0, time.process_time()
    for done, seed in enumerate(range(first, first + count), 1):
        try:
            whole.add(tried(range(seed, seed + 1)))
        except AssertionError as error:
            broken += 1
            print(error, flush=True)
        if done % CHUNK == 0 or done == count:
            spent = time.process_time() - start
            print(f"{spent:7.0f} s of processor  {vars(whole)}  {broken} violations", flush=True)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
