"""What requests are made from: the conversation, or an excerpt of it for another purpose."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import ceil
from typing import TYPE_CHECKING, Any

from aish.core.context.clamp import clamp_chars
from aish.core.context.counted import UNCOUNTED
from aish.core.context.eviction import Eviction, merged
from aish.core.context.tokens import count_messages, get_tokenizer
from aish.core.context.window import Context
from aish.core.errors import ContextOverflowError, Overflow
from aish.core.events import Event, Evicted, Replied, Warned
from aish.core.messages import Message, ModelSpec, Reply, Usage
from aish.engine.ports import Model

if TYPE_CHECKING:
    from aish.engine.notes import BackgroundNotes

LEAST = 20  # characters that say anything at all


class ConversationPrompt:
    """The conversation; the user hears once of the room made, however many steps it took."""

    def __init__(self, context: Context, model: Model, notes: BackgroundNotes | None) -> None:
        """Raises: ContextOverflowError, when even the newest exchange does not fit."""
        self._context = context
        self._notes = notes
        self._made: Eviction | None = None
        if notes is not None:
            notes.put(context)
        self._note(context.enforce_budget(model.count))

    def messages(self) -> list[Message]:
        return self._context.to_messages()

    def tools(self) -> Sequence[Mapping[str, Any]]:
        return self._context.tools

    def answer_tokens(self) -> int:
        return self._context.answer_tokens()

    def expected(self) -> int:
        return self._context.estimate_tokens()

    def shorten(self, refused: Overflow) -> None:
        self._note(self._context.recover(refused.prompt_tokens, refused.window))

    def news(self) -> Iterator[Event]:
        if self._made is not None:
            made, self._made = self._made, None
            yield Evicted(made)

    def _note(self, eviction: Eviction | None) -> None:
        if eviction is not None:
            if self._notes is not None:
                self._notes.take(self._context, eviction)
            self._made = merged(self._made, eviction)


def taken_in(reply: Reply, context: Context, *, counted: bool = True) -> Iterator[Event]:
    """The answer becomes part of the conversation.

    Not counted: it was asked without it, so that the server's count says nothing about it.
    """
    observed = context.observe(reply.usage if counted else Usage())
    context.add_assistant(reply.text, reply.tool_calls)
    yield Replied(reply, observed.estimated)
    if observed.warning:
        yield Warned(observed.warning)


class Excerpt:
    """An instruction around a text; of one that is too long, the two ends stay."""

    def __init__(self, text: str, say: Callable[[str], list[Message]], spec: ModelSpec) -> None:
        self._text = text
        self._say = say
        self._spec = spec

    def fit(self, model: Model) -> Excerpt:
        """The same, within the room by the server's count, or by ours and a margin.

        Raises: ContextOverflowError.
        """
        room = self._spec.window - self._spec.reserve
        while (need := self._tokens(model)) > room:
            self._keep(min(0.9, room / need), need)
        return self

    def messages(self) -> list[Message]:
        return self._say(self._text)

    def tools(self) -> Sequence[Mapping[str, Any]]:
        return ()

    def expected(self) -> int:
        return 0

    def answer_tokens(self) -> int:
        return self._spec.reserve

    def shorten(self, refused: Overflow) -> None:
        room = (refused.window or self._spec.window) - self._spec.reserve
        need = refused.prompt_tokens
        self._keep(min(0.9, room / need) if need > 0 else 0.5, need)

    def news(self) -> Iterator[Event]:
        return iter(())

    def _tokens(self, model: Model) -> int:
        ours = count_messages(self.messages(), get_tokenizer(self._spec.model))
        return model.count(self.messages()) or ceil(UNCOUNTED * ours)

    def _keep(self, share: float, need: int) -> None:
        size = int(len(self._text) * max(share, 0.1))
        if size < LEAST:
            have = self._spec.window - self._spec.reserve
            raise too_small(self._spec, "choose a larger model for it", need, have)
        self._text = clamp_chars(self._text, size)


def too_small(spec: ModelSpec, hint: str, need: int, have: int) -> ContextOverflowError:
    """A model to whom no conversation can be shown."""
    told = f"the window of {spec.name} is too small to read a conversation"
    return ContextOverflowError(told, hint, need=need, have=have, breakdown={})
