"""Five small goals put to a built-in model, which works toward them by itself: `make goals`.

Each runs in a folder of its own with `aish norris`, as a user without a terminal would start it;
then the folder is looked at. Printed as it is: reached or not, what aish says, steps and seconds.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from aish.config.places import data_dir
from aish.local.supervisor import stop_all

STEPS = 8
PATIENCE = 1200  # seconds


@dataclass(frozen=True)
class Goal:
    text: str
    reached: Callable[[Path], bool]


def said(folder: Path, name: str) -> str:
    path = folder / name
    return path.read_text(errors="replace").strip() if path.is_file() else ""


def make(folder: Path) -> None:
    """What every goal finds."""
    (folder / "src").mkdir(parents=True)
    (folder / "a.txt").write_text("one\ntwo\nthree\n")
    (folder / "b.txt").write_text("four\nTODO buy milk\n")
    (folder / "c.txt").write_text("five\n")
    (folder / "src" / "main.py").write_text("# TODO say more\nprint('hello')\n")
    (folder / "src" / "data.bin").write_bytes(b"\0" * 50_000)


def copies(folder: Path) -> bool:
    backup = folder / "backup"
    names = ("a.txt", "b.txt", "c.txt")
    return all((folder / n).is_file() and (backup / n).is_file() for n in names)


GOALS = (
    Goal(
        "make a folder called backup and copy all .txt files of this folder into it",
        copies,
    ),
    Goal(
        "count the lines of all .txt files here together and write the number to total.txt",
        lambda folder: re.match(r"6\b", said(folder, "total.txt")) is not None,
    ),
    Goal(
        "find the largest file below this folder and write its path to largest.txt",
        lambda folder: "data.bin" in said(folder, "largest.txt"),
    ),
    Goal(
        "write the names of all files below this folder that contain the word TODO to todo.txt",
        lambda folder: {"b.txt", "main.py"} <= set(re.split(r"[/\s:]+", said(folder, "todo.txt"))),
    ),
    Goal(
        "run src/main.py with python3 and write what it prints to out.txt",
        lambda folder: said(folder, "out.txt") == "hello",
    ),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", help="tiny, small or good")
    parser.add_argument("--only", type=int, default=0, help="one of them, from 1")
    parser.add_argument("--show", action="store_true", help="what aish printed")
    options = parser.parse_args()
    chosen = [GOALS[options.only - 1]] if options.only else list(GOALS)
    with tempfile.TemporaryDirectory(prefix="goals-") as top:
        env = home(Path(top), options.model)
        try:
            reached = sum(pursue(goal, Path(top), env, show=options.show) for goal in chosen)
        finally:
            stop_all(Path(top) / "home/.cache/aish/run")
    print(f"{reached} of {len(chosen)} goals reached by {options.model}")


def home(top: Path, model: str) -> dict[str, str]:
    """A user with this model and nothing else."""
    data = top / "home/.local/share/aish"
    data.mkdir(parents=True, mode=0o700)
    data.chmod(0o700)
    (data / "models").symlink_to(data_dir() / "models")
    config = top / "home/.config/aish/config.toml"
    config.parent.mkdir(parents=True)
    config.write_text(f'[local]\nmodel = "{model}"\n')
    hidden = ("XDG_", "AISH_")
    kept = {name: text for name, text in os.environ.items() if not name.startswith(hidden)}
    return kept | {"HOME": str(top / "home")}


def pursue(goal: Goal, top: Path, env: dict[str, str], *, show: bool) -> bool:
    folder = Path(tempfile.mkdtemp(dir=top)) / "work"
    make(folder)
    words = [sys.executable, "-m", "aish", "norris", "--max-steps", str(STEPS), goal.text]
    began = time.monotonic()
    try:
        done = subprocess.run(
            words, cwd=folder, env=env, stdin=subprocess.DEVNULL, timeout=PATIENCE, check=False,
            capture_output=True, text=True,
        )  # fmt: skip
        out, err = done.stdout, done.stderr
    except subprocess.TimeoutExpired as late:
        out, err = str(late.stdout), f"no end within {PATIENCE} s"
    took = time.monotonic() - began
    reached = goal.reached(folder)
    last = (err.strip().splitlines() or [""])[-1]
    print(f"{'reached' if reached else 'missed':<8} {took:4.0f} s  {goal.text}\n{'':17}{last}")
    if show:
        print(out, err, sep="\n", flush=True)
    return reached


if __name__ == "__main__":
    main()
