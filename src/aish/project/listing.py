"""The files below a directory: git's own list where there is one, else a bounded walk."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import Path

from aish.project.git import Git

IGNORE = ".aishignore"
MOST_FILES = 200_000
WALK_FOR = 2.0  # seconds, outside git
_NEVER = frozenset((".git", ".hg", ".svn", "node_modules", "__pycache__", ".venv", ".tox"))
_MOST_PATTERNS = 500


def files_below(directory: str, environ: Mapping[str, str]) -> list[str]:
    """Relative paths of what belongs to the project, without what it ignores."""
    git = Git(directory, environ)
    listed = git.files()
    paths = list(_walk(directory)) if listed is None else listed[:MOST_FILES]
    for above, patterns in _patterns_above(directory, git.root()):
        paths = [path for path in paths if not is_ignored(above + path, patterns)]
    return paths


def _patterns_above(directory: str, root: Path | None) -> Iterator[tuple[str, list[str]]]:
    """The patterns that hold here, up to the project's root, each with the way down from them."""
    here = Path(os.path.realpath(directory))
    top = here if root is None else Path(os.path.realpath(root))
    for folder in (here, *here.parents):
        if not folder.is_relative_to(top):
            return
        if patterns := ignore_patterns(folder / IGNORE):
            way = here.relative_to(folder).as_posix()
            yield ("" if way == "." else f"{way}/"), patterns


def ignore_patterns(path: Path) -> list[str]:
    """The patterns of an ignore file: one a line, `#` comments, a trailing `/` for folders."""
    try:
        if not path.is_file():
            return []
        with path.open(encoding="utf-8", errors="replace") as file:
            lines = file.read(64 * 1024).splitlines()
    except OSError:
        return []
    patterns = [line.strip() for line in lines]
    return [text for text in patterns if text and not text.startswith("#")][:_MOST_PATTERNS]


def is_ignored(path: str, patterns: list[str]) -> bool:
    """Whether a pattern names the path, its file name, or a folder above it."""
    parts = path.split("/")
    for pattern in patterns:
        wanted = pattern.strip("/")
        if fnmatchcase(path, wanted) or path.startswith(f"{wanted}/"):
            return True
        names = parts[:-1] if pattern.endswith("/") else parts
        if "/" not in wanted and any(fnmatchcase(name, wanted) for name in names):
            return True
    return False


def _walk(directory: str) -> Iterator[str]:
    """Files outside a repository; links to folders are not followed, so a loop is no loop."""
    deadline, found = time.monotonic() + WALK_FOR, 0
    stack = [""]
    while stack and found < MOST_FILES and time.monotonic() < deadline:
        below = stack.pop()
        for name, is_folder in _entries(f"{directory}/{below}"):
            path = f"{below}/{name}" if below else name
            if is_folder:
                if name not in _NEVER:
                    stack.append(path)
            else:
                found += 1
                yield path


def _entries(folder: str) -> list[tuple[str, bool]]:
    try:
        with os.scandir(folder) as entries:
            return sorted((entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries)
    except OSError:
        return []
