"""What the words after a command name here: files, make targets, git aliases, scripts."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from fnmatch import fnmatchcase
from itertools import islice
from pathlib import Path

from aish.core.located import Located

MOST_ENTRIES = 2_000
LARGEST_FILE = 200_000
_TARGET = re.compile(r"^([A-Za-z0-9][\w./ -]*?)\s*:(?![=:])", re.MULTILINE)
_RECIPE = re.compile(r"^@?([A-Za-z_][\w-]*)(?:\s+[^:\n]*)?:(?!=)", re.MULTILINE)
_SCRIPTS = re.compile(r'"scripts"\s*:\s*\{([^}]*)\}')
_QUOTED_KEY = re.compile(r'"([^"]+)"\s*:')
_ALIASES = re.compile(r"^\[alias\]([^\[]*)", re.MULTILINE)
_ALIAS = re.compile(r"^\s*([A-Za-z][\w-]*)\s*=", re.MULTILINE)
_MAKEFILES = ("GNUmakefile", "makefile", "Makefile")


class WordsHere:
    """Looks up arguments; a file read for it is read again only when it has changed."""

    def __init__(self, place: Located, home: str) -> None:
        self._place = place
        self._home = home
        self._read: dict[str, tuple[int, frozenset[str]]] = {}

    def found(self, command: str, argument: str) -> bool:
        """Whether this argument names something the command would find here."""
        match command:
            case "git":
                return argument in self._git_aliases()
            case "make":
                return any(argument in self._names(name, _targets) for name in _MAKEFILES)
            case "just":
                return any(argument in self._names(n, _recipes) for n in ("justfile", "Justfile"))
            case "npm" | "yarn" | "pnpm":
                return argument in self._names("package.json", _scripts)
        return self._is_file(argument)

    def _is_file(self, argument: str) -> bool:
        if not argument or "\0" in argument:
            return False
        path = os.path.join(self._place.cwd, os.path.expanduser(argument))  # noqa: PTH111, PTH118
        if any(char in argument for char in "*?["):
            folder, pattern = os.path.split(path)
            return _matches(folder, pattern)
        return os.path.lexists(path)

    def _git_aliases(self) -> frozenset[str]:
        files = [f"{self._home}/.gitconfig", f"{self._home}/.config/git/config"]
        for folder in (self._place.cwd, *map(str, islice(Path(self._place.cwd).parents, 12))):
            if os.path.lexists(f"{folder}/.git"):
                files.append(f"{folder}/.git/config")
                break
        return frozenset().union(*(self._names(path, _aliases) for path in files))

    def _names(self, name: str, parse: Callable[[str], frozenset[str]]) -> frozenset[str]:
        path = os.path.join(self._place.cwd, name)  # noqa: PTH118  (runs at a key press)
        try:
            facts = os.stat(path)  # noqa: PTH116
            known = self._read.get(path)
            if known is None or known[0] != facts.st_mtime_ns:
                known = (facts.st_mtime_ns, parse(_text(path)))
                self._read[path] = known
        except OSError:
            return frozenset()
        return known[1]


def _text(path: str) -> str:
    """The beginning of an ordinary file; of anything else nothing, so that no key waits for it."""
    if not os.path.isfile(path):  # noqa: PTH113
        return ""
    with open(path, encoding="utf-8", errors="replace") as file:  # noqa: PTH123
        return file.read(LARGEST_FILE)


def _matches(folder: str, pattern: str) -> bool:
    try:
        with os.scandir(folder) as entries:
            names = (entry.name for entry in islice(entries, MOST_ENTRIES))
            return any(fnmatchcase(name, pattern) for name in names if name[0] != ".")
    except OSError:
        return False


def _targets(text: str) -> frozenset[str]:
    return frozenset(name for found in _TARGET.findall(text) for name in found.split())


def _recipes(text: str) -> frozenset[str]:
    return frozenset(_RECIPE.findall(text))


def _scripts(text: str) -> frozenset[str]:
    found = _SCRIPTS.search(text)
    return frozenset(_QUOTED_KEY.findall(found[1])) if found else frozenset()


def _aliases(text: str) -> frozenset[str]:
    return frozenset(name for part in _ALIASES.findall(text) for name in _ALIAS.findall(part))
