"""What an autonomous run may do by itself, and what it must ask: one place for all its commands."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from aish.core.actions import ProposedCommand
from aish.core.safety.confining import may_be_confined
from aish.engine.ports import Decision, Ruling
from aish.session.approval import Asker, Keeps, Second, opinion

if TYPE_CHECKING:
    from aish.core.safety.verdict import Verdict
    from aish.engine.ports import Hands, Judge, RunPlace


class NobodyToAsk:
    """Where nobody can be asked, what needs a yes does not run."""

    def approve(self, proposal: ProposedCommand, verdict: object = None) -> Decision:
        del proposal, verdict
        return Decision("skip", reason="skipped, because nobody is there to say yes")


class RunGovernor:
    """Harmless commands run; unknown programs in an overlay; the rest is the user's to decide.

    Nothing in the configuration makes this milder: a destructive or unreadable command is asked
    about, and where nobody answers it does not run.
    """

    def __init__(
        self,
        judge: Judge,
        hands: Hands,
        asker: Asker,
        *,
        sandbox: bool = True,
        ask_harmless: bool = False,
        second: Second | None = None,
        keeps: Keeps | None = None,
    ) -> None:
        self._judge = judge
        self._hands = hands
        self._asker = asker
        self._sandbox = sandbox
        self._ask_harmless = ask_harmless
        self._second = second
        self._keeps = keeps

    def rule(self, proposal: ProposedCommand) -> Ruling:
        """Read a command."""
        verdict = self._judge.judge(proposal.command, self._hands.cwd)
        if self._second is not None and not verdict.denied:
            verdict = self._second(proposal.command, verdict)
        place: RunPlace = "trial" if self._hands.tried else "shell"
        if verdict.denied:
            return Ruling("refuse", place, verdict)
        if proposal.background or _must_be_asked(verdict):
            return Ruling("ask", place, verdict)
        if verdict.level == "harmless":
            return Ruling("ask" if self._ask_harmless else "run", place, verdict)
        tried = self._hands.tried
        confined = may_be_confined(verdict, writes=tried) and (tried or self._confines())
        return Ruling("run" if confined else "ask", "trial" if tried else "sandbox", verdict)

    def _confines(self) -> bool:
        return self._sandbox and self._hands.confines()

    def ask(self, proposal: ProposedCommand, ruling: Ruling) -> Decision:
        """The user's word; an edited command is read and asked about like any other."""
        directory = self._hands.cwd
        decision = self._asked(proposal, ruling)
        while decision.choice == "edit":
            proposal = replace(proposal, command=decision.command)
            ruling = self.rule(proposal)
            if ruling.verdict.denied:
                return Decision("skip")
            decision = self._asked(proposal, ruling)
        if decision.choice != "run":
            return decision
        if decision.command != proposal.command or self._hands.cwd != directory:
            return Decision("skip")
        return replace(decision, directory=directory, verdict=ruling.verdict.level)

    def _asked(self, proposal: ProposedCommand, ruling: Ruling) -> Decision:
        lost = self._keeps is not None and not self._keeps(proposal.command)
        return self._asker.approve(proposal, opinion(ruling.verdict, lost=lost))


def _must_be_asked(verdict: Verdict) -> bool:
    unreadable = any(effect.kind == "unreadable" for effect in verdict.effects)
    return verdict.level == "destructive" or unreadable
