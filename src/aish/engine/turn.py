"""One question, in one direction: from the user's words to the last command it led to."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from aish.core.actions import ProposedCommand, offered_commands
from aish.core.attachments import Enclosed
from aish.core.context.settings import Route
from aish.core.context.tokens import get_tokenizer
from aish.core.context.window import Context
from aish.core.errors import AishError
from aish.core.events import (
    Approved,
    Asked,
    Declined,
    Event,
    FellBack,
    Planned,
    Proposed,
    Ran,
    RolledBack,
    Stopped,
    Warned,
)
from aish.core.messages import ModelSpec, Reply
from aish.core.output_blocks import exec_block
from aish.core.proposal.job import request_in
from aish.core.provenance import sources
from aish.engine.calling import call_for
from aish.engine.ports import Approver, Decision, Model, Shell, Tools, Tries
from aish.engine.prompts import ConversationPrompt, taken_in
from aish.engine.proposing import Around, Proposals, WordsPrompt
from aish.engine.step import step
from aish.engine.tool_loop import follow_calls, offer

if TYPE_CHECKING:
    from aish.engine.notes import BackgroundNotes


def run_turn(
    text: str,
    context: Context,
    model: Model,
    approver: Approver,
    shell: Shell,
    *,
    notes: BackgroundNotes | None = None,
    tools: Tools | None = None,
    enclosed: Enclosed | None = None,
    around: Around | None = None,
) -> Generator[Event, None, None]:
    """Ask the model and act on what it proposes, as a stream of events."""
    offer(context, tools)  # none are taken back too: a server may be gone
    if tools is not None:
        tools.begin()
    request = request_in(text)
    wanted = Proposals(request, around) if around and request else None
    reply = yield from ask(text, context, model, notes, enclosed, proposals=wanted, tools=tools)
    if reply is not None and tools is not None:
        reply = yield from follow_calls(reply, context, model, tools, notes)
    if reply is not None and reply.finish != "interrupted":
        yield from act(reply, context, model, approver, shell, others=wanted)


def ask(
    text: str,
    context: Context,
    model: Model,
    notes: BackgroundNotes | None = None,
    enclosed: Enclosed | None = None,
    *,
    proposals: Proposals | None = None,
    tools: Tools | None = None,
) -> Generator[Event, None, Reply | None]:
    """The question and its answer; on failure the conversation is as before, and None returned."""
    with_it = enclosed or Enclosed()
    context.add_user(text, with_it.text, with_it.pictures)
    try:
        reply, alone = yield from _asked(
            text, context, model, notes, proposals=proposals, tools=tools
        )
    except AishError as error:
        context.rollback()
        yield RolledBack(error)
        return None
    except KeyboardInterrupt:  # before anything arrived
        context.rollback()
        yield Stopped(kept=False)
        return None
    except BaseException:  # the consumer is gone
        context.rollback()
        raise
    yield from taken_in(reply, context, counted=not alone)
    return reply


def _asked(
    text: str,
    context: Context,
    model: Model,
    notes: BackgroundNotes | None,
    *,
    proposals: Proposals | None,
    tools: Tools | None,
) -> Generator[Event, None, tuple[Reply, bool]]:
    """The answer of the model, or of the one it falls back to; the question is told once.

    With it comes whether the request was asked alone, without the conversation.
    """
    told = False
    while True:
        try:
            spec = model.spec()
            context.use(route_for(spec))
            if not told:
                told = True
                yield Asked(context.log.entries[-1].turn, spec)
            if spec.calls_by_grammar:
                offer(context, None)
                if (called := call_for(text, tools, model, spec)) is not None:
                    return called, True
            if proposals is not None and spec.proposing is not None:
                shown = context.log.entries[-1].turn.content.removesuffix(text)
                return (yield from proposals.first(model, spec, shown)), True
            kind = ConversationPrompt if spec.proposing is None else WordsPrompt
            prompt = kind(context, model, notes)
            return (yield from step(model, spec, prompt)), False
        except AishError as error:
            notice = model.fall_back(error)
            if not notice:
                raise
        yield FellBack(notice)


def route_for(spec: ModelSpec) -> Route:
    """How this model sees the conversation."""
    return Route(
        key=spec.name,
        window=spec.window,
        reserve=spec.reserve,
        tokenizer=get_tokenizer(spec.model),
        token_budget=spec.token_budget,
        tool_role=spec.tool_role,
        compress=spec.compress,
        # A model with a way of its own to propose commands has examples of those alone.
        examples=spec.examples if spec.proposing is None else (),
    )


def act(
    reply: Reply,
    context: Context,
    model: Model,
    approver: Approver,
    shell: Shell,
    *,
    others: Proposals | None = None,
) -> Generator[Event, None, None]:
    """Offer each proposed command; run what is approved, keep its output for the next question."""
    after = sources([entry.turn for entry in context.log.entries])
    proposals = offered_commands(reply.text, complete=reply.complete)
    for position, offered in enumerate(proposals):
        proposal = replace(offered, others=others.left if others else 0, after=after)
        yield Proposed(proposal)
        decision = approver.approve(proposal)
        while decision.choice in ("explain", "other"):
            if decision.choice == "explain":
                yield from _explained(proposal, context, model)
            elif others is not None:
                proposal = yield from _another(others, proposal, model)
            decision = approver.approve(proposal)
        if decision.choice == "try" and not isinstance(shell, Tries):
            yield Warned("nothing can be tried here, so it does not run")
            decision = Decision("skip")
        if decision.choice == "plan":
            yield Planned(proposal.command, decision.verdict, decision.reason)
            continue
        if decision.choice in ("run", "try"):
            yield from _run(decision, proposal, context, shell)
            continue
        yield Declined(proposal)
        if decision.choice in ("edit", "stop"):
            for rest in proposals[position + 1 :]:
                yield Declined(rest)
            return


def _explained(
    proposal: ProposedCommand, context: Context, model: Model
) -> Generator[Event, None, None]:
    yield from ask(f"Explain briefly what this command does:\n{proposal.command}", context, model)


def _another(
    others: Proposals, proposal: ProposedCommand, model: Model
) -> Generator[Event, None, ProposedCommand]:
    """The next command line, or the same one again where there is none."""
    try:
        other = yield from others.another(model)
    except AishError as error:
        yield Warned(error.message)
        other = None
    if other is None:
        return replace(proposal, others=others.left)
    other = replace(other, after=proposal.after)
    yield Proposed(other)
    return other


def _run(
    decision: Decision, proposal: ProposedCommand, context: Context, shell: Shell
) -> Iterator[Event]:
    command = decision.command
    yield Approved(command, decision.directory, decision.verdict)
    if decision.choice == "try":
        assert isinstance(shell, Tries)  # noqa: S101  (else it was declined)
        ran = shell.tried(command)
    else:  # in the background the shell itself says when it ends, as for any job
        ran = shell.run(f"{{ {command}\n}} &" if proposal.background else command)
    result = replace(ran, command=command)  # what was approved, whatever the shell needed around it
    context.add_exec_output(exec_block(result))
    yield Ran(result, by="ai")
