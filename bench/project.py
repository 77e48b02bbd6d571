"""A repository of 100,000 files: the tree, and what Tab finds after `@`."""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from pathlib import Path

from aish.core.context.tokens import get_tokenizer
from aish.project.completion import FileNames
from aish.project.tree import ProjectTree

FILES, ROUNDS = 100_000, 5


def repository(folder: Path) -> None:
    for number in range(FILES):
        place = folder / f"part{number % 50}" / f"module{number % 700}"
        if number < 35_000:
            place.mkdir(parents=True, exist_ok=True)
        (place / f"file_{number}.py").touch()
    for arguments in (["init", "-q"], ["add", "-A"]):
        subprocess.run(["git", *arguments], cwd=folder, check=True)


def best(action: object) -> float:
    taken = []
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        action()  # type: ignore[operator]
        taken.append(time.perf_counter() - begin)
    return min(taken)


def main() -> None:
    with tempfile.TemporaryDirectory() as place:
        repository(Path(place))
        count = get_tokenizer("").count
        tree = ProjectTree(os.environ)

        def draw() -> None:
            tree.refresh()
            tree.text(place, 8192, count)

        print(f"tree of {FILES:,} files: {best(draw):.2f} s (limit 0.5)")
        names = FileNames(os.environ)
        names.matching("x", place)
        for word in ("file_99", "mod9", "pt3m77f1", "zzzz", "p"):
            taken = best(lambda word=word: names.matching(word, place))
            print(f"completion of @{word}: {1000 * taken:.0f} ms (limit 100)")


if __name__ == "__main__":
    main()
