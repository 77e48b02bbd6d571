"""A long session in a small window on a real llama.cpp server, for as long as you like.

    PYTHONPATH=src:tests python bench/context/soak.py [--minutes 120] [--window 1024] [--seed 7]

Starts the embedded model's server itself. Every request is checked: accepted, within the window by
the server's own count, valid, with the newest request last and what was laid down present.
"""

from __future__ import annotations

import argparse
import sys
import time

from support.embedded import server
from support.llama import Llama
from support.soak import Session, Tally

RESERVE = 128
EVERY = 60.0  # seconds between two lines of progress


def main() -> int:
    options = argparse.ArgumentParser()
    options.add_argument("--minutes", type=float, default=120)
    options.add_argument("--window", type=int, default=1024)
    options.add_argument("--seed", type=int, default=7)
    chosen = options.parse_args()
    shown = time.monotonic()

    def going_on(tally: Tally) -> bool:
        nonlocal shown
        if time.monotonic() - shown > EVERY:
            shown = time.monotonic()
            print(f"window {chosen.window}, {tally.line}", flush=True)
        return tally.seconds < 60 * chosen.minutes

    with server(n_ctx=chosen.window) as endpoint:
        llama = Llama(endpoint.base_url, endpoint.api_key)
        tally = Session(llama, chosen.window, RESERVE, chosen.seed).run(going_on)
        llama.close()
    print(f"window {chosen.window}, {tally.line}; {tally.faults} faults", flush=True)
    return 1 if tally.faults else 0


if __name__ == "__main__":
    sys.exit(main())
