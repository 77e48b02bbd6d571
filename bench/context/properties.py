"""The guarantees of the context engine on many random conversations and budgets.

PYTHONPATH=src:tests python bench/context/properties.py [EXAMPLES] [SEED]
"""

from __future__ import annotations

import sys
import time

from hypothesis import HealthCheck, given, seed
from hypothesis import settings as profile

from support.guarantees import (
    Play,
    Setting,
    check_library,
    happenings,
    raw_messages,
    settings,
)


def main() -> None:
    examples = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    start_at = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    tally = {"conversations": 0, "prompts": 0, "evictions": 0, "refusals": 0, "library": 0}
    chunk = 5_000
    start = time.perf_counter()
    for number in range(max(1, examples // chunk)):

        @seed(start_at + number)
        @profile(
            max_examples=min(chunk, examples),
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
        )
        @given(settings(), happenings, raw_messages())
        def holds(setting: Setting, events: list[tuple[int, int, int, int]],
                  messages: list[dict[str, object]]) -> None:  # fmt: skip
            play = Play(setting)
            play.run(events)
            tally["conversations"] += 1
            tally["prompts"] += play.prompts
            tally["evictions"] += len(play.evictions)
            tally["refusals"] += play.refusals
            tally["library"] += check_library(messages, setting)

        holds()
        print(f"{time.perf_counter() - start:6.0f} s  {tally}  0 violations", flush=True)


if __name__ == "__main__":
    main()
