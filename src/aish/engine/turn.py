"""One question, in one direction: from the user's words to the last command it led to."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import closing

from aish.core.actions import ProposedCommand, proposed_commands
from aish.core.context.eviction import Eviction, merged
from aish.core.context.settings import Route
from aish.core.context.tokens import get_tokenizer
from aish.core.context.window import Context
from aish.core.errors import AishError, Overflow
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
    Warned,
)
from aish.core.messages import Delta, ExecResult, ModelSpec, Reply, Request, Usage
from aish.engine.ports import Approver, FallsBack, Model, Routes, Shell

RECOVERIES = 2  # times a request is made to fit after the server said that it does not

Summarise = Callable[[str, Eviction], str | None]  # better notes than the digest, or None


def run_turn(
    text: str,
    context: Context,
    model: Model,
    approver: Approver,
    shell: Shell,
    *,
    summarise: Summarise | None = None,
) -> Generator[Event, None, None]:
    """Ask the model and act on what it proposes, as a stream of events."""
    if isinstance(model, Routes):
        model = model.for_question(text, context)
    reply = yield from ask(text, context, model, summarise)
    if reply is not None and reply.finish != "interrupted":
        yield from act(reply, context, model, approver, shell)


def ask(
    text: str, context: Context, model: Model, summarise: Summarise | None = None
) -> Generator[Event, None, Reply | None]:
    """The question and its answer; on failure the conversation is as before, and None returned."""
    context.add_user(text)
    try:
        reply = yield from _asked(context, model, summarise)
    except AishError as error:
        context.rollback()
        yield RolledBack(error)
        return None
    except BaseException:  # Ctrl-C before anything arrived, or the consumer is gone
        context.rollback()
        raise
    observed = context.observe(reply.usage)
    context.add_assistant(reply.text, reply.tool_calls)
    yield Replied(reply, observed.estimated)
    if observed.warning:
        yield Warned(observed.warning)
    return reply


def _asked(
    context: Context, model: Model, summarise: Summarise | None
) -> Generator[Event, None, Reply]:
    """The answer of the model, or of the one it falls back to; the question is told once."""
    told = False
    while True:
        try:
            spec = model.spec()
            context.use(route_for(spec))
            if not told:
                told = True
                yield Asked(context.log.entries[-1].turn, spec)
            return (yield from _answer(spec, context, model, summarise))
        except AishError as error:
            notice = model.fall_back(error) if isinstance(model, FallsBack) else ""
            if not notice:
                raise
        yield Warned(notice)


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
        examples=spec.examples,
    )


def _answer(
    spec: ModelSpec, context: Context, model: Model, summarise: Summarise | None
) -> Generator[Event, None, Reply]:
    """Fit the request and send it; what the server says about lengths is taken at its word."""
    room = _Room(context, model, summarise)
    most = spec.reserve
    for attempt in range(RECOVERIES + 1):
        most = min(most, context.answer_tokens())
        request = Request(spec, tuple(context.to_messages()), most)
        try:
            return (yield from _stream(request, model, room))
        except Overflow as refused:
            if attempt == RECOVERIES:
                yield from room.report()
                raise
            if refused.of_answer:
                known = refused.window - refused.prompt_tokens if refused.window else 0
                most = max(1, known if known > 0 else most // 2)
            else:
                room.recover(refused)
    raise AssertionError("unreachable")


class _Room:
    """The room made for one question; the user hears of it once, however many steps it took."""

    def __init__(self, context: Context, model: Model, summarise: Summarise | None) -> None:
        self._context = context
        self._summarise = summarise
        self._made: Eviction | None = None
        self._note(context.enforce_budget(model.count))

    def recover(self, refused: Overflow) -> None:
        self._note(self._context.recover(refused.prompt_tokens, refused.window))

    def report(self) -> Iterator[Event]:
        if self._made is not None:
            made, self._made = self._made, None
            yield Evicted(made)

    def _note(self, eviction: Eviction | None) -> None:
        if eviction is None:
            return
        if self._summarise is not None and eviction.dropped:
            notes = self._summarise(eviction.prior_summary, eviction)
            if notes:
                self._context.set_summary(notes)
        self._made = merged(self._made, eviction)


def _stream(request: Request, model: Model, room: _Room) -> Generator[Event, None, Reply]:
    """Pass the deltas on and add them up; Ctrl-C keeps what had arrived."""
    text: list[str] = []
    usage, finish, name = Usage(), "stop", request.spec.model
    deltas = model.stream(request)
    try:
        with closing(deltas):
            for delta in deltas:
                yield from room.report()
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


def act(
    reply: Reply, context: Context, model: Model, approver: Approver, shell: Shell
) -> Generator[Event, None, None]:
    """Offer each proposed command; run what is approved, keep its output for the next question."""
    proposals = proposed_commands(reply.text, complete=reply.complete)
    for position, proposal in enumerate(proposals):
        yield Proposed(proposal)
        decision = approver.approve(proposal)
        while decision.choice == "explain":
            yield from ask(
                f"Explain briefly what this command does:\n{proposal.command}", context, model
            )
            decision = approver.approve(proposal)
        if decision.choice == "run":
            yield from _run(decision.command, proposal, context, shell)
            continue
        yield Declined(proposal)
        if decision.choice in ("edit", "stop"):
            for rest in proposals[position + 1 :]:
                yield Declined(rest)
            return


def _run(
    command: str, proposal: ProposedCommand, context: Context, shell: Shell
) -> Iterator[Event]:
    yield Approved(command)
    # In the background the shell itself says when it ends, as for any job.
    result = shell.run(f"{{ {command}\n}} &" if proposal.background else command)
    context.add_exec_output(exec_block(result))
    yield Ran(result)


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
