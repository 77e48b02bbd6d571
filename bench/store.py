"""The store's figures: loading, resuming, searching, adding up, and what durability costs.

    python bench/store.py [--quick] [--json FILE]

Files are made in a temporary directory on the disk that TMPDIR names. Times are the best of
several runs, processor time first and the time on the clock beside it; the limits are meant for
the clock, so run it on an idle machine before believing an "ok" or an "OVER on the clock".
The cost of an append is a ratio of medians on the clock, taken in turns with the bare calls.
Resuming is given in processor time only.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from aish.core.memory import MemoryItem, active, select
from aish.core.messages import Turn, Usage
from aish.core.transcript import turn_record
from aish.core.user import Nobody
from aish.store import jsonl
from aish.store.history import LineHistory
from aish.store.ledger import Ledger, Use
from aish.store.memory_file import MemoryFile
from aish.store.session_log import About
from aish.store.session_search import search
from aish.store.sessions import Sessions

LIMITS = {
    "memory_load_s": 0.5,
    "memory_inject_ms": 20,
    "resume_s": 1.0,
    "resume_mb": 200,
    "search_rare_s": 1.0,
    "search_absent_s": 1.0,
    "search_common_s": 1.0,
    "listed_s": 0.5,
    "append_ratio": 1.2,
    "late_turn_ratio": 1.5,
    "ledger_first_s": 2.0,
    "ledger_again_s": 0.1,
    "history_load_s": 0.5,
}
WORDS = [f"{a}{b}" for a in ("deploy", "test", "file", "port", "user", "log", "make", "disk")
         for b in ("", "er", "ing", "s", "-all", "_x", "1", "2")]  # fmt: skip


class Seconds(float):
    """Processor time, with the time on the clock beside it."""

    clock = 0.0


def best(work: Callable[[], object], runs: int = 5, scale: float = 1.0) -> Seconds:
    def once() -> tuple[float, float]:
        clock, processor = time.perf_counter(), time.process_time()
        work()
        return time.process_time() - processor, time.perf_counter() - clock

    times = [once() for _ in range(runs)]
    seconds = Seconds(scale * min(processor for processor, _ in times))
    seconds.clock = scale * min(clock for _, clock in times)
    return seconds


def sentence(dice: random.Random, words: int) -> str:
    return " ".join(dice.choices(WORDS, k=words))


def memory(directory: Path, count: int) -> dict[str, float]:
    dice = random.Random(1)
    path = directory / "memory.jsonl"
    records = (
        {"id": n, "ts": f"2026-{n % 12 + 1:02}-{n % 28 + 1:02}T00:00:00Z", "kind": "fact",
         "content": f"{sentence(dice, 11)} number {n}"}
        for n in range(1, count + 1)
    )  # fmt: skip
    jsonl.replace(path, map(jsonl.encode, records))
    items = MemoryFile(path).load().items
    question = "how do I restart the deploying of number 4711 on that port after a test"
    return {
        "memory_load_s": best(lambda: MemoryFile(path).load()),
        "memory_inject_ms": best(lambda: select(items, 2000, question), 9, 1000),
        "memory_inject_newest_ms": best(lambda: select(items, 2000), 9, 1000),
    }


def resume(directory: Path, turns: int) -> dict[str, float]:
    sessions = Sessions(directory / "long")
    log = sessions.start(About("bench", "m", "/"), Nobody())
    dice = random.Random(2)
    seconds = []
    for _ in range(turns // 2):
        begun = time.perf_counter()
        log.turn(Turn("user", sentence(dice, 40)))
        log.turn(Turn("assistant", sentence(dice, 150)), usage=Usage(1000, 200), model="m")
        seconds.append(time.perf_counter() - begun)
    log.close()
    code = (
        "import sys, time, resource; from pathlib import Path\n"
        "from aish.store.sessions import Sessions\n"
        "from aish.core.user import Nobody\n"
        "begun = time.process_time()\n"
        "log, session = Sessions(Path(sys.argv[1])).resume(sys.argv[2], Nobody())\n"
        "turns = session.transcript.turns\n"
        "print(time.process_time() - begun, len(turns),"
        " resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)\n"
    )
    runs = []
    for _ in range(3):
        arguments = [sys.executable, "-c", code, str(sessions.directory), log.id]
        output = subprocess.run(arguments, stdout=subprocess.PIPE, check=True).stdout
        runs.append([float(number) for number in output.split()])
    assert all(run[1] == turns for run in runs)
    early, late = seconds[40:60], seconds[-20:]
    return {
        "resume_s": min(run[0] for run in runs),
        "resume_mb": min(run[2] for run in runs),
        "late_turn_ratio": statistics.median(late) / statistics.median(early),
    }


def listed(data: Path) -> float:
    """The installed aish lists all of them; on the clock, its start included."""
    command = [str(Path(sys.executable).with_name("aish")), "sessions", "list"]
    seconds = []
    for _ in range(3):
        begun = time.perf_counter()
        subprocess.run(
            command,
            stdout=subprocess.DEVNULL,
            check=True,
            env=os.environ | {"XDG_DATA_HOME": str(data)},
        )
        seconds.append(time.perf_counter() - begun)
    return min(seconds)


def searching(directory: Path, count: int) -> dict[str, float]:
    dice = random.Random(3)
    sessions = Sessions(directory / "data" / "aish" / "sessions")
    sessions.directory.mkdir(parents=True)
    for number in range(count):
        name = time.strftime("%Y%m%d-%H%M%S-", time.gmtime(1.7e9 + number * 60)) + f"{number:06x}"
        lines = [jsonl.encode({"meta": {"session": name, "model": "m", "directory": "/"}})]
        for exchange in range(8):
            asked = sentence(dice, 40) + (" Heisenbug" if number == 3 and exchange == 5 else "")
            lines.append(jsonl.encode(turn_record(Turn("user", asked))))
            lines.append(jsonl.encode(turn_record(Turn("assistant", sentence(dice, 150)))))
        (sessions.directory / f"{name}.jsonl").write_bytes(b"".join(lines))
    size = sum(path.stat().st_size for path in sessions.directory.iterdir())
    assert len(search(sessions, "heisenbug")) == 1
    return {
        "search_mb": size / 1e6,
        "search_rare_s": best(lambda: search(sessions, "heisenbug"), 3),
        "search_absent_s": best(lambda: search(sessions, "nowhere to be found"), 3),
        "search_common_s": best(lambda: search(sessions, "deploy port"), 3),
        "search_key_s": best(lambda: search(sessions, "content"), 3),
        "search_other_script_s": best(lambda: search(sessions, "größe"), 3),
        "list_s": best(sessions.summaries, 3),
        "listed_s": listed(directory / "data"),
    }


def appending(directory: Path, times: int) -> dict[str, float]:
    """Each record through the writer and through the bare calls, in turns."""
    record = {"role": "assistant", "content": "x" * 500, "ts": "2026-01-01T00:00:00Z"}
    line = jsonl.encode(record)
    bare = os.open(directory / "bare", os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    writer = jsonl.Writer(directory / "ours.jsonl")
    shared = directory / "shared.jsonl"

    def by_hand() -> None:
        os.write(bare, line)
        os.fdatasync(bare)

    ways: list[tuple[Callable[[], object], list[float]]] = [
        (by_hand, []),
        (lambda: writer.append(record, durable=True), []),
        (lambda: jsonl.append(shared, record, durable=True), []),
    ]
    for turn in range(times):
        for place in range(len(ways)):
            work, seconds = ways[(turn + place) % len(ways)]
            seconds.append(best(work, 1).clock)
    bare_s, ours_s, shared_s = (seconds for _, seconds in ways)
    os.close(bare)
    writer.close()
    middle = statistics.median
    return {
        "append_bare_us": middle(bare_s) * 1e6,
        "append_ratio": middle(ours_s) / middle(bare_s),
        "append_shared_ratio": middle(shared_s) / middle(bare_s),
    }


def ledger(directory: Path, count: int) -> dict[str, float]:
    path = directory / "ledger.jsonl"
    now = int(time.time())
    records = (
        {"ts": now - (count - n) * 30, **Use(
            f"model{n % 5}", "main", f"/home/user/src/project{n % 20}", f"2026-{n // 50}",
            prompt=1000 + n % 100, cached=500, completion=100,
            micro_dollars=None if n % 3 else 120).record()}
        for n in range(count)
    )  # fmt: skip
    jsonl.replace(path, map(jsonl.encode, records))

    def first() -> None:
        path.with_suffix(".sums").unlink(missing_ok=True)
        Ledger(path).by("day")

    figures = {"ledger_mb": path.stat().st_size / 1e6, "ledger_first_s": best(first, 3)}
    figures["ledger_again_s"] = best(lambda: Ledger(path).by("project", "2026-01-01"), 3)
    held = Ledger(path)
    held.spent()
    figures["ledger_before_call_us"] = best(lambda: held.spent(today=True), 9, 1e6)
    return figures


def history(directory: Path, count: int) -> dict[str, float]:
    path = directory / "history.jsonl"
    records = (
        {"ts": n, "line": f"command {n % (count // 2)} --with options"} for n in range(count)
    )
    jsonl.replace(path, map(jsonl.encode, records))
    return {"history_load_s": best(lambda: LineHistory(path).newest_first())}


def ranking() -> dict[str, float]:
    """How often the one item that answers a question is among those that fit the cap."""
    pairs = json.loads((Path(__file__).parent / "data" / "memory_questions.json").read_text())
    dice = random.Random(4)
    filler = [f"{sentence(dice, 9)} since {n}" for n in range(1000)]
    contents = [pair["item"] for pair in pairs] + filler
    dice.shuffle(contents)
    items = active(
        (MemoryItem(n, f"2026-01-01T{n // 60 % 24:02}:{n % 60:02}:00Z", "fact", text)
         for n, text in enumerate(contents, 1)), ())  # fmt: skip
    found = {"newest": 0, "ranked": 0}
    for pair in pairs:
        for name, question in (("newest", ""), ("ranked", pair["question"])):
            chosen = select(items, 2000, question).items
            found[name] += any(item.content == pair["item"] for item in chosen)
    return {f"ranking_{name}_found": hits / len(pairs) for name, hits in found.items()}


def verdict(key: str, value: float) -> str:
    """Limits are meant for the clock; processor time says what an idle machine may reach."""
    limit = LIMITS.get(key)
    if limit is None:
        return ""
    if value > limit:
        return f"(limit {limit})  OVER"
    late = isinstance(value, Seconds) and value.clock > limit
    return f"(limit {limit})  {'OVER on the clock' if late else 'ok'}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of the size")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    scale = 10 if options.quick else 1
    figures: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        figures |= memory(directory, 100_000 // scale)
        figures |= resume(directory, 10_000 // scale)
        figures |= searching(directory, 10_000 // scale)
        figures |= appending(directory, 1000 // scale)
        figures |= ledger(directory, 1_000_000 // scale)
        figures |= history(directory, 100_000 // scale)
        figures |= ranking()
    for key, value in figures.items():
        clock = f"clock {value.clock:9.3f}" if isinstance(value, Seconds) else ""
        print(f"{key:<26} {value:10.3f}  {clock:<16} {verdict(key, value)}".rstrip())
    print(f"{'peak_mb':<26} {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:10.0f}")
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
