"""What the live shell tells: how a command ended, jobs, names, completions, the shell's own end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, Protocol

from aish.core.messages import ExecResult
from aish.core.values import dataclass

Cause = Literal["exit", "errexit", "signal"]
Earlier = Callable[[], list[tuple[str, int]]]
"""Commands of other days with their moments, the oldest first."""


class LineKeeper(Protocol):
    """Keeps the lines that people enter."""

    def bash_keeps(self, line: str, kept: str, *, once: bool) -> None:
        """Bash has read a line and keeps this of it, "" for nothing; `once`: no repeats of it.

        The terminal is the command's by now: nothing is said.
        """
        ...

    def line_ended(self) -> None:
        """The line has run; what went wrong with keeping it can be said."""
        ...

    def bash_forgot(self, gone: list[str], *, cleared: bool) -> None:
        """The user took these out of bash's history; `cleared`: they were all there was."""
        ...


@dataclass(frozen=True, slots=True)
class ShellEnd:
    """The shell itself ended: by `exit`/`exec`/end of input, by `set -e`, or killed."""

    status: int  # 128+N when killed by signal N
    cause: Cause


@dataclass(frozen=True, slots=True)
class ShellResult(ExecResult):
    """A command that ran in the live shell."""

    pipe_status: tuple[int, ...] = ()
    open_line: bool = False  # the output did not end with a newline
    full_screen: bool = False  # it used the alternate screen; `output` is a note
    cut_bytes: int = 0  # output left out of the middle of `output`
    incomplete: bool = False  # the shell wanted more lines; the unfinished command did not run
    ended: ShellEnd | None = None


@dataclass(frozen=True, slots=True)
class Job:
    """A job of the live shell."""

    number: int
    pid: int
    state: str  # as bash says it: Running, Stopped, Done, Exit 1, ...
    command: str
    current: bool = False


@dataclass(frozen=True, slots=True)
class Names:
    """What the live shell would run before looking at PATH."""

    aliases: frozenset[str] = frozenset()
    functions: frozenset[str] = frozenset()
    builtins: frozenset[str] = frozenset()  # and reserved words

    def __contains__(self, name: object) -> bool:
        return name in self.aliases or name in self.functions or name in self.builtins


@dataclass(frozen=True, slots=True)
class Suggestion:
    """One completion: `text` replaces the word, quoted; `display` is for the menu."""

    text: str
    display: str
    suffix: str = ""  # " " after a finished word, "/" after a directory


@dataclass(frozen=True, slots=True)
class Completions:
    """Candidates for line[start:cursor]."""

    start: int
    candidates: tuple[Suggestion, ...] = ()
