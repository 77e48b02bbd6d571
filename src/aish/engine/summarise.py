"""Notes on what left the prompt, written by a model: never over its window, never in the way."""

from __future__ import annotations

from aish.core.context.eviction import Eviction
from aish.core.context.summary import summarise
from aish.core.context.tokens import get_tokenizer
from aish.core.context.window import Context
from aish.core.errors import AishError
from aish.core.messages import Message, ModelSpec, Reply
from aish.engine.ports import Model
from aish.engine.prompts import Excerpt, Summarise, write_notes
from aish.engine.step import answer

PURPOSE = "summary"


def summariser(model: Model, max_chars: int) -> Summarise:
    """What `run_turn` asks for better notes; None from it means that the digest stays."""

    def notes_on(prior: str, eviction: Eviction) -> str | None:
        try:
            return _notes(model, model.spec(), prior, eviction, max_chars)
        except AishError:
            return None  # the question matters more than the notes on older ones

    return notes_on


def compact(context: Context, summarise: Summarise | None) -> Eviction | None:
    """Make room now, with the notes a question's cut would get.

    Raises: ContextOverflowError when even the newest exchange does not fit.
    """
    eviction = context.compact()
    if eviction is not None:
        write_notes(context, eviction, summarise)
    return eviction


def _notes(
    model: Model, spec: ModelSpec, prior: str, eviction: Eviction, max_chars: int
) -> str | None:
    """Raises: AishError."""

    def ask(messages: list[Message]) -> Reply:
        first, last = messages
        excerpt = Excerpt(str(last["content"]), lambda text: [first, _user(text)], spec)
        return answer(model, spec, excerpt.fit(model), PURPOSE)

    return summarise(
        prior or None,
        eviction.dropped,
        ask,
        window=spec.window,
        reserve=spec.reserve,
        tokenizer=get_tokenizer(spec.model),
        max_chars=max_chars,
    )


def _user(text: str) -> Message:
    return {"role": "user", "content": text}
