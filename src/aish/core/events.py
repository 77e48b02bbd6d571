"""What happens in a session, as a closed union of values.

The session yields them in order; the screen and the log are consumers of the same stream. A
consumer sees an event before the session goes on, so what is logged first happens later. Nobody
infers from a number what was not said: whatever happens to the conversation is an event.
"""

from __future__ import annotations

from typing import Literal

from aish.core.actions import ProposedCommand
from aish.core.autonomy import RunOutcome, RunUsage
from aish.core.context.eviction import Eviction
from aish.core.errors import AishError
from aish.core.messages import ExecResult, ModelSpec, Reply, ToolCall, Turn
from aish.core.transcript import Transcript
from aish.core.values import dataclass, field


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
    """The way to the model failed, and another one, or another way, is tried instead."""

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
    """The model calls a tool; whether it may is decided next."""

    call: ToolCall


@dataclass(frozen=True, slots=True)
class Permitted:
    """Exactly this call may be made; it is made next."""

    call: ToolCall
    verdict: str = ""  # what the call was read as


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
    """The user said yes to exactly this command, in this directory; it runs next."""

    command: str
    directory: str = ""
    verdict: str = ""  # what the command was read as
    place: Literal["", "shell", "sandbox", "trial"] = ""  # where a step of a run goes to


@dataclass(frozen=True, slots=True)
class Ran:
    """A command ran to its end."""

    result: ExecResult
    by: Literal["user", "ai"] = "user"  # who had asked for it


@dataclass(frozen=True, slots=True)
class Undone:
    """The last exchange is dropped for good."""

    turns: tuple[Turn, ...]


@dataclass(frozen=True, slots=True)
class Retried:
    """The last exchange is taken back, to be asked again; its output waits for that."""

    question: str


@dataclass(frozen=True, slots=True)
class Emptied:
    """The conversation begins afresh."""


@dataclass(frozen=True, slots=True)
class Pinned:
    """The user keeps a text word for word in every prompt of this conversation."""

    text: str


@dataclass(frozen=True, slots=True)
class Unpinned:
    """A text is kept no longer, whoever had pinned it."""

    text: str


@dataclass(frozen=True, slots=True)
class Resumed:
    """An earlier conversation goes on."""

    session: str
    transcript: Transcript
    damage: str = ""


@dataclass(frozen=True, slots=True)
class Delegating:
    """Another model is asked something of its own; its words follow."""

    preset: str
    prompt: str


@dataclass(frozen=True, slots=True)
class Delegated:
    """What the other model answered; the next question shows it."""

    preset: str
    prompt: str
    answer: str


@dataclass(frozen=True, slots=True)
class NotDelegated:
    """The other model was not asked, or did not answer."""

    preset: str
    error: AishError


@dataclass(frozen=True, slots=True)
class Attached:
    """Something the question mentions goes along with it; cut where `tokens` < `whole`."""

    label: str
    tokens: int
    whole: int
    size: int  # bytes of what was mentioned


@dataclass(frozen=True, slots=True)
class Noticed:
    """Something beside the conversation that the user should know."""

    text: str


@dataclass(frozen=True, slots=True)
class RunBegan:
    """An autonomous run begins, or goes on."""

    goal: str
    tasks: tuple[str, ...] = ()
    tried: bool = False  # in a trial from start to finish
    spent: RunUsage = field(default_factory=RunUsage)  # before, where it goes on


@dataclass(frozen=True, slots=True)
class TasksChanged:
    """The run has another list of tasks; `said`: the answer just shown has it."""

    tasks: tuple[str, ...]
    said: bool = False


@dataclass(frozen=True, slots=True)
class StepBegan:
    """The next step of a run; `most` is its limit, 0 for none."""

    number: int
    most: int
    spent: RunUsage


@dataclass(frozen=True, slots=True)
class Halted:
    """A run waits for the user's word on an action."""

    action: str
    reason: str


@dataclass(frozen=True, slots=True)
class Skipped:
    """An action of a run is not taken, and the model is told so in these words."""

    action: str
    told: str


@dataclass(frozen=True, slots=True)
class Planned:
    """An action that would be taken, were it not only a plan."""

    action: str
    verdict: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Paused:
    """The user stopped a run in the middle and is asked whether it goes on.

    Unless they are kept, the words of the step are out of the conversation again.
    """

    kept: bool = True


@dataclass(frozen=True, slots=True)
class RunEnded:
    """The run is over."""

    outcome: RunOutcome
    reason: str
    spent: RunUsage


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
    | Permitted
    | Returned
    | Proposed
    | Declined
    | Approved
    | Ran
    | Undone
    | Retried
    | Emptied
    | Pinned
    | Unpinned
    | Resumed
    | Delegating
    | Delegated
    | NotDelegated
    | Attached
    | Noticed
    | RunBegan
    | TasksChanged
    | StepBegan
    | Halted
    | Skipped
    | Planned
    | Paused
    | RunEnded
)
