"""One question, in one direction: from the user's words to the last command it led to."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import closing

from aish.core.actions import proposed_commands
from aish.core.context import Context
from aish.core.errors import AishError
from aish.core.events import (
    Approved,
    Asked,
    Declined,
    Event,
    Evicted,
    Proposed,
    Ran,
    Replied,
    RolledBack,
    Said,
    Thinking,
)
from aish.core.messages import Delta, ExecResult, Reply, Request, Usage
from aish.core.prompt import examples_cost, with_examples
from aish.engine.ports import Approver, Model, Shell


def run_turn(
    text: str, context: Context, model: Model, approver: Approver, shell: Shell
) -> Generator[Event, None, None]:
    """Ask the model and act on what it proposes, as a stream of events."""
    reply = yield from ask(text, context, model)
    if reply is not None and reply.finish != "interrupted":
        yield from act(reply, context, approver, shell)


def ask(text: str, context: Context, model: Model) -> Generator[Event, None, Reply | None]:
    """The question and its answer; on failure the conversation is as before, and None returned."""
    turn = context.add_user(text)
    try:
        spec = model.spec()
        yield Asked(turn, spec)
        budget = spec.window - spec.reserve - examples_cost(spec.examples)
        if eviction := context.enforce_budget(budget):
            yield Evicted(eviction)
        messages = with_examples(context.to_messages(), spec.examples)
        request = Request(spec, messages, spec.reserve)
        reply = yield from _stream(request, model)
    except AishError as error:
        context.rollback()
        yield RolledBack(error)
        return None
    except BaseException:  # Ctrl-C before anything arrived, or the consumer is gone
        context.rollback()
        raise
    context.add_assistant(reply.text, reply.tool_calls)
    yield Replied(reply)
    return reply


def _stream(request: Request, model: Model) -> Generator[Event, None, Reply]:
    """Pass the deltas on and add them up; Ctrl-C keeps what had arrived."""
    text: list[str] = []
    usage, finish, name = Usage(), "stop", request.spec.model
    deltas = model.stream(request)
    try:
        with closing(deltas):
            for delta in deltas:
                if delta.text:
                    text.append(delta.text)
                usage = delta.usage or usage
                finish = delta.finish or finish
                name = delta.model or name
                yield from _shown(delta)
    except KeyboardInterrupt:
        if not text:
            raise
        finish = "interrupted"
    return Reply("".join(text), usage=usage, finish=finish, model=name)


def _shown(delta: Delta) -> Iterator[Event]:
    if delta.reasoning:
        yield Thinking(delta.reasoning)
    if delta.text:
        yield Said(delta.text)


def act(reply: Reply, context: Context, approver: Approver, shell: Shell) -> Iterator[Event]:
    """Offer each proposed command; run what is approved, keep its output for the next question."""
    proposals = proposed_commands(reply.text, complete=reply.complete)
    for position, proposal in enumerate(proposals):
        yield Proposed(proposal)
        decision = approver.approve(proposal)
        if decision.choice == "run":
            yield Approved(decision.command)
            result = shell.run(decision.command)
            context.add_exec_output(exec_block(result))
            yield Ran(result)
            continue
        yield Declined(proposal)
        if decision.choice in ("edit", "stop"):
            for rest in proposals[position + 1 :]:
                yield Declined(rest)
            return


def exec_block(result: ExecResult) -> str:
    """A command and its output, as the model gets to see them."""
    status = f"\n[exit status {result.status}]" if result.status else ""
    return f"$ {result.command}\n{result.output.rstrip()}{status}"


def play(events: Generator[Event, None, None], *consumers: Callable[[Event], None]) -> bool:
    """Hand every event to its consumers in order; True unless the question was rolled back.

    Ctrl-C while a consumer is at work belongs to the question, so it is thrown into it there.
    """
    answered = True
    with closing(events):
        try:
            event = next(events)
            while True:
                answered = answered and not isinstance(event, RolledBack)
                try:
                    for consume in consumers:
                        consume(event)
                except KeyboardInterrupt as interrupt:
                    event = events.throw(interrupt)
                else:
                    event = next(events)
        except StopIteration:
            return answered
