"""An answer on its way to the screen, without the commands that a question will show."""

from __future__ import annotations

from aish.core.actions import BACKGROUND, FOREGROUND, command_in_line
from aish.core.repetition import is_degenerate
from aish.core.spoken import Fences, may_hold_a_fence

_PREFIXES = (FOREGROUND, BACKGROUND)
_BEGINNING = "CMD"  # of both
_HEAD = 4096  # of a line; what comes behind it decides nothing and is not copied again and again


class WithoutProposals:
    """Passes text on as it comes; holds back only a line that may turn out to be a proposal."""

    def __init__(self) -> None:
        self._head = ""
        self._passed = 0  # of the head
        self._rest: list[str] = []  # of the line, as far as it is held back
        self._fences = Fences()

    def feed(self, text: str) -> str:
        """What can be shown now."""
        shown = []
        first, line_end, others = text.partition("\n")
        if line_end:
            self._add(first)
            shown.append(self._end())
            text = others
            if not (_BEGINNING in others or may_hold_a_fence(others)):
                *whole, text = others.rpartition("\n")  # lines that decide nothing
                shown += whole
        *ended, rest = text.split("\n")
        for part in ended:
            self._add(part)
            shown.append(self._end())
        self._add(rest)
        if not self._may_propose():
            shown += [self._head[self._passed :], *self._rest]
            self._passed, self._rest = len(self._head), []
        return "".join(shown)

    def close(self, *, complete: bool) -> str:
        """What was held back; the last line of a complete answer may be a proposal too."""
        line, passed = self._taken()
        proposed = complete and not self._fences.open and _is_asked_about(line)
        return "" if proposed else line[passed:]

    def _end(self) -> str:
        line, passed = self._taken()
        if self._fences.passes(line) or self._fences.open:
            return line[passed:] + "\n"
        return "" if _is_asked_about(line.removesuffix("\r")) else line[passed:] + "\n"

    def _add(self, part: str) -> None:
        room = _HEAD - len(self._head)
        if room > 0:
            self._head += part[:room]
        if len(part) > room:
            self._rest.append(part[room:])

    def _taken(self) -> tuple[str, int]:
        """The line, as far as it is kept, and how much of that was shown; the next one begins."""
        line, passed = "".join([self._head, *self._rest]), self._passed
        self._head, self._passed, self._rest = "", 0, []
        return line, passed

    def _may_propose(self) -> bool:
        if self._fences.open:
            return False
        line = self._head
        return any(line.startswith(prefix) or prefix.startswith(line) for prefix in _PREFIXES)


def _is_asked_about(line: str) -> bool:
    proposal = command_in_line(line)
    return proposal is not None and not is_degenerate(proposal.command)
