"""One question against an instant server: exec to exit, and processor time per streamed chunk.

    python bench/one_shot.py [--runs N] [--json FILE]

The bare script does the same request with urllib3 and prints the text. Runs are interleaved.
"""

from __future__ import annotations

import argparse
import json
import os
import pty
import resource
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from support.scripted import STREAM_HEADERS, end_events, scripted_server, text_event

BARE = """
import json, sys, urllib3
body = {"model": "m", "stream": True, "messages": [{"role": "user", "content": "q"}]}
answer = urllib3.PoolManager().request(
    "POST", sys.argv[1] + "/v1/chat/completions", body=json.dumps(body),
    headers={"Content-Type": "application/json"}, preload_content=False)
for line in answer:
    if line.startswith(b"data: {"):
        for choice in json.loads(line[6:])["choices"]:
            sys.stdout.write(choice["delta"].get("content", ""))
"""
TEXT = "The **quick** brown `fox` jumps over the lazy dog and runs on.\n"
WORDS = TEXT.split(" ")
CHUNKS = 10_000
LIMITS = {"one_shot": 2.0, "chunk_us": 40.0}


def answer(chunks: int) -> list[bytes]:
    """Numbered, because an answer that repeats itself would be stopped."""
    text = (f"{WORDS[number % len(WORDS)]}{number} " for number in range(chunks))
    return [STREAM_HEADERS + b"".join(map(text_event, text)) + end_events()]


def timed(argv: list[str], environment: dict[str, str]) -> tuple[float, float]:
    """Seconds from exec to exit with a terminal as its output, and processor seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begun = time.perf_counter()
    pid, terminal = pty.fork()
    if pid == 0:
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.execvpe(argv[0], argv, environment)
    drain = threading.Thread(target=_drain, args=(terminal,))
    drain.start()
    _, status = os.waitpid(pid, 0)
    assert status == 0, argv
    seconds = time.perf_counter() - begun
    drain.join()
    os.close(terminal)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _drain(terminal: int) -> None:
    try:
        while os.read(terminal, 65536):
            pass
    except OSError:
        return


def measure(runs: int) -> dict[str, float]:
    python = sys.executable
    aish = str(Path(python).with_name("aish"))
    with (
        tempfile.TemporaryDirectory() as home,
        scripted_server(answer(10)) as short,
        scripted_server(answer(CHUNKS)) as long,
    ):
        environment = {
            "HOME": home,
            "PATH": os.environ["PATH"],
            "TERM": "xterm-256color",
            "LANG": "C.UTF-8",
        }
        config = Path(home, ".config/aish/config.toml")
        config.parent.mkdir(parents=True)
        presets = (
            f'[models.{name}]\nendpoint = "{server.url}"\nwindow = 8192\n'
            for name, server in (("short", short), ("long", long))
        )
        config.write_text("".join(presets))
        script = Path(home, "bare.py")
        script.write_text(BARE)
        bare, one, cpu_short, cpu_long = [], [], [], []
        timed([aish, "--model", "short", "q"], environment)
        for _ in range(runs):
            bare.append(timed([python, str(script), short.url], environment)[0])
            seconds, cpu = timed([aish, "--model", "short", "q"], environment)
            one.append(seconds)
            cpu_short.append(cpu)
            cpu_long.append(timed([aish, "--model", "long", "q"], environment)[1])
    middle = statistics.median
    return {
        "bare_ms": middle(bare) * 1000,
        "aish_ms": middle(one) * 1000,
        "one_shot": middle(one) / middle(bare),
        "chunk_us": (middle(cpu_long) - middle(cpu_short)) / (CHUNKS - 10) * 1e6,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    figures = measure(options.runs)
    print(f"bare urllib3 script, exec to exit  {figures['bare_ms']:6.0f} ms")
    print(f"aish, one question                 {figures['aish_ms']:6.0f} ms")
    for name, limit in LIMITS.items():
        verdict = "ok" if figures[name] <= limit else "OVER"
        print(f"{name:<12} {figures[name]:6.2f}  (limit {limit})  {verdict}")
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
