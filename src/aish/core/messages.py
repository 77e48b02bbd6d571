"""The values a conversation is made of, and their OpenAI chat form."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from aish.core.values import dataclass, field

if TYPE_CHECKING:
    from aish.core.context.settings import Compress

Role = Literal["user", "assistant", "tool"]
Message = dict[str, Any]  # an OpenAI chat message, as it goes over the wire
ToolSchemas = Sequence[Mapping[str, Any]]  # tool definitions, as they go over the wire


@dataclass(frozen=True, slots=True)
class ToolCall:
    id: str
    name: str
    arguments: str  # JSON text, as the model wrote it


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of the conversation; immutable once added."""

    role: Role
    content: str
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str = ""
    is_error: bool = False
    output: int = 0  # the leading characters of a user turn that are output, not the user's words
    attached: int = 0  # the last of these characters, which are what the words mention

    @property
    def words(self) -> str:
        """What was said, without the output before it."""
        return self.content[self.output :]

    @property
    def printed(self) -> str:
        """The output before it, without what the words mention."""
        return self.content[: self.output - self.attached]


@dataclass(frozen=True, slots=True)
class Usage:
    """What the server says a request used; None where it did not say.

    The prompt includes what came from or went to a cache, the completion includes reasoning.
    """

    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cached_tokens: int | None = None  # read from a cache
    cost: float | None = None  # dollars, only when the provider reports it
    cache_write_tokens: int | None = None
    reasoning_tokens: int | None = None
    total_tokens: int | None = None  # where only the sum is reported, the rest is worked out of it


@dataclass(frozen=True, slots=True)
class Reply:
    """A model's answer; `finish` is the server's reason to end, or ours.

    Ours are "interrupted" by the user, and "repeating": it went round in circles and was stopped.
    """

    text: str
    tool_calls: tuple[ToolCall, ...] = ()
    usage: Usage = field(default_factory=Usage)
    finish: str = "stop"
    model: str = ""

    @property
    def complete(self) -> bool:
        return self.finish in ("stop", "tool_calls")


@dataclass(frozen=True, slots=True)
class Delta:
    """A piece of a streamed answer: text, thinking, pieces of tool calls, or closing facts.

    `retract`: all text before this piece was thinking after all.
    """

    text: str = ""
    reasoning: str = ""
    tool_calls: tuple[ToolCallPiece, ...] = ()
    usage: Usage | None = None
    finish: str | None = None
    model: str = ""
    refusal: str = ""  # why the model will not answer, in its own words
    retract: bool = False
    unread: int = 0  # characters in fields that nobody here reads
    details: tuple[Mapping[str, Any], ...] = ()  # thinking in a form that only its server reads


@dataclass(frozen=True, slots=True)
class ToolCallPiece:
    index: int
    id: str = ""
    name: str = ""
    arguments: str = ""
    signed: Mapping[str, Any] = field(default_factory=dict)  # by its server, which may check it


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """A preset, resolved: everything a request needs to know about its model."""

    name: str  # the preset's name
    endpoint: str  # as the user gave it
    model: str  # the id sent to the server
    window: int  # tokens; 0 = ask the server
    reserve: int  # tokens kept free for the answer
    api_key: str = field(default="", repr=False)
    connect_timeout: float = 10.0
    idle_timeout: float = 120.0
    token_budget: int | None = None  # a smaller budget than what the window leaves
    tool_role: bool = True  # False: the template rejects tool messages
    compress: Compress | None = None  # a shorter view of the conversation, for small models
    examples: tuple[tuple[str, str], ...] = ()  # questions and answers a small model imitates
    # pairs like a request, the nearest first; for a small model that proposes a command
    like: Callable[[str], Sequence[tuple[str, str]]] | None = field(default=None, repr=False)
    vision: bool = False  # whether it takes pictures
    options: Mapping[str, Any] = field(default_factory=dict)  # sampling, merged into the request
    proposing: Mapping[str, Any] | None = None  # the same for one command line; None: as any other
    calls_by_grammar: bool = False  # its server knows no tools; calls are chosen by a grammar
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    query: Mapping[str, str] = field(default_factory=dict, repr=False)


BEGUN = "<think>"  # what some servers leave out of their answers: the template has written it
# What some reject: a conversation in which their own answers lack what they came with.
UNTHOUGHT = "answers without reasoning_content"
UNSIGNED = "calls without thought_signature"


@dataclass(frozen=True, slots=True)
class Request:
    spec: ModelSpec
    messages: tuple[Message, ...]
    max_tokens: int
    tools: tuple[dict[str, Any], ...] = ()
    purpose: str = "main"  # what the ledger files it under
    expected: int = 0  # prompt tokens by the conversation's own estimate; 0: nobody knows
    without: frozenset[str] = frozenset()  # what the server rejected or left out before


@dataclass(frozen=True, slots=True)
class ExecResult:
    """A command that ran: its exit status (128+N for a signal) and what it printed, captured."""

    command: str
    status: int
    output: str
    seconds: float = 0.0
    cwd: str = ""
    private: bool = False
