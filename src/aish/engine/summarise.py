"""Notes on what left the prompt, written by a model: never over its window, never in the way."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import closing

from aish.core.context.eviction import Eviction
from aish.core.context.summary import summarise
from aish.core.context.tokens import get_tokenizer
from aish.core.context.window import Context
from aish.core.errors import AishError
from aish.core.messages import Delta, Message, ModelSpec, Reply, Request
from aish.engine.notes import BackgroundNotes, IsStopped
from aish.engine.ports import Model
from aish.engine.prompts import Excerpt
from aish.engine.step import answer

PURPOSE = "summary"
Summariser = Callable[[str, Eviction], str | None]


class GivenUp(AishError):
    """A question came while the notes were being written."""


class _Stoppable:
    """A model whose answer is dropped, with its connection, as soon as somebody says so."""

    def __init__(self, model: Model, stopped: IsStopped) -> None:
        self._model = model
        self._stopped = stopped
        self.spec, self.count, self.fall_back = model.spec, model.count, model.fall_back

    def stream(self, request: Request) -> Generator[Delta, None, None]:
        """Raises: GivenUp, BrokerError."""
        with closing(self._model.stream(request)) as deltas:
            while not self._stopped():
                delta = next(deltas, None)
                if delta is None:
                    return
                yield delta
        raise GivenUp("the notes were given up for a question")


def summariser(model: Model, max_chars: int, stopped: IsStopped = lambda: False) -> Summariser:
    """What writes better notes; None from it means that the digest stays."""

    def notes_on(prior: str, eviction: Eviction) -> str | None:
        try:
            stoppable = _Stoppable(model, stopped)
            return _notes(stoppable, model.spec(), prior, eviction, max_chars)
        except AishError:
            return None  # the question matters more than the notes on older ones

    return notes_on


def compact(context: Context, notes: BackgroundNotes | None) -> Eviction | None:
    """Make room now, with the notes a question's cut would get.

    Raises: ContextOverflowError when even the newest exchange does not fit.
    """
    eviction = context.compact()
    if eviction is not None and notes is not None:
        notes.take(context, eviction)
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
