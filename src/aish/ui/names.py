"""What a command word is here: the live shell's names, then PATH, then what is widely known."""

from __future__ import annotations

import os
from collections.abc import Container
from typing import TYPE_CHECKING, Protocol

from aish.ui.here import WordsHere

if TYPE_CHECKING:
    from aish.core.classify import NameKind
    from aish.core.located import Located


class ShellNames(Protocol):
    """The names a shell would run before looking at PATH."""

    @property
    def aliases(self) -> Container[str]: ...

    @property
    def functions(self) -> Container[str]: ...


class NoShellNames:
    """The names of a shell that is not there."""

    aliases: frozenset[str] = frozenset()
    functions: frozenset[str] = frozenset()


class NamedShell(Protocol):
    """A shell that is somewhere and has names of its own."""

    @property
    def cwd(self) -> str: ...

    def names(self) -> ShellNames: ...


class NoShell:
    """A place without a shell in it."""

    def __init__(self, place: Located) -> None:
        self._place = place

    @property
    def cwd(self) -> str:
        return self._place.cwd

    def names(self) -> ShellNames:
        return NoShellNames()


class LiveNames:
    """Answers for the classifier and the highlighter; a lookup, because every key asks."""

    def __init__(self, shell: NamedShell, path: str, home: str = "") -> None:
        self._here = WordsHere(shell, home)
        self._shell = shell
        self._folders = [folder for folder in path.split(os.pathsep) if folder]
        self._programs: dict[str, frozenset[str]] = {}
        self._changed: dict[str, int] = {}

    def kind_of(self, word: str) -> NameKind | None:
        """For the classifier: also programs that are only not installed."""
        from aish.core.classify import WELL_KNOWN

        return self.runnable(word) or WELL_KNOWN.kind_of(word)

    def finds(self, command: str, argument: str) -> bool:
        """For the classifier: whether the argument names something here."""
        return self._here.found(command, argument)

    def runnable(self, word: str) -> NameKind | None:
        """What running this word would start on this machine, or None if nothing."""
        from aish.core.shell_words import BUILTINS, KEYWORDS

        names = self._shell.names()
        if word in names.aliases:
            return "alias"
        if word in names.functions:
            return "function"
        if word in KEYWORDS:
            return "keyword"
        if word in BUILTINS:
            return "builtin"
        return "program" if self._is_program(word) else None

    def refresh(self) -> None:
        """Look again at the folders that changed; a command may have installed something."""
        for folder in self._folders:
            try:
                changed = os.stat(folder).st_mtime_ns  # noqa: PTH116  (runs at every prompt)
                if self._changed.get(folder) != changed:
                    self._programs[folder] = frozenset(os.listdir(folder))  # noqa: PTH208
                    self._changed[folder] = changed
            except OSError:
                self._programs[folder] = frozenset()

    def _is_program(self, word: str) -> bool:
        if "/" in word:
            path = os.path.expanduser(word)  # noqa: PTH111
            path = os.path.join(self._shell.cwd, path)  # noqa: PTH118
            return "\0" not in path and os.access(path, os.X_OK) and not os.path.isdir(path)  # noqa: PTH112
        if not self._programs:
            self.refresh()
        return any(word in names for names in self._programs.values())
