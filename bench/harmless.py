"""What redaction disturbs in texts that hold no secret: manuals, documentation, source code.

    python bench/harmless.py FOLDER… [--most MB] [--show N]

Each folder's text files are read (those in gzip too, manuals without their markup); what would be
hidden is counted by family, each place once, and N of the places are shown. Manuals have examples
of passwords, so the figure is never quite zero: what it says is which families to look at.
"""

from __future__ import annotations

import argparse
import gzip
import os
import random
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from aish.core.secrets.recognise import recognise

SEED, LARGEST = 3, 300_000
_MANUAL = re.compile(r"\.\d\w*(?:\.gz)?$")
_MARKUP = (
    (re.compile(r"\\f(?:\[\w*\]|\(..|.)|\\s[-+]?\d|\\[&|]"), ""),
    (re.compile(r"\\-"), "-"),
    (re.compile(r"\\\*?\((?:aq|Aq)"), "'"),
    (re.compile(r"\\\*?\((?:lq|rq|R\"|L\")"), '"'),
    (re.compile(r"\\(?:\*?\(..|\*.|\[\w+\]| )"), " "),
    (re.compile(r"(?m)^[.'][A-Za-z]{1,3}(?: |$)"), ""),
    (re.compile(r"\\e"), r"\\"),
)


def texts(folders: list[str]) -> Iterator[tuple[Path, str]]:
    """The readable files, in an order that is the same each time and mixes the folders."""
    paths = sorted(
        Path(folder, name)
        for root in folders
        for folder, _, names in os.walk(root)
        for name in names
    )
    random.Random(SEED).shuffle(paths)
    for path in paths:
        if path.is_symlink() or not path.is_file():
            continue
        try:
            with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
                data = file.read(LARGEST)
        except (OSError, EOFError):
            continue
        if b"\0" not in data[:4000]:
            text = data.decode("utf-8", "replace")
            for pattern, by in _MARKUP if _MANUAL.search(path.name) else ():
                text = pattern.sub(by, text)
            yield path, text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--most", type=float, default=40.0, help="megabytes that are read")
    parser.add_argument("--show", type=int, default=0, help="places that are shown")
    options = parser.parse_args()
    families: Counter[str] = Counter()
    places: dict[tuple[str, str], str] = {}
    size = files = 0
    for path, text in texts(options.folders):
        files, size = files + 1, size + len(text)
        for span in recognise(text):
            before, value = text[max(0, span.start - 60) : span.start], text[span.start : span.end]
            if (before[-25:], value) not in places:
                places[before[-25:], value] = f"{path.name}: {before!r} {value!r}"
                families[span.family] += 1
        if size > options.most * 1e6:
            break
    print(f"{files} files, {size / 1e6:.1f} MB, {len(places)} places disturbed")
    print(f"{len(places) / max(size / 1e6, 0.001):.2f} for each MB; {dict(families.most_common())}")
    for place in random.Random(SEED).sample(list(places.values()), min(options.show, len(places))):
        print("  ", place)


if __name__ == "__main__":
    main()
