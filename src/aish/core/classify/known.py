"""What the shell knows by name: a seam for the live shell, and a table of well-known names."""

from __future__ import annotations

from typing import Literal, Protocol

from aish.core.classify.names import PROGRAMS
from aish.core.shell_words import BUILTINS, KEYWORDS

NameKind = Literal["alias", "function", "builtin", "keyword", "program"]


class CommandNames(Protocol):
    """Answers what a command word is to the user's shell.

    A word with a slash is a path: the answer is `program` when it can be executed.
    """

    def kind_of(self, word: str) -> NameKind | None:
        """What running this word would start, or None if nothing."""
        ...

    def finds(self, command: str, argument: str, /) -> bool:
        """Whether the command would find what this argument names: a file, a target, an alias."""
        ...


class WellKnownNames:
    """The names every bash has and those of widely known programs, installed or not."""

    def kind_of(self, word: str) -> NameKind | None:
        """What running this word would start on a machine that has everything."""
        if word in KEYWORDS:
            return "keyword"
        if word in BUILTINS:
            return "builtin"
        return "program" if word in PROGRAMS else None

    def finds(self, _command: str, _argument: str, /) -> bool:
        """Nothing is known of any place."""
        return False


WELL_KNOWN = WellKnownNames()
