"""What a command word is here: the live shell's names, then PATH, then what is widely known."""

from __future__ import annotations

import os
from collections.abc import Callable, Container
from typing import Protocol

from aish.core.classify import NameKind
from aish.core.classify.known import BUILTINS, KEYWORDS, WELL_KNOWN


class ShellNames(Protocol):
    """The names a shell would run before looking at PATH."""

    @property
    def aliases(self) -> Container[str]: ...

    @property
    def functions(self) -> Container[str]: ...


class LiveNames:
    """Answers for the classifier and the highlighter; cheap enough for every key."""

    def __init__(
        self, shell_names: Callable[[], ShellNames], cwd: Callable[[], str], path: str
    ) -> None:
        self._shell_names = shell_names
        self._cwd = cwd
        self._folders = [folder for folder in path.split(os.pathsep) if folder]
        self._found: dict[str, bool] = {}

    def kind_of(self, word: str) -> NameKind | None:
        """For the classifier: also programs that are only not installed."""
        return self.runnable(word) or WELL_KNOWN.kind_of(word)

    def runnable(self, word: str) -> NameKind | None:
        """What running this word would start on this machine, or None if nothing."""
        names = self._shell_names()
        if word in names.aliases:
            return "alias"
        if word in names.functions:
            return "function"
        if word in KEYWORDS:
            return "keyword"
        if word in BUILTINS:
            return "builtin"
        return "program" if self._is_program(word) else None

    def forget(self) -> None:
        """A command ran: programs may have come or gone."""
        self._found.clear()

    def _is_program(self, word: str) -> bool:
        if "/" in word:
            path = os.path.expanduser(word)  # noqa: PTH111  (runs on every key)
            return _executable(os.path.join(self._cwd(), path))  # noqa: PTH118
        if not word or "\0" in word:
            return False
        if word not in self._found:
            self._found[word] = any(_executable(f"{folder}/{word}") for folder in self._folders)
        return self._found[word]


def _executable(path: str) -> bool:
    return os.access(path, os.X_OK) and not os.path.isdir(path)  # noqa: PTH112


class NoShellNames:
    """The names of a shell that is not there."""

    aliases: frozenset[str] = frozenset()
    functions: frozenset[str] = frozenset()
