"""A request for one command line: asked for as such, looked at, and asked again where it is bad."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from aish.core.actions import ProposedCommand, proposed_commands
from aish.core.context.prompt import BASE
from aish.core.events import Event, Said, Warned
from aish.core.messages import Message, ModelSpec, Reply
from aish.core.proposal.faults import Here, faults
from aish.core.proposal.meant import last_meant
from aish.core.proposal.mending import mended
from aish.core.proposal.strange import is_strange
from aish.core.proposal.wording import LOOK_TWICE, WORDS, MachineFacts, command_messages
from aish.core.values import dataclass
from aish.engine.ports import Model
from aish.engine.prompts import ConversationPrompt
from aish.engine.single_request import SingleRequest
from aish.engine.step import answer

LONGEST = 160  # tokens of a command line
LIKE = 3  # pairs like the request; each costs a small model some 30 tokens to read


@dataclass(frozen=True, slots=True)
class Attempt:
    """How a command is asked for: sampled so, and after pairs like the request or not."""

    options: Mapping[str, Any]
    near: bool = False
    talking: bool = False  # as the model talks: without what was trained, where there is such


# Instead of a command, where a model would make one up.
STRANGE = "I do not understand that; please say it in other words.\n"
USUAL = Attempt({})
# Where something speaks against the first.
TRIES = (Attempt({"temperature": 0.7, "seed": 1}), Attempt({"temperature": 0.9, "seed": 2}))
# On the user's wish.
MORE = (Attempt({}, talking=True), Attempt({"temperature": 1.2, "seed": 3}))
# A model that was trained on commands is sure of itself and says the same again, sampled or not.
# It needs something new to think of: first what others asked, which takes it longer to read.
TRAINED_TRIES = (Attempt({}, near=True), TRIES[1])
TRAINED_MORE = (Attempt({}, near=True), Attempt({}, talking=True))


class Around(Here, Protocol):
    """What is known of the machine, looked at when something is asked."""

    def machine_facts(self, request: str) -> MachineFacts: ...


class WordsPrompt(ConversationPrompt):
    """The conversation, for a small model that is to explain something."""

    def messages(self) -> list[Message]:
        first, *rest = super().messages()
        return [{**first, "content": str(first["content"]).replace(BASE, WORDS)}, *rest]


class Proposals:
    """The command lines for one request: the best first, others when they are asked for."""

    def __init__(self, request: str, around: Around, *, purpose: str = "main") -> None:
        self._request = request
        self._purpose = purpose
        self._around = around
        self._known: MachineFacts | None = None
        self._waiting: list[str] = []  # found on the way to the best
        self._said: set[str] = set()
        self._more: list[Attempt] = []

    @property
    def left(self) -> int:
        """How many others the user may still ask for."""
        return len(self._more)

    def first(self, model: Model, spec: ModelSpec, shown: str) -> Generator[Event, None, Reply]:
        """One command line; `shown` is the output the user saw before the request.

        Raises: AishError.
        """
        last, status = last_meant(self._request, shown)
        around = self._around.machine_facts(self._request)
        self._known = replace(around, last=last, status=status)
        if self._is_strange(spec):
            yield Said(STRANGE)
            return Reply(STRANGE, model=spec.model)
        trained = spec.like is not None and not spec.examples
        self._more = list(TRAINED_MORE if trained else MORE)
        best = self._ask(model, spec, USUAL)
        against = self._against(best)
        for attempt in (TRAINED_TRIES if trained else TRIES) if against else ():
            if best.finish == "interrupted":
                break
            other = self._ask(model, spec, attempt)
            found = self._against(other)
            if len(found) < len(against):
                best, other, against = other, best, found
            self._waiting += _commands(other)
            if not against:
                break
        self._said.update(_commands(best))
        yield Said(best.text)
        if against:
            yield Warned(f"{LOOK_TWICE}{against[0]}")
        return best

    def _is_strange(self, spec: ModelSpec) -> bool:
        """Whether nothing in the request is known: any command would be a guess."""
        known = spec.like is not None and spec.like(self._request)
        return not known and is_strange(self._request, self._around.has)

    def another(self, model: Model) -> Generator[Event, None, ProposedCommand | None]:
        """A command line that was not proposed before; None, and a word, when there is none.

        Raises: AishError.
        """
        while self._more:
            attempt = self._more.pop(0)
            found = [one for one in self._waiting if one not in self._said]
            if not found:
                found = _commands(self._ask(model, model.spec(), attempt))
            self._waiting.clear()
            for command in found:
                if command not in self._said:
                    self._said.add(command)
                    return ProposedCommand(command, others=self.left)
        yield Warned("the model has no other idea")
        return None

    def _alone(self, spec: ModelSpec, *, near: bool) -> SingleRequest:
        """The request and the facts it needs; the conversation stays out of it.

        A model that lives on examples always sees the pairs that are near.
        """
        near = near or bool(spec.examples)
        like = spec.like(self._request) if spec.like is not None and near else ()
        shown = (*spec.examples, *chosen_examples(like, self._around.has))
        known = self._known or MachineFacts()
        return SingleRequest(command_messages(self._request, known, shown), spec, LONGEST)

    def _ask(self, model: Model, spec: ModelSpec, attempt: Attempt) -> Reply:
        usual, proposing = spec.options, spec.proposing or {}
        options = {**proposing, **usual} if attempt.talking else {**usual, **proposing}
        prompt = self._alone(spec, near=attempt.near)
        asked = replace(spec, options={**options, **attempt.options})
        return self._mended(answer(model, asked, prompt, self._purpose))

    def _mended(self, reply: Reply) -> Reply:
        for command in _commands(reply)[:1]:
            better = mended(command, self._request)
            return replace(reply, text=reply.text.replace(command, better, 1))
        return reply

    def _against(self, reply: Reply) -> tuple[str, ...]:
        commands = _commands(reply)
        if not commands:
            return ("it is no command", "it is no command")
        return faults(commands[0], self._request, self._around)


def chosen_examples(
    like: Sequence[tuple[str, str]], has: Callable[[str], bool]
) -> list[tuple[str, str]]:
    """The few nearest whose program is here, the nearest last: next to the request."""
    found = [pair for pair in like if has(_program(pair[1]))]
    return found[:LIKE][::-1]


def _program(example: str) -> str:
    words = [word for word in example.split()[1:] if word != "sudo"]
    return words[0] if words else ""


def _commands(reply: Reply) -> list[str]:
    return [one.command for one in proposed_commands(reply.text, complete=reply.complete)]
