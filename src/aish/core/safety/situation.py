"""Where a command would run, as values, and the little that is asked about files."""

from __future__ import annotations

from typing import Protocol

from aish.core.values import dataclass, field


@dataclass(frozen=True, slots=True)
class FileCount:
    """How many files; `more` where counting was given up."""

    files: int
    more: bool = False

    def __str__(self) -> str:
        return f"{'more than ' if self.more else ''}{self.files:,} file{'s' * (self.files != 1)}"


class Files(Protocol):
    """What the reader may ask about the disk; every answer may be a guess on the safe side."""

    def exists(self, path: str) -> bool:
        """Whether something is there that a write would replace."""
        ...

    def is_folder(self, path: str) -> bool:
        """Whether it is a directory, so that things are put into it."""
        ...

    def count_below(self, path: str) -> FileCount | None:
        """How many files are below a directory; None when it is none."""
        ...

    def ignored(self, path: str) -> bool:
        """Whether git ignores it, so that it can be made again."""
        ...

    def matching(self, pattern: str) -> FileCount | None:
        """How many files a pattern names; None when that is not known."""
        ...

    def found(self, tests: tuple[str, ...], cwd: str) -> FileCount | None:
        """How many files `find` finds with these roots and tests, which only look."""
        ...


class NoFiles:
    """For reading a command without a disk."""

    def exists(self, path: str) -> bool:  # noqa: ARG002
        return False

    def is_folder(self, path: str) -> bool:  # noqa: ARG002
        return False

    def count_below(self, path: str) -> FileCount | None:  # noqa: ARG002
        return None

    def found(self, tests: tuple[str, ...], cwd: str) -> FileCount | None:  # noqa: ARG002
        return None

    def ignored(self, path: str) -> bool:  # noqa: ARG002
        return False

    def matching(self, pattern: str) -> FileCount | None:  # noqa: ARG002
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
