"""What the prompt needs from what outlives it (the journal, the memory), and the user's answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from aish.core.memory import Candidate, MemoryItem
    from aish.core.messages import Reply
    from aish.store.memory_file import Added
    from aish.store.sessions import Session, Sessions


class Journal(Protocol):
    """The conversation under way as it is written down, and all the others."""

    @property
    def sessions(self) -> Sessions: ...

    @property
    def id(self) -> str:
        """This conversation's; empty while nothing of it is written."""
        ...

    def summarized(self, reply: Reply) -> None:
        """An answer in which the model read the journal; it is never read again."""
        ...

    def read(self) -> Session:
        """This conversation as it stands on the disk.

        Raises: UsageError, when there is nothing yet; StoreError.
        """
        ...

    def save(self, name: str) -> None:
        """Raises: UsageError for a name that is none or is taken; StoreError."""
        ...

    def fork(self) -> str:
        """Go on in a copy; returns the id of the one left behind.

        Raises: UsageError, when there is nothing yet; StoreError.
        """
        ...


class Memories(Protocol):
    """What is remembered across sessions. Anything that writes may raise Locked or StoreError."""

    def items(self) -> Sequence[MemoryItem]:
        """Everything remembered, the newest first."""
        ...

    def in_prompt(self) -> frozenset[int]:
        """The ids of the items that are in the prompt."""
        ...

    def add(self, kind: str, content: str, *, here: bool = False, source: str = "") -> Added: ...

    def forget(self, *ids: int) -> list[MemoryItem]: ...

    def edit(self, wanted: int, content: str) -> Added: ...

    def clear(self) -> int: ...

    def inject(self) -> int:
        """Choose anew with the next question; returns how many items there are."""
        ...

    def why(self, wanted: int) -> str: ...

    def propose(
        self, records: Sequence[dict[str, Any]], heard: Callable[[Reply], None]
    ) -> list[Candidate]:
        """What a model finds worth remembering in a conversation, and is not remembered yet.

        Raises: AishError.
        """
        ...


class Answers(Protocol):
    """The user's answers to short questions."""

    def choose(self, question: str, keys: str) -> str:
        """The key pressed, one of `keys`; empty for Enter, Escape, Ctrl-C and Ctrl-D."""
        ...

    def edited(self, text: str) -> str:
        """The text as the user leaves it; empty when the editing is given up."""
        ...
