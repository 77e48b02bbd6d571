"""Where an autonomous run waits for a person: its halts, its pauses, and what it prints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aish.ui.confirm import KeyApprover
from aish.ui.keys import CTRL_C, CTRL_D, ESCAPE, answer_key
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

    def _ask(self, proposal: ProposedCommand, verdict: Judged | None) -> Decision:
        from aish.engine.ports import Decision

        seen_whole = False
        while True:
            shown = self._show(proposal, verdict)
            may_run = seen_whole or shown.whole
            self._keys(proposal, may_run=may_run)
            key, _ = answer_key(self._stdin, self._patience)
            match key:
                case "p" | "y" | "r" if may_run:
                    return self._run(proposal, verdict)
                case "v" if not may_run:
                    seen_whole = True
                    self._view(proposal)
                case "e":
                    return Decision("edit")
                case _ if key in ("a", "q", CTRL_C, CTRL_D, ESCAPE):
                    return Decision("stop")
                case _:
                    return Decision("skip")

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
