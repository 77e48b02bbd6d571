"""Every task put to a built-in model and its answer executed: `make brain MODEL=good`.

Prints, by family, how many tasks the first proposal solves and how many one of three, and how long
a proposal takes. Nothing but the model that is installed is asked; commands run in a sandbox only.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from http.client import HTTPConnection
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "src")]

from judge import Judge  # noqa: E402
from tasks import Task, tasks  # noqa: E402

from aish.config.places import data_dir  # noqa: E402
from aish.core.actions import proposed_commands  # noqa: E402
from aish.core.proposal.wording import GRAMMAR, Surroundings, command_messages  # noqa: E402
from aish.engine.proposing import chosen_examples  # noqa: E402
from aish.local.catalogue import BuiltIn, named, path_of  # noqa: E402
from aish.local.manner import examples, nearest, proposing  # noqa: E402
from aish.local.places import Settings  # noqa: E402
from aish.local.supervisor import Endpoint, Supervisor, stop_all  # noqa: E402

SYSTEM = "Debian GNU/Linux 12"
OTHERS = ({"temperature": 0.7, "seed": 1}, {"temperature": 0.9, "seed": 2})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", help="tiny, small or good")
    parser.add_argument("--plain", action="store_true", help="without the adapter")
    parser.add_argument("--every", type=int, default=1, help="only every so many tasks")
    parser.add_argument("--failures", action="store_true", help="show wrong answers, kept ones not")
    args = parser.parse_args()
    model = named(args.model)
    chosen = list(tasks())[:: args.every]
    judge = Judge()
    with tempfile.TemporaryDirectory() as runtime:
        adapter = None if args.plain else model.adapter
        settings = Settings(path_of(data_dir(), model), n_ctx=2048, adapter=adapter)
        try:
            endpoint = Supervisor(Path(runtime), Path(runtime) / "log", settings).ensure()
            report(chosen, [solve(task, model, endpoint, judge, args) for task in chosen])
        finally:
            stop_all(Path(runtime))
            judge.close()


def solve(
    task: Task, model: BuiltIn, endpoint: Endpoint, judge: Judge, args: argparse.Namespace
) -> tuple[int, float]:
    """Which proposal was right first (0: none), and how long the first one took."""
    adapted = model.adapter is not None and not args.plain
    options = proposing(model, adapted=adapted) or {"temperature": 0.0, "grammar": GRAMMAR}
    began = time.monotonic()
    like = nearest(model, adapted=adapted)
    near = chosen_examples(like(task.request), _here) if like is not None else []
    shown = (*examples(model, adapted=adapted), *near)
    first = propose(task, endpoint, options, shown)
    took = time.monotonic() - began
    if judge.right(task, first):
        return 1, took
    if args.failures and not task.kept:
        print(f"  {task.request}\n      {first}")
    for place, other in enumerate(OTHERS, 2):
        if judge.right(task, propose(task, endpoint, {**options, **other}, shown)):
            return place, took
    return 0, took


def _here(program: str) -> bool:
    """Whether the machine of the tasks, a Debian, has a program."""
    return program not in ("dnf", "yum", "pacman", "apk", "zypper", "rpm", "brew")


def propose(
    task: Task,
    endpoint: Endpoint,
    options: dict[str, object],
    shown: Sequence[tuple[str, str]] = (),
) -> str:
    connection = HTTPConnection(endpoint.base_url.removeprefix("http://"), timeout=300)
    messages = command_messages(task.request, Surroundings(SYSTEM), shown)
    body = json.dumps({"messages": messages, "max_tokens": 160, **options})
    headers = {
        "Content-Type": "application/json",
        "Authorization": f"Bearer {endpoint.api_key}",
    }
    connection.request("POST", "/v1/chat/completions", body, headers)
    answer = json.loads(connection.getresponse().read())
    connection.close()
    found = proposed_commands(answer["choices"][0]["message"]["content"], complete=True)
    return found[0].command if found else ""


def report(chosen: list[Task], results: list[tuple[int, float]]) -> None:
    table: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    for task, (place, _) in zip(chosen, results, strict=True):
        for name in (task.family, "all", *(["kept from tuning"] if task.kept else [])):
            table[name][0] += 1
            table[name][1] += place == 1
            table[name][2] += place > 0
    print(f"{'family':<18}{'tasks':>6}{'first':>7}{'of three':>10}")
    for name, (count, first, three) in table.items():
        print(f"{name:<18}{count:>6}{first:>7}{three:>10}")
    times = sorted(took for _, took in results)
    p95 = times[int(0.95 * (len(times) - 1))]
    print(f"a proposal takes {statistics.median(times):.2f} s (median), {p95:.2f} s (p95)")


if __name__ == "__main__":
    main()
