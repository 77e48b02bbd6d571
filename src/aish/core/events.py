"""What happens during a question, as a closed union of values.

The engine yields them in order; the screen, the log and the ledger are consumers of the same
stream. A consumer sees an event before the engine goes on, so what is logged first happens later.
"""

from __future__ import annotations

from dataclasses import dataclass

from aish.core.actions import ProposedCommand
from aish.core.context.eviction import Eviction
from aish.core.errors import AishError
from aish.core.messages import ExecResult, ModelSpec, Reply, ToolCall, Turn


@dataclass(frozen=True, slots=True)
class Asked:
    """A question enters the conversation and goes to this model."""

    turn: Turn
    spec: ModelSpec


@dataclass(frozen=True, slots=True)
class Evicted:
    """Old turns left the prompt to make room."""

    eviction: Eviction


@dataclass(frozen=True, slots=True)
class Thinking:
    """A piece of the model's reasoning; shown as life, never kept."""

    text: str


@dataclass(frozen=True, slots=True)
class Said:
    """A piece of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class Replied:
    """The answer is over: complete, or interrupted with what had arrived."""

    reply: Reply
    estimated: int = 0  # prompt tokens as they were expected


@dataclass(frozen=True, slots=True)
class Warned:
    """Something the user should know about the answer just given."""

    text: str


@dataclass(frozen=True, slots=True)
class FellBack:
    """The way to the model failed, and another one is asked instead."""

    text: str


@dataclass(frozen=True, slots=True)
class RolledBack:
    """The request failed; the question is out of the conversation again."""

    error: AishError


@dataclass(frozen=True, slots=True)
class Stopped:
    """The user stopped the question; unless it is kept, it is out of the conversation again."""

    kept: bool


@dataclass(frozen=True, slots=True)
class BrokeOff:
    """The model failed after tools were called; what had happened stays."""

    error: AishError


@dataclass(frozen=True, slots=True)
class Called:
    """The model calls a tool; the call is made next."""

    call: ToolCall


@dataclass(frozen=True, slots=True)
class Returned:
    """What a tool gave back, as the model gets to see it."""

    call: ToolCall
    turn: Turn


@dataclass(frozen=True, slots=True)
class Proposed:
    """The answer proposes a command; the user is asked next."""

    proposal: ProposedCommand


@dataclass(frozen=True, slots=True)
class Declined:
    """A proposed command will not run."""

    proposal: ProposedCommand


@dataclass(frozen=True, slots=True)
class Approved:
    """The user said yes to exactly this command; it runs next."""

    command: str


@dataclass(frozen=True, slots=True)
class Ran:
    """A command ran to its end."""

    result: ExecResult


Event = (
    Asked
    | Evicted
    | Thinking
    | Said
    | Replied
    | Warned
    | FellBack
    | RolledBack
    | Stopped
    | BrokeOff
    | Called
    | Returned
    | Proposed
    | Declined
    | Approved
    | Ran
)
