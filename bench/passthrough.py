"""What the live shell costs: throughput, memory, the time of a trivial command, Ctrl-C in a flood.

    python bench/passthrough.py [--megabytes 100] [--rounds 5] [--json]

Every figure is measured in one run, on a terminal whose other end is read by a process of its own:
straight on that terminal (direct), through `script`, and through the live shell, capture included.
The rounds alternate, because a shared machine is never the same twice; medians are compared.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from aish.shell.live import LiveShell
from aish.shell.terminal import Terminal


class Window:
    """A terminal, and a process that reads what is shown on it, as a terminal emulator would."""

    def __init__(self) -> None:
        master, self.slave = os.openpty()
        reader = "import os,sys\nwhile os.read(int(sys.argv[1]), 65536): pass"
        self.reader = subprocess.Popen(
            [sys.executable, "-c", reader, str(master)],
            pass_fds=[master],
            stderr=subprocess.DEVNULL,
        )
        self.keyboard = master

    def close(self) -> None:
        self.reader.kill()
        self.reader.wait()
        os.close(self.keyboard)
        os.close(self.slave)


def seconds(action: Callable[[], object]) -> float:
    begin = time.perf_counter()
    action()
    return time.perf_counter() - begin


def flood_of(megabytes: int, directory: str) -> Path:
    path = Path(directory) / "flood"
    block = (b"a line of ordinary output, of the length that lines have, number 12345678\n") * 1400
    with path.open("wb") as file:
        while file.tell() < megabytes * 1_000_000:
            file.write(block)
    return path


def on(window: Window, argv: list[str]) -> None:
    subprocess.run(argv, stdin=window.slave, stdout=window.slave, stderr=window.slave, check=True)


def throughput(shell: LiveShell, window: Window, megabytes: int, rounds: int) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as directory:
        flood = flood_of(megabytes, directory)
        size = flood.stat().st_size / 1e6
        ways: dict[str, Callable[[], object]] = {
            "direct": lambda: on(window, ["cat", str(flood)]),
            "script": lambda: on(window, ["script", "-qc", f"cat {flood}", "/dev/null"]),
            "aish": lambda: shell.run(f"cat {flood}"),
        }
        speeds: dict[str, list[float]] = {name: [] for name in ways}
        processor = 0.0
        for _ in range(rounds):
            for name, way in ways.items():
                before = time.process_time()
                speeds[name].append(size / seconds(way))
                processor += time.process_time() - before if name == "aish" else 0
    figures = {f"{name}_mb_per_s": statistics.median(found) for name, found in speeds.items()}
    pairs = zip(speeds["aish"], speeds["direct"], strict=True)
    figures["aish_over_direct_median"] = statistics.median(a / d for a, d in pairs)
    # Less at the mercy of what else the machine does than any speed.
    figures["aish_processor_s_per_100_mb"] = processor / rounds / size * 100
    figures["aish_over_direct_best"] = max(speeds["aish"]) / max(speeds["direct"])
    figures["script_over_direct_best"] = max(speeds["script"]) / max(speeds["direct"])
    return figures


def trivial(shell: LiveShell, rounds: int = 200) -> dict[str, float]:
    """`true` through the live shell, against the same bash told to do it by a pipe."""
    plain = subprocess.Popen(
        ["bash", "--norc"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
    )
    assert plain.stdin and plain.stdout

    def in_bash(command: bytes) -> None:
        plain.stdin.write(command + b"; echo\n")
        plain.stdout.read(1)

    figures = {}
    for command in ("true", "/bin/true"):
        ours = [seconds(lambda c=command: shell.run(c)) for _ in range(rounds)]
        theirs = [seconds(lambda c=command: in_bash(c.encode())) for _ in range(rounds)]
        name = command.replace("/bin/", "bin_")
        figures[f"{name}_ms"] = statistics.median(ours) * 1e3
        figures[f"{name}_over_bash_ms"] = figures[f"{name}_ms"] - statistics.median(theirs) * 1e3
    plain.stdin.close()
    plain.wait()
    return figures


def interrupted_flood(shell: LiveShell, window: Window, rounds: int) -> dict[str, float]:
    """From Ctrl-C in `yes` to the end of `run`, as a typist would see it."""
    delays = []
    for _ in range(rounds):
        press = (
            "import os,sys,time; time.sleep(0.5); print(time.clock_gettime(time.CLOCK_MONOTONIC));"
            "os.write(int(sys.argv[1]), b'\\x03')"
        )
        finger = subprocess.Popen(
            [sys.executable, "-c", press, str(window.keyboard)],
            pass_fds=[window.keyboard],
            stdout=subprocess.PIPE,
            text=True,
        )
        outcome = shell.run("yes")
        end = time.clock_gettime(time.CLOCK_MONOTONIC)
        assert outcome.status == 130, outcome.status
        delays.append(end - float(finger.communicate()[0]))
    return {"ctrl_c_in_yes_worst_s": max(delays)}


def completion(shell: LiveShell) -> dict[str, float]:
    shell.run("f() { COMPREPLY=(a b); }; complete -F f measured")
    times = [seconds(lambda: shell.complete("measured ")) for _ in range(30)]
    return {"completion_ms": statistics.median(times) * 1e3}


def starting() -> dict[str, float]:
    starts, firsts = [], []
    for _ in range(10):
        shell = LiveShell(rcfile=Path("/dev/null"))
        starts.append(seconds(shell.start))
        firsts.append(seconds(shell.ready))
        shell.close()
    return {
        "start_returns_ms": statistics.median(starts) * 1e3,
        "first_prompt_ms": (statistics.median(starts) + statistics.median(firsts)) * 1e3,
    }


def main() -> None:
    arguments = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    arguments.add_argument("--megabytes", type=int, default=100)
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--json", action="store_true")
    chosen = arguments.parse_args()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    window = Window()
    shell = LiveShell(rcfile=Path("/dev/null"), terminal=Terminal(window.slave, window.slave))
    shell.start()
    shell.ready(10)
    shell.run("true")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    try:
        figures = starting() | trivial(shell) | completion(shell)
        figures |= interrupted_flood(shell, window, chosen.rounds)
        figures |= throughput(shell, window, chosen.megabytes, chosen.rounds)
        after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        figures["extra_memory_mb"] = (after - before) / 1024
    finally:
        shell.close()
        window.close()
    if chosen.json:
        print(json.dumps({name: round(value, 3) for name, value in figures.items()}))
    else:
        for name, value in figures.items():
            print(f"{name:28} {value:10.3f}")


if __name__ == "__main__":
    main()
