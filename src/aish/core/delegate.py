"""Lines of an answer that ask another model: `DELEGATE: <preset> "<prompt>"`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from aish.core.spoken import spoken_lines
from aish.core.unseen import visible
from aish.core.values import dataclass

MOST = 3  # delegations of one answer that are put to the user
_BEGINNING = "DELEGATE: "
_LINE = re.compile(
    _BEGINNING + r"(?P<preset>[\w.:/-]+)[ \t]+"
    # Up to the last quote of the line: models write 'what's wrong?' and "is "x" right?".
    r"""(?:"(?P<double>(?:[^\\]|\\.)*)"|'(?P<single>(?:[^\\]|\\.)*)')[ \t]*$"""
)
_ESCAPE = re.compile(r"\\(.)")
_MEANT = {"n": "\n", "t": "\t"}


@dataclass(frozen=True, slots=True)
class Delegation:
    """A question for another preset."""

    preset: str
    prompt: str


_OFFER = (
    "Where another model's view is worth more than your own, ask it by one line of its own: "
    'DELEGATE: NAME "the whole question". The user is asked first, and its answer comes with the '
    "next message. NAME is one of: {names}."
)


def offer(names: Sequence[str]) -> str:
    """What a model is told of those it may ask; nothing where there are none."""
    return _OFFER.format(names=", ".join(names)) if names else ""


def delegation_in_line(line: str) -> Delegation | None:
    """The delegation a complete line makes, if it makes one with something to ask.

    What nobody can see is no part of it: the user's yes is for what is shown.
    """
    found = _LINE.match(line)
    if found is None:
        return None
    quoted = found["double"] if found["double"] is not None else found["single"]
    prompt = visible(_ESCAPE.sub(lambda escape: _MEANT.get(escape[1], escape[1]), quoted))
    return Delegation(found["preset"], prompt) if prompt.strip() else None


def delegations(answer: str, *, complete: bool) -> list[Delegation]:
    """Every delegation of an answer; the last line counts only if the answer is complete."""
    if _BEGINNING not in answer:
        return []
    found = map(delegation_in_line, spoken_lines(answer, complete=complete))
    return [delegation for delegation in found if delegation]
