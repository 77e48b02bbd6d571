"""What the line at the prompt is, while it is typed and when it is entered."""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite

from aish.core.classify import Classification, CommandNames, Kind, classify, while_typing


class LineKinds:
    """Remembers the last line looked at: the mark, the colours and Enter ask about the same one."""

    def __init__(self, names: CommandNames, names_ready: Callable[[], object]) -> None:
        self._names = names
        self._names_ready = names_ready
        self._line = ""
        self._shown: Kind | None = None

    def shown(self, line: str) -> Kind:
        """The kind to show now; it does not flicker while a word is half typed."""
        if line != self._line:
            same = bool(self._line) and (line.startswith(self._line) or self._line.startswith(line))
            before = self._shown if same else None  # another line owes nothing to the last one
            self._line = line
            self._shown = while_typing(line, self._names, before).kind if line.strip() else "shell"
        return self._shown or "shell"

    def entered(self, line: str) -> Classification:
        """What the line is, for good; a question only once the shell's aliases are known."""
        found = classify(line, self._names)
        if found.kind == "ask" and isfinite(found.score):
            self._names_ready()
            found = classify(line, self._names)
        return found
