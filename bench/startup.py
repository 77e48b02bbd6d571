"""Start-up: exec to usable prompt, first paint, --version and memory, against a bare prompt loop.

    python bench/startup.py [--runs N] [--json FILE]

Every figure is a ratio measured in one run, runs interleaved, medians compared.
"""

from __future__ import annotations

import argparse
import json
import os
import pty
import re
import select
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

BARE = """
from prompt_toolkit import PromptSession
session = PromptSession()
while True:
    try:
        session.prompt("❯")
    except EOFError:
        break
"""
CURSOR_QUERY, CURSOR_ANSWER = b"\x1b[6n", b"\x1b[1;1R"
CONTROLS = re.compile(rb"\x1b\[[0-9;?]*[A-Za-z]")
LIMITS = {"usable": 1.25, "paint": 0.35, "version": 2.5, "memory_mb": 45}


class Started:
    """A program on a pseudo-terminal, timed from exec."""

    def __init__(self, argv: list[str], environment: dict[str, str]) -> None:
        self.begun = time.perf_counter()
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.execvpe(argv[0], argv, environment)
        self.seen = b""
        self.first_paint = 0.0

    def until(self, wanted: Callable[[bytes], bool], seconds: float = 20.0) -> float:
        deadline = time.perf_counter() + seconds
        while not wanted(self.seen):
            if not select.select([self.fd], [], [], deadline - time.perf_counter())[0]:
                raise TimeoutError(self.seen[-300:])
            data = os.read(self.fd, 65536)
            self.first_paint = self.first_paint or time.perf_counter() - self.begun
            if CURSOR_QUERY in data:
                os.write(self.fd, CURSOR_ANSWER)
            self.seen += data
        return time.perf_counter() - self.begun

    def memory_mb(self) -> float:
        status = Path(f"/proc/{self.pid}/status").read_text()
        found = re.search(r"VmRSS:\s+(\d+)", status)
        assert found
        return int(found[1]) / 1024

    def end(self) -> None:
        os.kill(self.pid, 9)
        os.waitpid(self.pid, 0)
        os.close(self.fd)


def usable(argv: list[str], environment: dict[str, str]) -> tuple[float, float, float]:
    """Seconds to the echo of keys typed at the first paint, to that paint, and the memory then.

    The terminal itself echoes nothing by then, so an echo means that the line editor is at work.
    """
    program = Started(argv, environment)
    try:
        program.until(lambda seen: "❯".encode() in seen)
        painted = program.first_paint
        program.seen = b""
        os.write(program.fd, b"qzj")
        seconds = program.until(lambda seen: b"qzj" in CONTROLS.sub(b"", seen))
        return seconds, painted, program.memory_mb()
    finally:
        program.end()


def timed(argv: list[str], environment: dict[str, str]) -> float:
    begun = time.perf_counter()
    subprocess.run(argv, env=environment, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - begun


def measure(runs: int) -> dict[str, float]:
    python = sys.executable
    aish = str(Path(python).with_name("aish"))
    with tempfile.TemporaryDirectory() as home:
        environment = {
            "HOME": home,
            "PATH": os.environ["PATH"],
            "TERM": "xterm-256color",
            "LANG": "C.UTF-8",
        }
        bare_file = Path(home) / "bare.py"
        bare_file.write_text(BARE)
        _leave_a_prompt(aish, environment)
        bare, full, paint, memory, version, nothing = [], [], [], [], [], []
        for _ in range(runs):
            bare.append(usable([python, str(bare_file)], environment)[0])
            seconds, first, megabytes = usable([aish], environment)
            full.append(seconds)
            paint.append(first)
            memory.append(megabytes)
            version.append(timed([aish, "--version"], environment))
            nothing.append(timed([python, "-c", "pass"], environment))
    middle = statistics.median
    return {
        "bare_ms": middle(bare) * 1000,
        "aish_ms": middle(full) * 1000,
        "usable": middle(full) / middle(bare),
        "paint_ms": middle(paint) * 1000,
        "paint": middle(paint) / middle(bare),
        "version_ms": middle(version) * 1000,
        "version": middle(version) / middle(nothing),
        "memory_mb": middle(memory),
    }


def _leave_a_prompt(aish: str, environment: dict[str, str]) -> None:
    """The first session leaves its prompt for the instant one of the next."""
    program = Started([aish], environment)
    try:
        program.until(lambda seen: "❯".encode() in seen)
        stored = Path(environment["HOME"]) / ".cache/aish/prompt"
        deadline = time.perf_counter() + 20
        while not stored.exists() and time.perf_counter() < deadline:
            time.sleep(0.05)
    finally:
        program.end()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    figures = measure(options.runs)
    print(f"bare prompt loop, usable      {figures['bare_ms']:7.0f} ms")
    print(f"aish, usable                  {figures['aish_ms']:7.0f} ms")
    print(f"aish, first paint             {figures['paint_ms']:7.0f} ms")
    print(f"aish --version                {figures['version_ms']:7.0f} ms")
    for name, limit in LIMITS.items():
        verdict = "ok" if figures[name] <= limit else "OVER"
        print(f"{name:<12} {figures[name]:6.2f}  (limit {limit})  {verdict}")
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
