"""What a small model reads when a command is wanted; the adapter was trained on exactly this."""

from __future__ import annotations

from collections.abc import Sequence

from aish.core.context.prompt import example_messages
from aish.core.messages import Message
from aish.core.values import dataclass

SYSTEM = (
    "Turn the request into one bash command line for {system}. "
    "Answer with one line that begins with CMD: "
)
# Instead of the usual system prompt, which makes a small model write commands whatever it is asked.
WORDS = (
    "You are aish, a helpful assistant in a Linux shell. Answer in plain words, in at most two "
    "short sentences. Where command output is shown: say why it happened, and name the one command "
    "that helps. No code blocks, no further examples."
)
# Nothing but one command line can be said. A line of Unicode is allowed, control characters not.
GRAMMAR = 'root ::= "CMD: " [^ \\x00-\\x1f\\x7f] [^\\x00-\\x1f\\x7f]*'


LOOK_TWICE = "look twice: "  # before what speaks against a proposal
# Characters of a request for one command: more is no such request, and takes minutes to read.
HEAD, TAIL = 1500, 500


@dataclass(frozen=True, slots=True)
class MachineFacts:
    """What is known of the machine when something is asked."""

    system: str = "Linux"  # the distribution's own name
    files: tuple[str, ...] = ()  # names in the working directory that the request may mean
    last: str = ""  # the command before, when the request refers to it
    status: int = 0


def command_messages(
    request: str, around: MachineFacts, examples: Sequence[tuple[str, str]] = ()
) -> list[Message]:
    """The conversation that ends in one command line, after examples of others."""
    return [
        {"role": "system", "content": SYSTEM.format(system=around.system).rstrip()},
        *example_messages(examples),
        {"role": "user", "content": asked(request, around)},
    ]


def asked(request: str, around: MachineFacts) -> str:
    """The request, after the facts it needs."""
    lines = []
    if around.files:
        lines.append(f"[files here: {' '.join(around.files)}]")
    if around.last:
        lines.append(f"[last command: {around.last} (exit status {around.status})]")
    return "\n".join([*lines, _bounded(request)])


def _bounded(request: str) -> str:
    """Its beginning and its end, where it is very long."""
    if len(request) <= HEAD + TAIL:
        return request
    return f"{request[:HEAD]} … {request[-TAIL:]}"
