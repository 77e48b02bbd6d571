"""What Tab offers after an `@`: the project's files, folders, ranges by a few letters."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Thread

from aish.core.fuzzy import PathIndex
from aish.core.values import dataclass
from aish.project.listing import files_below

FRESH_FOR = 10.0  # seconds a list of files is trusted
_NEEDS_QUOTES = re.compile(r"[\s\"'`\\<>|]")


def as_typed(path: str) -> str:
    """The path as a mention is written: blanks and quotes behind a backslash."""
    return _NEEDS_QUOTES.sub(lambda found: "\\" + found[0], path)


@dataclass(frozen=True, slots=True)
class _Known:
    """The names below a directory, as they were at a time."""

    directory: str
    index: PathIndex
    read_at: float


class FileNames:
    """The names below the working directory; read again when it changes or they grow old.

    Old names that match are offered at once while new ones are read: nobody waits at a Tab.
    """

    def __init__(self, environ: Mapping[str, str], fresh_for: float = FRESH_FOR) -> None:
        self._environ = environ
        self._fresh_for = fresh_for
        self._known = _Known("", PathIndex(()), 0.0)
        self._reader: Thread | None = None

    def matching(self, word: str, directory: str) -> list[str]:
        """The best matches for a word that can be typed: a name with a line end cannot."""
        return [path for path in self._found(word, directory) if path.isprintable()]

    def _found(self, word: str, directory: str) -> list[str]:
        """Outside paths are completed folder by folder."""
        if word.startswith(("/", "~", "../", "./")):
            return self._beside(word, directory)
        found = self._search(word, directory) or self._beside(word, directory)  # an ignored file
        return [*(name for name in ("diff",) if word and name.startswith(word)), *found]

    def _search(self, word: str, directory: str) -> list[str]:
        known = self._known
        if known.directory == directory and len(known.index):
            found = known.index.search(word)
            fresh = time.monotonic() - known.read_at <= self._fresh_for
            if found and not fresh:
                self._read_behind(directory)
            if found or fresh:
                return found
        self._read(directory)
        return self._known.index.search(word)

    def _read(self, directory: str) -> None:
        index = PathIndex(_with_folders(files_below(directory, self._environ)))
        self._known = _Known(directory, index, time.monotonic())

    def _read_behind(self, directory: str) -> None:
        if self._reader is None or not self._reader.is_alive():
            self._reader = Thread(target=self._read, args=(directory,), daemon=True)
            self._reader.start()

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
