"""The prompt under the fingers: key to paint, Ctrl-R, and Enter to output, with a long history.

    python bench/keys.py [--lines 100000] [--keys 300] [--json FILE]

The installed aish on a pseudo-terminal. A key is timed from the write to the terminal to the first
byte painted for it; Enter to the output of `echo`, in aish and in plain bash, by turns.
"""

from __future__ import annotations

import argparse
import json
import os
import pty
import random
import select
import statistics
import sys
import tempfile
import time
from pathlib import Path

LIMITS = {"key_p95_ms": 10.0, "search_key_p95_ms": 10.0, "enter_over_bash_ms": 5.0}
QUERIES = (b"docker ssh 99", b"gcmpush", b"xyzzy plugh", b"make test 12345", b"DOCKER", b"7 8 9")
WORDS = (
    "git",
    "commit",
    "push",
    "ls",
    "make",
    "test",
    "docker",
    "run",
    "grep",
    "src",
    "cat",
    "ssh",
)


class Program:
    """A program on a terminal of its own."""

    def __init__(self, argv: list[str], environment: dict[str, str]) -> None:
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.execvpe(argv[0], argv, environment)

    def quiet(self, seconds: float) -> bytes:
        """What it writes until it has been silent for so long."""
        seen = b""
        while select.select([self.fd], [], [], seconds)[0]:
            seen += os.read(self.fd, 65536)
        return seen

    def press(self, keys: bytes) -> float:
        """Seconds from the key to the first byte painted."""
        begun = time.perf_counter()
        os.write(self.fd, keys)
        select.select([self.fd], [], [], 5)
        took = time.perf_counter() - begun
        self.quiet(0.01)
        return took

    def enter(self, wanted: bytes) -> float:
        """Seconds from Enter to this output."""
        begun = time.perf_counter()
        os.write(self.fd, b"\r")
        seen = b""
        while wanted not in seen:
            if not select.select([self.fd], [], [], 10)[0]:
                raise TimeoutError(seen[-300:])
            seen += os.read(self.fd, 65536)
        return time.perf_counter() - begun

    def end(self) -> None:
        os.kill(self.pid, 9)
        os.waitpid(self.pid, 0)
        os.close(self.fd)


def write_history(home: Path, lines: int) -> None:
    chance = random.Random(7)
    folder = home / ".local/share/aish"
    folder.mkdir(parents=True)
    with (folder / "history.jsonl").open("w") as file:
        for number in range(lines):
            line = " ".join(chance.choices(WORDS, k=4)) + f" {number}"
            file.write(json.dumps({"ts": 1_700_000_000 + number, "line": line}) + "\n")


def typed(program: Program, count: int) -> list[float]:
    """Times of keys of lines that are in the history, and of some that are not."""
    times: list[float] = []
    while len(times) < count:
        for key in b"git push make test xyzzy":
            times.append(program.press(bytes([key])))
        program.press(b"\x15")
    return times


def searched(program: Program) -> tuple[list[float], list[float]]:
    """Times of Ctrl-R, and of the keys typed into it: words, gaps, capitals, and nothing at all."""
    opened, found = [], []
    for query in QUERIES:
        opened.append(program.press(b"\x12"))
        found += [program.press(bytes([key])) for key in query]
        program.press(b"\x07")
    return opened, found


def measure(lines: int, keys: int) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        write_history(home, lines)
        environment = {
            "HOME": folder,
            "PATH": os.environ["PATH"],
            "TERM": "xterm-256color",
            "LANG": "C.UTF-8",
        }
        aish = Program([str(Path(sys.executable).with_name("aish"))], environment)
        bash = Program(["bash", "--norc", "-i"], environment)
        try:
            aish.quiet(2.0)
            bash.quiet(0.5)
            times = typed(aish, keys)
            opened, found = searched(aish)
            ours, theirs = [], []
            for number in range(40):
                for program, into in ((aish, ours), (bash, theirs)):
                    os.write(program.fd, b"echo a$((%d))z" % number)
                    program.quiet(0.05)
                    into.append(program.enter(b"a%dz" % number))
                    program.quiet(0.05)
        finally:
            aish.end()
            bash.end()
    return {
        "key_p50_ms": 1000 * statistics.median(times),
        "key_p95_ms": 1000 * statistics.quantiles(times, n=20)[-1],
        "search_open_ms": 1000 * statistics.median(opened),
        "search_key_p95_ms": 1000 * statistics.quantiles(found, n=20)[-1],
        "enter_ms": 1000 * statistics.median(ours),
        "enter_bash_ms": 1000 * statistics.median(theirs),
        "enter_over_bash_ms": 1000 * (statistics.median(ours) - statistics.median(theirs)),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", type=int, default=100_000)
    parser.add_argument("--keys", type=int, default=300)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    figures = measure(options.lines, options.keys)
    for name, value in figures.items():
        limit = f"   (limit {LIMITS[name]:g})" if name in LIMITS else ""
        print(f"{name:20} {value:7.1f}{limit}")
    if options.json:
        options.json.write_text(json.dumps(figures, indent=1) + "\n")
    return int(any(figures[name] > limit for name, limit in LIMITS.items()))


if __name__ == "__main__":
    sys.exit(main())
