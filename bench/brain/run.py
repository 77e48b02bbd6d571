"""Every task put to a built-in model and its answer executed: `make brain MODEL=good`.

Prints, by family, how many tasks the first proposal solves and how many one of three, as a user
gets them: the first is looked at and asked for again where it is bad, two more come on a key. And
how long the first takes. Nothing but the model that is installed is asked; commands run in a
sandbox only.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Generator
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "src")]

from judge import STUBS, Judge  # noqa: E402
from tasks import Task, tasks  # noqa: E402

from aish.broker.chat import ChatClient  # noqa: E402
from aish.broker.http_client import HttpClient  # noqa: E402
from aish.broker.persistent import Persistent  # noqa: E402
from aish.config.places import data_dir  # noqa: E402
from aish.core.actions import proposed_commands  # noqa: E402
from aish.core.errors import AishError  # noqa: E402
from aish.core.events import Event  # noqa: E402
from aish.core.located import At  # noqa: E402
from aish.core.messages import Delta, Message, ModelSpec, Request  # noqa: E402
from aish.core.proposal.wording import GRAMMAR, MachineFacts  # noqa: E402
from aish.engine.proposing import Proposals  # noqa: E402
from aish.local.catalogue import BuiltIn, named, path_of  # noqa: E402
from aish.local.places import LocalServerSettings  # noqa: E402
from aish.local.sampling import examples, nearest, proposing, talking  # noqa: E402
from aish.local.supervisor import Endpoint, Supervisor, stop_all  # noqa: E402
from aish.project.around import AroundHere  # noqa: E402
from aish.shell.command_reader import CommandReader  # noqa: E402

SYSTEM = "Debian GNU/Linux 12"
Value = TypeVar("Value")
PATIENCE = 900.0  # seconds for an answer: a busy machine is slow, and no worse


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", help="tiny, small or good")
    parser.add_argument("--plain", action="store_true", help="without the adapter")
    parser.add_argument("--every", type=int, default=1, help="only every so many tasks")
    parser.add_argument("--failures", action="store_true", help="show wrong answers, kept ones not")
    args = parser.parse_args()
    model = named(args.model)
    chosen = list(tasks())[:: args.every]
    judge, reader = Judge(), CommandReader("/home/you", "you", ())
    with tempfile.TemporaryDirectory() as runtime:
        adapter = None if args.plain else model.adapter
        settings = LocalServerSettings(path_of(data_dir(), model), n_ctx=2048, adapter=adapter)
        try:
            endpoint = Supervisor(Path(runtime), Path(runtime) / "log", settings).ensure()
            asked = Asked(model, endpoint, adapted=adapter is not None)
            report(chosen, [solve(task, asked, judge, reader, args) for task in chosen])
        finally:
            stop_all(Path(runtime))
            reader.close()
            judge.close()


class Asked:
    """The built-in model, as the engine asks it."""

    def __init__(self, model: BuiltIn, endpoint: Endpoint, *, adapted: bool) -> None:
        self._client = Persistent(ChatClient(HttpClient()))  # as the product repeats
        self._spec = ModelSpec(
            "local",
            endpoint.base_url,
            endpoint.model,
            endpoint.window,
            512,
            api_key=endpoint.api_key,
            idle_timeout=PATIENCE,
            examples=examples(model, adapted=adapted),
            like=nearest(model),
            options=talking(model, adapted=adapted),
            proposing=proposing(model, adapted=adapted) or {"grammar": GRAMMAR},
        )

    def spec(self) -> ModelSpec:
        return self._spec

    def count(self, messages: list[Message]) -> int | None:
        del messages
        return None

    def fall_back(self, error: AishError) -> str:
        del error
        return ""

    def stream(self, request: Request) -> Generator[Delta, None, None]:
        return self._client.stream(request)


class AroundTask(AroundHere):
    """The machine of the tasks: a Debian with the programs that the judge plays."""

    def machine_facts(self, request: str) -> MachineFacts:
        return replace(super().surroundings(request), system=SYSTEM)

    def has(self, program: str) -> bool:
        return program in STUBS or super().has(program)


def solve(
    task: Task, model: Asked, judge: Judge, reader: CommandReader, args: argparse.Namespace
) -> tuple[int, float]:
    """Which proposal was right first (0: none), and how long the first one took."""
    around = AroundTask(At(str(judge.directory(task))), os.environ["PATH"], reader)
    proposals = Proposals(task.request, around)
    began = time.monotonic()
    reply = _end(proposals.first(model, model.spec(), ""))
    took = time.monotonic() - began
    found = proposed_commands(reply.text, complete=reply.complete)
    first = found[0].command if found else ""
    if judge.right(task, first):
        return 1, took
    if args.failures and not task.kept:
        print(f"  {task.request}\n      {first}", flush=True)
    for place in (2, 3):
        other = _end(proposals.another(model))
        if other is not None and judge.right(task, other.command):
            return place, took
    return 0, took


def _end(events: Generator[Event, None, Value]) -> Value:
    """What a stream of events comes to; nobody watches."""
    while True:
        try:
            next(events)
        except StopIteration as end:
            value: Value = end.value
            return value


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
