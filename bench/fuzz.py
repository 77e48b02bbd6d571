"""Fuzzes the reader of commands: no exception, no hang, never laxer with a destructive part more.

python bench/fuzz.py [SECONDS]      coverage-guided where atheris is installed, else by mutation

It stops with the command that broke a promise. `pip install atheris` makes it find more; it is no
part of the locked set, because it has wheels for few versions of Python.
"""

# ruff: noqa: E501 - tables of pieces

from __future__ import annotations

import contextlib
import importlib.util
import json
import random
import sys
import time
from pathlib import Path

DATA = Path(__file__).parent.parent / "tests" / "data" / "safety"
ORDER = ("harmless", "unknown", "destructive")
PARTS = ("rm -rf /srv", "mkfs.ext4 /dev/sda", "shutdown now")
SLOWEST = 5.0  # seconds of processor time for one command; a hang, not a figure
PIECES = [*"|&;<>(){}[]$`'\"\\#*?~!= \n", "$(", "<(", "${", "<<E\n", "EOF", "case ", " in ", "esac", "é", "\u202e",
          "rm", "sudo ", "env ", "xargs ", "sh -c ", "eval ", "find . -exec ", "if ", "then ", "fi", "do ", "done"]  # fmt: skip


def corpus() -> list[str]:
    """Every command of the samples and the own sets."""
    found = [
        json.loads(line)["cmd"]
        for path in DATA.glob("*.jsonl")
        for line in path.read_text().splitlines()
    ]
    for path in [*DATA.glob("*.txt"), *DATA.glob("rounds/*.txt")]:
        found += [
            line.replace("⏎", "\n")
            for line in path.read_text().splitlines()
            if line[:2] not in ("", "##")
        ]
    return found


def check(command: str) -> None:
    """The promises, for one command.

    Raises: AssertionError.
    """
    from aish.core.safety import Situation, judge

    started = time.process_time()
    before = judge(command, PARSE, Situation())
    assert before.level in ORDER and before.reason, command
    assert time.process_time() - started < SLOWEST, f"slow: {command!r}"
    part = PARTS[len(command) % len(PARTS)]
    after = judge(f"{part}\n{command}", PARSE, Situation())
    least = max(ORDER.index(before.level), 1)
    assert ORDER.index(after.level) >= least, f"laxer with {part!r} before it: {command!r}"


def mutated(command: str, dice: random.Random) -> str:
    """A few cuts, repeats and insertions."""
    for _ in range(dice.randint(1, 4)):
        place = dice.randint(0, len(command))
        until = min(len(command), place + dice.randint(0, 8))
        piece = dice.choice((dice.choice(PIECES), command[place:until] * dice.randint(0, 3)))
        command = command[:place] + piece + command[dice.choice((place, until)) :]
    return command


def by_mutation(seconds: float) -> None:
    dice = random.Random()
    commands, count, end = corpus(), 0, time.monotonic() + seconds
    while time.monotonic() < end:
        check(mutated(dice.choice(commands), dice))
        count += 1
    print(f"{count:,} commands in {seconds:.0f} s: nothing broke")


def by_coverage(seconds: float) -> None:
    import tempfile

    import atheris

    with atheris.instrument_imports(include=["aish.core"]):
        import aish.core.safety.programs as programs

    programs.rules()
    seeds = Path(tempfile.mkdtemp(prefix="aish-fuzz-"))
    for number, command in enumerate(corpus()):
        (seeds / str(number)).write_text(command)

    def one(data: bytes) -> None:
        check(data.decode("utf-8", "replace"))

    atheris.Setup([sys.argv[0], f"-max_total_time={seconds:.0f}", "-max_len=400", str(seeds)], one)
    with contextlib.suppress(SystemExit):
        atheris.Fuzz()


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60.0
    guided = importlib.util.find_spec("atheris") is not None and "--plain" not in sys.argv
    (by_coverage if guided else by_mutation)(seconds)


from aish.shell.shfmt import Shfmt  # noqa: E402 - one parser for all

PARSE = Shfmt()

if __name__ == "__main__":
    main()
