"""What is known of long stretches of a program's messages, so that a long history is read once.

A function that is given the whole history at every call would look at all of it each time, only to
find the few turns that are the user's. Stretches of fixed size are remembered by their messages.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter
from typing import Any

from aish.core.context.incoming import role_of
from aish.core.context.laid_down import lays_down
from aish.core.context.log import text_of

SIZE = 256  # messages
MODELS = frozenset(("assistant", "tool", "function"))
_MOST = 512  # stretches remembered
_ROLE = itemgetter("role")

Role = Callable[[int], str]  # the role of the message at an index


class Stretch:
    """Some messages in a row: which are the user's, and which of those lay something down."""

    __slots__ = ("_ruling", "messages", "users")

    def __init__(self, messages: Sequence[Any], users: tuple[int, ...]) -> None:
        self.messages = messages
        self.users = users
        self._ruling: tuple[int, ...] | None = None

    @property
    def ruling(self) -> tuple[int, ...]:
        """The user's turns with a rule, a correction or a goal in them."""
        if self._ruling is None:
            self._ruling = tuple(at for at in self.users if _rules(self.messages[at]))
        return self._ruling


# The library's functions have no object to keep it in, so it is the process's. Threads may share
# it: at worst two of them read the same stretch.
_known: dict[tuple[int, int], Stretch] = {}


def stretch_at(given: Sequence[Any], start: int, role: Role) -> Stretch:
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


def users_among(piece: Sequence[Any], role: Role) -> tuple[int, ...]:
    """Where the user's turns are among some messages."""
    try:
        roles = list(map(_ROLE, piece))
    except (TypeError, KeyError, IndexError):  # objects
        roles = [role(at) for at in range(len(piece))]
    if MODELS.issuperset(roles):
        return ()
    return tuple(at for at, one in enumerate(roles) if one not in MODELS)


def _rules(message: Any) -> bool:
    if role_of(message) in ("system", "developer"):
        return False
    content = message.get("content") if isinstance(message, Mapping) else message.content
    return lays_down(text_of(content).strip())
