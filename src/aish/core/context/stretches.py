"""What is known of long stretches of a program's messages, so that a long history is read once.

A function that is given the whole history at every call would look at all of it each time, only to
find the few turns that are the user's. Stretches of fixed size are remembered by their messages.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter
from typing import Any

from aish.core.context.incoming import role_of
from aish.core.context.laid_down import is_question
from aish.core.context.laid_down import weight as weight_of
from aish.core.context.log import text_of

SIZE = 256  # messages
MODELS = frozenset(("assistant", "tool", "function"))
_MOST = 512  # stretches remembered
_ROLE = itemgetter("role")

RoleAt = Callable[[int], str]  # the role of the message at an index


class Stretch:
    """Some messages in a row: which are the user's, and which of those lay something down."""

    __slots__ = ("_weights", "messages", "users")

    def __init__(self, messages: Sequence[Any], users: tuple[int, ...]) -> None:
        self.messages = messages
        self.users = users
        self._weights: tuple[int, ...] | None = None

    def weighing(self, weight: int) -> tuple[int, ...]:
        """The user's turns with a statement or an answer (1), or with a rule or a goal (2)."""
        if self._weights is None:
            self._weights = tuple(
                _weight(self.messages[at]) or _answers(self.messages, at) for at in self.users
            )
        return tuple(at for at, one in zip(self.users, self._weights, strict=True) if one == weight)


# The library's functions have no object to keep it in, so it is the process's. Threads may share
# it: at worst two of them read the same stretch.
_known: dict[tuple[int, int], Stretch] = {}


def stretch_at(given: Sequence[Any], start: int, role: RoleAt) -> Stretch:
    """The stretch of `SIZE` messages from `start`, read now or known from an earlier call."""
    piece = given[start : start + SIZE]
    key = (start, id(piece[0]))
    known = _known.get(key)
    if known is not None and known.messages[-1] is piece[-1] and known.messages == piece:
        return known
    if len(_known) >= _MOST:
        _known.clear()
    users = users_among(piece, lambda at: role(start + at))
    found = _known[key] = Stretch(piece, users)
    return found


def users_among(piece: Sequence[Any], role: RoleAt) -> tuple[int, ...]:
    """Where the user's turns are among some messages."""
    try:
        roles = list(map(_ROLE, piece))
    except (TypeError, KeyError, IndexError):  # objects
        roles = [role(at) for at in range(len(piece))]
    if MODELS.issuperset(roles):
        return ()
    return tuple(at for at, one in enumerate(roles) if one not in MODELS)


def _weight(message: Any) -> int:
    return 0 if role_of(message) in ("system", "developer") else weight_of(_said(message).strip())


def _answers(messages: Sequence[Any], at: int) -> int:
    """1 where the message before a user's turn asks something."""
    before = messages[at - 1] if at else None
    asked = before is not None and role_of(before) == "assistant" and is_question(_said(before))
    return int(asked)


def _said(message: Any) -> str:
    found = isinstance(message, Mapping)
    return text_of(message.get("content") if found else getattr(message, "content", None))
