"""What the engine needs from the outside world, as Protocols."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable

from aish.core.actions import ProposedCommand
from aish.core.context.window import Context
from aish.core.errors import AishError
from aish.core.messages import Delta, ExecResult, Message, ModelSpec, Request


class Model(Protocol):
    """The model the next question goes to."""

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


@runtime_checkable
class Routes(Protocol):
    """A model that is several: which one depends on the question."""

    def for_question(self, text: str, context: Context) -> Model:
        """The model for this question and all that follows from it."""
        ...


@runtime_checkable
class FallsBack(Protocol):
    """A model that may become another one, once, when the way to it fails."""

    def fall_back(self, error: AishError) -> str:
        """Change over if that is allowed now; what to tell the user, "" when it is not."""
        ...


class Shell(Protocol):
    """Runs a command where the user would have run it."""

    def run(self, command: str) -> ExecResult:
        """Run it to its end, showing its output, and return what it printed and its status.

        Raises: ShellError.
        """
        ...


@dataclass(frozen=True, slots=True)
class Decision:
    """The user's word on a proposed command; anything unreadable is a skip."""

    choice: Literal["run", "edit", "explain", "skip", "stop"]
    command: str = ""  # the exact bytes approved


class Approver(Protocol):
    """Asks the user. The one call that goes back from the engine."""

    def approve(self, proposal: ProposedCommand) -> Decision: ...
