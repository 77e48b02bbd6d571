"""Where an autonomous run waits for a person: its halts, its pauses, and what it prints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aish.ui.asking import STOP
from aish.ui.confirm import KeyApprover
from aish.ui.style import DIM

if TYPE_CHECKING:
    from aish.core.actions import ProposedCommand
    from aish.engine.ports import Decision
    from aish.ui.answers import KeyAnswers
    from aish.ui.question import Judged
    from aish.ui.screen import Screen

MOST_LINES = 20  # of a command's output on the screen; the model gets more
PAUSED = "paused  [c]ontinue  [s]top"


class HaltApprover(KeyApprover):
    """Proceed, skip, edit or abort; anything else, or no answer in time, is a skip."""

    answers = "pyrvseanq"

    def __init__(
        self, screen: Screen, stdin: int, answers: KeyAnswers, patience: float | None = None
    ) -> None:
        super().__init__(screen, stdin, patience=patience)
        self._answers = answers

    def approve(self, proposal: ProposedCommand, verdict: Judged | None = None) -> Decision:
        from aish.engine.ports import Decision

        self._screen.still()
        decision = super().approve(proposal, verdict)
        if decision.choice != "edit":
            return decision
        self.take_edited()  # edited here and now, not in the next line of the prompt
        edited = self._answers.edited(proposal.command)
        return Decision("edit", edited) if edited else Decision("skip")

    def _offered(self, proposal: ProposedCommand, verdict: Judged | None, *, may_run: bool) -> str:
        del proposal, verdict
        return ("pyr" if may_run else "v") + "seanq"

    def _decided(self, key: str, proposal: ProposedCommand, verdict: Judged | None) -> Decision:
        from aish.engine.ports import Decision

        if key in ("p", "y", "r"):
            return self._run(proposal, verdict)
        stops = key in ("a", "q", STOP)
        return Decision("edit" if key == "e" else "stop" if stops else "skip")

    def _question(
        self, proposal: ProposedCommand, *, may_run: bool, always: bool = False
    ) -> list[str]:
        del proposal, always
        return [f"{'[p]roceed' if may_run else '[v]iew'} [s]kip [e]dit [a]bort "]


class KeyPilot:
    """Asks after Ctrl-C whether a run goes on."""

    def __init__(self, answers: KeyAnswers | None) -> None:
        self._answers = answers

    def goes_on(self) -> bool:
        return self._answers is not None and self._answers.choose(PAUSED, "cs") == "c"


class Glimpse:
    """The first lines a command prints; of the rest only how many."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self._lines = 0

    def __call__(self, line: str) -> None:
        self._lines += 1
        if self._lines <= MOST_LINES:
            self._screen.line(line.rstrip("\r")[: 4 * self._screen.width])

    def end(self) -> None:
        if self._lines > MOST_LINES:
            more = f"… and {self._lines - MOST_LINES:,} more lines"
            self._screen.line(self._screen.paint(more, DIM))
        self._lines = 0
