"""Compare `is_complete` with `bash -n` on shell scripts cut at line ends.

python bench/shellsyntax.py FILE ... [--cuts N]
"""

from __future__ import annotations

import argparse
import random
import subprocess
from pathlib import Path

from aish.core.shellsyntax import is_complete

EARLY_END = ("unexpected end of file", "unexpected EOF", "here-document", "`EOF'")


def bash_waits(text: str) -> bool:
    """Whether bash finds the end of the text too early."""
    command = ["bash", "-n", "-O", "extglob"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    return any(sign in done.stderr for sign in EARLY_END)


def prefixes(text: str, cuts: int, seed: str) -> list[str]:
    rows = text.split("\n")
    counts = range(1, len(rows) + 1)
    if len(rows) > cuts:
        counts = [*random.Random(seed).sample(counts, cuts), len(rows)]  # type: ignore[assignment]
    found = ["\n".join(rows[:count]) for count in counts]
    # bash -n takes a backslash at the very end for finished.
    return [prefix for prefix in found if not prefix.endswith("\\")]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+")
    parser.add_argument("--cuts", type=int, default=25, help="prefixes tried per file")
    args = parser.parse_args()
    tried = wrong = 0
    for path in args.files:
        try:
            text = Path(path).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            continue
        for prefix in prefixes(text, args.cuts, path) if len(text) < 30_000 else ():
            tried += 1
            found = is_complete(prefix)
            if found.complete is bash_waits(prefix + "\n"):
                wrong += 1
                print(f"{path}: {len(prefix.splitlines())} lines, {found}")
    print(f"{wrong} disagreements on {tried} prefixes of {len(args.files)} files")


if __name__ == "__main__":
    main()
