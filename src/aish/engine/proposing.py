"""A request for one command line: asked for as such, looked at, and asked again where it is bad."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from aish.core.actions import proposed_commands
from aish.core.context.prompt import BASE, example_messages
from aish.core.errors import Overflow
from aish.core.events import Event, Said, Warned
from aish.core.messages import Message, ModelSpec, Reply
from aish.core.proposal.faults import faults
from aish.core.proposal.meant import last_meant
from aish.core.proposal.wording import WORDS, Surroundings, command_messages
from aish.engine.ports import Model
from aish.engine.prompts import ConversationPrompt
from aish.engine.step import answer

LONGEST = 160  # tokens of a command line
TRIES = ({"temperature": 0.7, "seed": 1}, {"temperature": 0.9, "seed": 2})


class Around(Protocol):
    """What is known of the machine, looked at when something is asked."""

    def surroundings(self, request: str) -> Surroundings: ...

    def has(self, program: str) -> bool:
        """Whether a program, function or builtin of that name could run."""
        ...


class WordsPrompt(ConversationPrompt):
    """The conversation, for a small model that is to explain something."""

    def messages(self) -> list[Message]:
        first, *rest = super().messages()
        return [{**first, "content": str(first["content"]).replace(BASE, WORDS)}, *rest]


class CommandPrompt:
    """The request and the facts it needs; the conversation stays out of it."""

    def __init__(self, request: str, around: Surroundings, spec: ModelSpec) -> None:
        self._said = command_messages(request, around)
        self._examples = example_messages([e for e in spec.examples if e[1].startswith("CMD: ")])
        self._room = spec.reserve

    def messages(self) -> list[Message]:
        return [self._said[0], *self._examples, *self._said[1:]]

    def tools(self) -> Sequence[Mapping[str, Any]]:
        return ()

    def answer_tokens(self) -> int:
        return min(self._room, LONGEST)

    def expected(self) -> int:
        return 0

    def shorten(self, refused: Overflow) -> None:
        raise refused

    def news(self) -> Iterator[Event]:
        return iter(())


def propose(
    model: Model,
    spec: ModelSpec,
    request: str,
    shown: str,
    around: Around,
    *,
    purpose: str = "main",
) -> Generator[Event, None, Reply]:
    """One command line for a request; `shown` is the output the user saw before it.

    Raises: AishError.
    """
    last, status = last_meant(request, shown)
    known = replace(around.surroundings(request), last=last, status=status)
    prompt = CommandPrompt(request, known, spec)
    options = {**spec.options, **(spec.proposing or {})}
    best = answer(model, replace(spec, options=options), prompt, purpose)
    against = _against(best, request, around)
    for more in TRIES if against else ():
        if best.finish == "interrupted":
            break
        other = answer(model, replace(spec, options={**options, **more}), prompt, purpose)
        found = _against(other, request, around)
        if len(found) < len(against):
            best, against = other, found
        if not against:
            break
    yield Said(best.text)
    if against:
        yield Warned(f"look twice: {against[0]}")
    return best


def _against(reply: Reply, request: str, around: Around) -> tuple[str, ...]:
    commands = proposed_commands(reply.text, complete=reply.complete)
    if not commands:
        return ("it is no command", "it is no command")
    return faults(commands[0].command, request, around.has)
