"""Finding what is worth remembering in a conversation, with a model, within its window."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from aish.core.context.payload import neutralise
from aish.core.context.tokens import count_messages, get_tokenizer
from aish.core.memory import SUMMARIZE_PROMPT, Candidate, candidates
from aish.core.messages import Message, ModelSpec, Reply
from aish.core.transcript import for_summary
from aish.engine.ports import Model
from aish.engine.prompts import LEAST, Excerpt, too_small
from aish.engine.step import answer

PURPOSE = "memory"
SPAN = 64 * 1024  # characters of the conversation's newest part that are read
MOST_WINDOWS = 8  # requests that reading it may take
MARGIN = 0.9  # of the room: the count is an estimate


def extract(
    records: Sequence[dict[str, Any]], model: Model, heard: Callable[[Reply], None]
) -> Iterator[Candidate]:
    """Candidates, the newest part's first; `heard` gets every answer as it came.

    Raises: AishError.
    """
    text = neutralise(for_summary(records, SPAN))
    if not text.strip():
        return
    spec = model.spec()
    for window in windows(text, spec):
        reply = answer(model, spec, Excerpt(window, messages, spec), PURPOSE)
        heard(reply)
        # A line cut short is no candidate.
        whole = reply.text if reply.complete else reply.text.rpartition("\n")[0]
        yield from candidates(whole)


def windows(text: str, spec: ModelSpec) -> list[str]:
    """The text in pieces that each fit a request, the newest first.

    Raises: ContextOverflowError, when not even the instruction fits.
    """
    left = spec.window - spec.reserve
    room = int(min(left, spec.token_budget or left) * MARGIN)
    tokenizer = get_tokenizer(spec.model)
    found: list[str] = []
    while text and len(found) < MOST_WINDOWS:
        piece = text[-max(1, room * 4) :]
        while (need := count_messages(messages(piece), tokenizer)) > room:
            if len(piece) < LEAST:
                hint = "set memory.summarizer_model to a larger model"
                raise too_small(spec, hint, need, room)
            piece = piece[len(piece) // 6 :]
        found.append(piece)
        text = text[: -len(piece)]
    return found


def messages(piece: str) -> list[Message]:
    """One request; the instruction stands on both sides, as small models forget the first."""
    end = "Now list what is worth remembering, one per line, as fact:, pref: or context: lines."
    content = f"{SUMMARIZE_PROMPT}\n\n<transcript>\n{piece}\n</transcript>\n\n{end}"
    return [{"role": "user", "content": content}]
