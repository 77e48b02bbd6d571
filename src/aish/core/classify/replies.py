"""A lone yes or no after a question of the model's: a reply, though there is a program `yes`."""

from __future__ import annotations

from aish.core.classify.decide import Classification
from aish.core.classify.known import CommandNames
from aish.core.spoken import without_thinking

_REPLIES = frozenset({"yes", "y", "no", "n", "ok", "okay", "sure"})
_CLOSING = "\"'*_)`”’ \n"  # what may follow the question mark


def ends_with_question(answer: str) -> bool:
    """Whether an answer leaves the user with a question."""
    return without_thinking(answer).rstrip().rstrip(_CLOSING).endswith("?")


def as_reply(line: str, known: CommandNames) -> Classification | None:
    """The line as a reply, where it is nothing but one; a guess, so that the prompt says so.

    What the user has named so himself stays his.
    """
    word = line.strip().rstrip(".!").lower()
    if word not in _REPLIES or known.kind_of(line.strip()) in ("alias", "function"):
        return None
    return Classification("ask", "a reply to the model", line, 1.0)
