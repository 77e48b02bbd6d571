"""What the engine needs from the outside world, as Protocols."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol, runtime_checkable

from aish.core.actions import ProposedCommand
from aish.core.errors import AishError
from aish.core.messages import Delta, ExecResult, Message, ModelSpec, Request, ToolCall
from aish.core.tools import Fitting, Permit, ToolResult
from aish.core.values import dataclass

if TYPE_CHECKING:
    from aish.core.safety.verdict import Verdict


class Model(Protocol):
    """The model of one question, and of everything that follows from it."""

    def spec(self) -> ModelSpec:
        """What a request must fit; starts or asks the server where that is needed.

        Raises: AishError.
        """
        ...

    def count(self, messages: list[Message]) -> int | None:
        """The server's own count of a prompt; None when it cannot say now."""
        ...

    def stream(self, request: Request) -> Generator[Delta, None, None]:
        """Yield the answer as it arrives; closing the iterator ends the request.

        Raises: BrokerError.
        """
        ...

    def fall_back(self, error: AishError) -> str:
        """Become another model, or find another way to this one, where that is allowed now.

        Returns what to tell the user, "" when there is no other way.
        """
        ...


class NamedModels(Protocol):
    """The presets."""

    def named(self, name: str) -> Model:
        """One preset by its name; the one in use for "".

        Raises: UsageError for a name that is no preset.
        """
        ...


class Shell(Protocol):
    """Runs a command where the user would have run it."""

    def run(self, command: str) -> ExecResult:
        """Run it to its end, showing its output, and return what it printed and its status.

        Raises: ShellError.
        """
        ...


@runtime_checkable
class Tries(Protocol):
    """A shell that can show what a command would change."""

    def tried(self, command: str, *, network: bool = False) -> ExecResult:
        """Try it, let the user decide on its changes, and return what it printed and became.

        Raises: AishError.
        """
        ...


class Tools(Protocol):
    """What the model may call."""

    def begin(self) -> None:
        """A new question or run: what was called for the last one may be called again."""
        ...

    def schemas(self, room: int, count: Callable[[str], int]) -> Sequence[Mapping[str, Any]]:
        """The definitions for a request in a window of `room` tokens; none: nothing to call."""
        ...

    def fitting(self, words: str) -> Fitting:
        """The few definitions that a small model needs for a request, if any fits it."""
        ...

    @property
    def deepest(self) -> int:
        """Answers in a row that may call something."""
        ...

    def permit(self, call: ToolCall) -> Permit:
        """Whether a call may be made; where it may not, the model is told why."""
        ...

    def make(self, calls: Sequence[ToolCall]) -> Sequence[ToolResult]:
        """Make calls that were permitted, all at the same time; a failure is a result too."""
        ...


Choice = Literal["run", "try", "edit", "explain", "other", "skip", "stop", "plan"]


@dataclass(frozen=True, slots=True)
class Decision:
    """The user's word on a proposed command; anything unreadable is a skip."""

    choice: Choice
    command: str = ""  # the exact bytes approved
    directory: str = ""  # the place they were approved for
    verdict: str = ""  # what the command was read as
    reason: str = ""  # why
    always: bool = False  # exactly this, here, for the rest of the session


class Judge(Protocol):
    """Reads a command before anybody is asked about it."""

    def judge(self, command: str, cwd: str) -> Verdict:
        """What it would do in this directory, and whether it may run by itself."""
        ...


class Approver(Protocol):
    """Asks the user. The one call that goes back from the engine."""

    def approve(self, proposal: ProposedCommand) -> Decision: ...


RunPlace = Literal["shell", "sandbox", "trial"]


@dataclass(frozen=True, slots=True)
class Ruling:
    """What becomes of an action of an autonomous run before anybody is asked."""

    choice: Literal["run", "ask", "refuse"]
    place: RunPlace  # where it would run by itself
    verdict: Verdict


class Governor(Protocol):
    """Decides what an autonomous run may do by itself; whatever destroys is asked about."""

    def rule(self, proposal: ProposedCommand) -> Ruling:
        """Read a command."""
        ...

    def ask(self, proposal: ProposedCommand, ruling: Ruling) -> Decision:
        """The user's word: run, skip or stop; an edited command was read and asked about anew."""
        ...


class Hands(Protocol):
    """Runs the commands of an autonomous run; nobody types into them."""

    @property
    def cwd(self) -> str: ...

    @property
    def tried(self) -> bool:
        """Whether all of it happens in a trial."""
        ...

    def confines(self) -> bool:
        """Whether there is a place for what nobody knows: a sandbox around this directory."""
        ...

    def run(self, command: str, place: RunPlace) -> ExecResult:
        """Run it to its end, or to its time limit.

        Raises: ShellError, SandboxError; then it did not run.
        """
        ...


class Pilot(Protocol):
    """Whoever watches an autonomous run."""

    def goes_on(self) -> bool:
        """Asked after Ctrl-C; False where nobody answers."""
        ...


class Purse(Protocol):
    """The money of an autonomous run."""

    @property
    def micro(self) -> int:
        """Millionths of a dollar that the session has cost."""
        ...

    def begin_run(self) -> None: ...

    def end_run(self) -> None: ...
