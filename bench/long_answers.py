"""What an answer of 20 MB costs on a terminal, for texts of many kinds.

    python bench/long_answers.py [--mb N] [--json FILE] [KIND …]

The installed aish runs in a pseudo-terminal, is asked one question at its prompt, and a server on
loopback sends the answer in pieces of 4,000 characters. Given are the processor seconds of aish
from the question to the next prompt, and by how much its memory grew at most.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from startup import Started
from support.scripted import STREAM_HEADERS, Step, end_events, scripted_server, text_event

PIECE = 4000  # characters
LIMIT_S, LIMIT_MB = 2.0, 200  # the memory beyond the answer's own size
PROMPT = b"\x1b]133;A"
TICKS = os.sysconf("SC_CLK_TCK")
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
WORDS = ["the", "server", "of", "each", "file", "runs", "disk", "is", "and", "container", "log"]
Draw = Callable[[random.Random], str]


def _of(*parts: str, count: int = 1000, between: str = "") -> Draw:
    return lambda dice: between.join(dice.choices(parts, k=count)) + between


def _lines(*parts: str, shortest: int, longest: int, lead: tuple[str, ...] = ("",)) -> Draw:
    def draw(dice: random.Random) -> str:
        words = (dice.choices(parts, k=dice.randint(shortest, longest)) for _ in range(100))
        return "".join(f"{dice.choice(lead)}{' '.join(line)}\n" for line in words)

    return draw


def _code(dice: random.Random) -> str:
    body = _lines(*WORDS, "=", "(x)", "'a'", shortest=2, longest=8, lead=("  ", "# "))(dice)
    return f"```python\n{body}```\nand then\n"


def _table(dice: random.Random) -> str:
    rows = (" | ".join(dice.choices(WORDS, k=4)) for _ in range(100))
    return "".join(f"| {row} |\n" for row in rows)


MARKS = ("**", "`", "_", "[", "](", ")", "#", "~~", "*", "|", "> ", "word", "a b")
ENDLESS: dict[str, Draw] = {  # without a line end
    "one letter": lambda _: "x" * 4000,
    "letters": _of(*LETTERS),
    "hexadecimal": _of(*"0123456789abcdef"),
    "base64": _of(*LETTERS, "+", "/"),
    "words": _of(*WORDS, between=" "),
    "joined words": _of(*WORDS, between="_"),
    "path": _of(*WORDS, between="/"),
    "assignments": _of(*WORDS, "password", "token", "key", between="="),
    "signs": _of(*MARKS),
    "quotes": _of('"', "'", "\\", "$", "(", ")", "{", "}", ":", "=", "a", " "),
    "accents": _of(*"äöüéßñ", *LETTERS, " "),
    "wide": _of(*"漢字仮名交文書日本語中国"),
    "tabs": _of("\t", "a", "bc"),
    "escapes": _of("\x1b[31m", "\x1b]0;t\x07", "\x1b[2J", "\x9b", "word ", "x"),
    "combining": _of("\u0301", "\u0323", "\u20dd", "e", "o", " "),
    "emoji": _of("😀", "👩\u200d💻", "❤\ufe0f", "🏳\ufe0f\u200d🌈", "👍🏽", " "),
    "invisible": _of("\u200b", "\u202e", "\u2066", "\ufeff", "a", "b "),
}
LINES: dict[str, Draw] = {
    "empty lines": lambda dice: "\n" * dice.randint(3000, 4000),
    "one-letter lines": _lines(*LETTERS, shortest=1, longest=1),
    "short lines": _lines(*WORDS, shortest=1, longest=4),
    "lines of prose": _lines(*WORDS, shortest=8, longest=16),
    "lists": _lines(*WORDS, "**bold**", "`code`", shortest=1, longest=6, lead=("- ", "1. ", "# ")),
    "numbers": _lines(*(str(number) for number in range(10000)), shortest=3, longest=6),
    "settings": _lines(*LETTERS, shortest=1, longest=3, lead=("PASSWORD=", "a_key: ", "name=")),
    "code": _code,
    "tables": _table,
}
KINDS = ENDLESS | LINES


def pieces(kind: str, size: int) -> Iterator[str]:
    """An answer of so many bytes; never twice the same, or it would be stopped for that."""
    dice, done, held = random.Random(kind), 0, ""
    while done < size:
        while len(held) < PIECE:
            held += KINDS[kind](dice)
        piece, held = held[:PIECE], held[PIECE:]
        done += len(piece.encode())
        yield piece


def _processor_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def _peak_mb(pid: int) -> float:
    found = re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
    assert found
    return int(found[1]) / 1024


def cost(kind: str, size: int, argv: list[str]) -> tuple[float, float]:
    """Processor seconds, and megabytes of memory."""
    script: list[Step] = [STREAM_HEADERS, *map(text_event, pieces(kind, size)), end_events()]
    with tempfile.TemporaryDirectory() as home, scripted_server(script) as server:
        config = Path(home) / ".config/aish/config.toml"
        config.parent.mkdir(parents=True)
        config.write_text(f'model = "m"\n[models.m]\nendpoint = "{server.url}"\n')
        environment = {"HOME": home, "PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
        program = Started(argv, environment | {"TERM": "xterm-256color"})
        try:
            program.until(lambda seen: PROMPT in seen)
            _idle(program, 2.0)
            begun = _processor_s(program.pid)
            before = _peak_mb(program.pid)
            os.write(program.fd, b"?go\r")
            _until_prompt(program)
            return _processor_s(program.pid) - begun, _peak_mb(program.pid) - before
        finally:
            program.end()


def _idle(program: Started, seconds: float) -> None:
    """The shell behind the prompt starts meanwhile."""
    end = time.perf_counter() + seconds
    while (left := end - time.perf_counter()) > 0:
        try:
            program.until(lambda _: False, left)
        except TimeoutError:
            return


def _until_prompt(program: Started) -> None:
    """Only the end of what is written is kept, as a terminal would scroll it away."""
    program.seen, text = b"", b""
    while PROMPT not in text:
        held = len(program.seen)
        program.until(lambda seen, held=held: len(seen) > held, 600)
        text, program.seen = program.seen, program.seen[-len(PROMPT) :]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kinds", nargs="*", metavar="KIND")
    parser.add_argument("--mb", type=float, default=20)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    argv = [str(Path(sys.executable).with_name("aish"))]
    figures: dict[str, dict[str, float]] = {}
    print(f"{'an answer of ' + format(options.mb, 'g') + ' MB':<22}  processor s   memory MB")
    for kind in options.kinds or KINDS:
        seconds, megabytes = cost(kind, int(options.mb * 1e6), argv)
        figures[kind] = {"processor_s": seconds, "memory_mb": megabytes}
        over = (kind in ENDLESS and seconds > LIMIT_S) or megabytes > LIMIT_MB + options.mb
        print(
            f"{kind:<22}  {seconds:11.2f}  {megabytes:10.0f}{'  OVER' if over else ''}", flush=True
        )
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
