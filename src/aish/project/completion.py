"""What Tab offers after an `@`: the project's files, folders, ranges by a few letters."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from aish.core.fuzzy import PathIndex
from aish.project.listing import files_below

FRESH_FOR = 10.0  # seconds a list of files is trusted
_NEEDS_QUOTES = re.compile(r"[\s\"'`\\<>|]")


def as_typed(path: str) -> str:
    """The path as a mention is written: blanks and quotes behind a backslash."""
    return _NEEDS_QUOTES.sub(lambda found: "\\" + found[0], path)


class FileNames:
    """The names below the working directory; read again when it changes or they grow old."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ
        self._directory = ""
        self._index = PathIndex(())
        self._read_at = 0.0

    def matching(self, word: str, directory: str) -> list[str]:
        """The best matches for a word that can be typed: a name with a line end cannot."""
        return [path for path in self._found(word, directory) if path.isprintable()]

    def _found(self, word: str, directory: str) -> list[str]:
        """Outside paths are completed folder by folder."""
        if word.startswith(("/", "~", "../", "./")):
            return self._beside(word, directory)
        stale = time.monotonic() - self._read_at > FRESH_FOR
        if directory != self._directory or stale or not len(self._index):
            self._index = PathIndex(_with_folders(files_below(directory, self._environ)))
            self._directory, self._read_at = directory, time.monotonic()
        found = self._index.search(word) or self._beside(word, directory)  # an ignored file
        return [*(name for name in ("diff",) if word and name.startswith(word)), *found]

    def _beside(self, word: str, directory: str) -> list[str]:
        above, _, begun = word.rpartition("/")
        home = self._environ.get("HOME", "")
        place = home + above[1:] if above.startswith("~") else above
        folder = Path(directory) / (place or ("/" if word.startswith("/") else "."))
        try:
            with os.scandir(folder) as entries:
                names = sorted(
                    entry.name + ("/" if entry.is_dir() else "")
                    for entry in entries
                    if entry.name.startswith(begun)
                )
        except OSError:
            return []
        prefix = word[: len(word) - len(begun)]
        return [f"{prefix}{name}" for name in names[:200]]


def _with_folders(files: Sequence[str]) -> list[str]:
    """Files and the folders they are in, visible ones first."""
    folders = {parent for path in files if (parent := path.rpartition("/")[0])}
    whole = {
        f"{'/'.join(parts[:end])}/"
        for folder in folders
        for parts in (folder.split("/"),)
        for end in range(1, len(parts) + 1)
    }
    return sorted([*files, *whole], key=lambda path: (path.startswith(".") or "/." in path, path))
