"""Notes on what left the prompt, written by a model: never over its window, never in the way."""

from __future__ import annotations

from contextlib import closing
from math import ceil

from aish.core.context.eviction import Eviction
from aish.core.context.summary import summarise
from aish.core.context.tokens import count_messages, get_tokenizer
from aish.core.context.window import Context
from aish.core.errors import AishError
from aish.core.messages import Message, ModelSpec, Reply, Request, Usage
from aish.engine.ports import Model
from aish.engine.turn import Summarise

PURPOSE = "summary"
_UNCOUNTED = 1.25  # a server that does not count may find this much more than we do
_TRIES = 2


class _TooLong(Exception):
    """A request would not fit; `factor` is how much more its model counts than we do."""

    def __init__(self, factor: float) -> None:
        super().__init__(factor)
        self.factor = factor


def summariser(model: Model, max_chars: int) -> Summarise:
    """What `run_turn` asks for better notes; None from it means that the digest stays."""

    def write_notes(prior: str, eviction: Eviction) -> str | None:
        try:
            return _notes(model, model.spec(), prior, eviction, max_chars)
        except AishError:
            return None  # the question matters more than the notes on older ones

    return write_notes


def compact(context: Context, summarise: Summarise | None) -> Eviction | None:
    """Make room now, with the notes a question's cut would get.

    Raises: ContextOverflowError when even the newest exchange does not fit.
    """
    eviction = context.compact()
    if eviction is not None and eviction.dropped and summarise is not None:
        notes = summarise(eviction.prior_summary, eviction)
        if notes:
            context.set_summary(notes)
    return eviction


def _notes(
    model: Model, spec: ModelSpec, prior: str, eviction: Eviction, max_chars: int
) -> str | None:
    """Raises: AishError."""
    room, factor = spec.window - spec.reserve, 1.0
    for _ in range(_TRIES):
        try:
            return summarise(
                prior or None,
                eviction.dropped,
                lambda messages: _ask(model, spec, messages),
                window=int(room / factor),
                reserve=0,
                tokenizer=get_tokenizer(spec.model),
                max_chars=max_chars,
            )
        except _TooLong as too_long:
            factor = too_long.factor
    return None


def _ask(model: Model, spec: ModelSpec, messages: list[Message]) -> Reply:
    """One request for notes.

    Raises: AishError, _TooLong.
    """
    ours = count_messages(messages, get_tokenizer(spec.model))
    real = model.count(messages) or ceil(_UNCOUNTED * ours)
    if real > spec.window - spec.reserve:
        raise _TooLong(1.02 * real / ours)
    request = Request(spec, tuple(messages), spec.reserve, purpose=PURPOSE)
    text: list[str] = []
    usage, finish = Usage(), "stop"
    with closing(model.stream(request)) as deltas:
        for delta in deltas:
            text.append(delta.text)
            usage, finish = delta.usage or usage, delta.finish or finish
    return Reply("".join(text), usage=usage, finish=finish, model=spec.model)
