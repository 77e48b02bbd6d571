"""The memory of one sitting: chosen with its first question, changed only by the user."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aish.config.places import project_of
from aish.core.errors import StoreError, UsageError

if TYPE_CHECKING:
    from aish.core.located import Located
    from aish.core.mask import Mask
    from aish.core.memory import Candidate, MemoryItem, Selection
    from aish.core.messages import Reply
    from aish.core.user import User
    from aish.engine.ports import NamedModels
    from aish.store.memory_file import Added, MemoryFile

LEFT_OUT = "a secret was left out of it"


def kept_project(directory: str, mask: Mask) -> str:
    """The project of a directory, as it is kept with what is meant for it alone.

    Raises: UsageError, where its name holds a secret: without that it would not be found again.
    """
    project = project_of(directory)
    if mask.without_secrets(project) != project:
        raise UsageError("the path of this project holds a secret", "remember it for everywhere")
    return project


class Remembering:
    """The memory file and what of it is in the prompt; nothing is read before it is needed."""

    def __init__(
        self,
        path: Path,
        *,
        models: NamedModels,
        place: Located,
        mask: Mask,
        user: User,
        max_chars: int = 2000,
        prune_days: float = 0.0,
        summarizer: str = "",
    ) -> None:
        self._path = path
        self._models = models
        self._place = place
        self._mask = mask
        self._user = user
        self._max_chars = max_chars
        self._prune_days = prune_days
        self._summarizer = summarizer
        self._selection: Selection | None = None

    @cached_property
    def file(self) -> MemoryFile:
        from aish.store.memory_file import MemoryFile

        return MemoryFile(self._path)

    def background(self, question: str) -> str:
        """The block; a memory that cannot be read is said, and the question goes on without."""
        if self._selection is None:
            if not os.path.lexists(self._path):  # a link to nothing is told of
                return ""
            try:
                self._prune()
                self._selection = self._select(question)
            except StoreError as error:
                from aish.core.memory import Selection

                self._user.tell(f"nothing is remembered now: {error.message}")
                self._selection = Selection((), self._max_chars)
        return self._selection.text

    def begin(self) -> None:
        """A conversation begins: what it is given is chosen with its own first question."""
        self._selection = None

    def limit(self, max_chars: int) -> None:
        """Another length of the block; what goes into it is chosen anew with the next question."""
        if max_chars != self._max_chars:
            self._max_chars, self._selection = max_chars, None

    def items(self) -> Sequence[MemoryItem]:
        memory = self.file.load()
        if memory.damage:
            self._user.tell(memory.damage)
        return memory.items

    def in_prompt(self) -> frozenset[int]:
        chosen = self._selection.items if self._selection else ()
        return frozenset(item.id for item in chosen)

    def add(self, kind: str, content: str, *, here: bool = False, source: str = "") -> Added:
        safe = self._safe(content)
        project = kept_project(self._place.cwd, self._mask) if here else ""
        added = self.file.add(kind, safe, source=source, project=project)
        if self._selection is not None and not added.duplicate:
            self._selection = self._selection.with_item(added.item)
        return added

    def forget(self, *ids: int) -> list[MemoryItem]:
        gone = self.file.forget(*ids)
        if self._selection is not None:
            for item in gone:
                self._selection = self._selection.without(item.id)
        return gone

    def edit(self, wanted: int, content: str) -> Added:
        edited = self.file.edit(wanted, self._safe(content))
        if self._selection is not None:
            self._selection = self._selection.without(wanted)
            if not edited.duplicate:
                self._selection = self._selection.with_item(edited.item)
        return edited

    def clear(self) -> int:
        count = self.file.clear()
        self._selection = None
        return count

    def inject(self) -> int:
        self._selection = None
        return len(self.items())

    def why(self, wanted: int) -> str:
        """Before the first question: as it would be for a question that says nothing."""
        return (self._selection or self._select("")).why(wanted)

    def propose(
        self, records: Sequence[dict[str, Any]], heard: Callable[[Reply], None]
    ) -> list[Candidate]:
        from aish.core.memory import MAX_CANDIDATES, Candidate, same_text
        from aish.memory.extracting import extract

        known = {same_text(item.content) for item in self.items()}
        found: list[Candidate] = []
        for candidate in extract(records, self._models.named(self._summarizer), heard):
            safe = Candidate(candidate.kind, self._mask.without_secrets(candidate.content))
            if same_text(safe.content) not in known:
                known.add(same_text(safe.content))
                found.append(safe)
        return found[:MAX_CANDIDATES]

    def _select(self, question: str) -> Selection:
        from aish.core.memory import select

        return select(self.items(), self._max_chars, question, self._place.cwd)

    def _prune(self) -> None:
        if self._prune_days <= 0:
            return
        try:
            gone = self.file.prune(self._prune_days)
        except StoreError as error:
            self._user.tell(f"old memory could not be pruned: {error.message}")
            return
        if gone:
            self._user.tell(f"forgot {gone} items older than {self._prune_days:g} days")

    def _safe(self, content: str) -> str:
        safe = self._mask.without_secrets(content)
        if safe != content:
            self._user.tell(LEFT_OUT)
        return safe
