"""Where a command would run, as values, and the little that is asked about files."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol


class Files(Protocol):
    """What the reader may ask about the disk; every answer may be a guess on the safe side."""

    def exists(self, path: str) -> bool:
        """Whether something is there that a write would replace."""
        ...

    def count_below(self, path: str) -> int | None:
        """How many files are below a directory; None when it is none or they are too many."""
        ...

    def ignored(self, path: str) -> bool:
        """Whether git ignores it, so that it can be made again."""
        ...

    def matching(self, pattern: str) -> int | None:
        """How many files a pattern names; None when that is not known."""
        ...


class NoFiles:
    """For reading a command without a disk."""

    def exists(self, path: str) -> bool:  # noqa: ARG002
        return False

    def count_below(self, path: str) -> int | None:  # noqa: ARG002
        return None

    def ignored(self, path: str) -> bool:  # noqa: ARG002
        return False

    def matching(self, pattern: str) -> int | None:  # noqa: ARG002
        return None


@dataclass(frozen=True, slots=True)
class Situation:
    """Where the command would run."""

    cwd: str = "/home/user/project"
    home: str = "/home/user"
    project: str = ""  # the root of the repository around `cwd`
    session_temp: str = ""  # a directory of this session, free to use
    user: str = "user"
    files: Files = field(default_factory=NoFiles)
