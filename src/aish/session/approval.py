"""The one gate for commands of the model: read first, then asked about, bound to where it runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from aish.core.actions import ProposedCommand
    from aish.core.located import Located
    from aish.core.messages import ToolCall
    from aish.core.safety.verdict import Verdict
    from aish.core.tools import Fitting, Permit, ToolResult
    from aish.engine.ports import Decision, Judge, Tools


class NeverRun:
    """Where nobody can be asked, nothing runs."""

    def approve(self, proposal: ProposedCommand) -> Decision:
        del proposal
        from aish.engine.ports import Decision

        return Decision("skip")


class PlanOnly:
    """While plans are made, commands are read and listed, and none runs."""

    def __init__(self, judge: Judge, place: Located) -> None:
        self._judge = judge
        self._place = place

    def approve(self, proposal: ProposedCommand) -> Decision:
        from aish.engine.ports import Decision

        verdict = self._judge.judge(proposal.command, self._place.cwd)
        level = "denied" if verdict.denied else verdict.level
        return Decision("plan", proposal.command, "", level, verdict.reason)


class PlannedTools:
    """Tools that are offered, and not called while plans are made."""

    def __init__(self, tools: Tools) -> None:
        self._tools = tools

    def begin(self) -> None:
        self._tools.begin()

    def schemas(self, room: int, count: Callable[[str], int]) -> Sequence[Mapping[str, Any]]:
        return self._tools.schemas(room, count)

    def fitting(self, words: str) -> Fitting:
        return self._tools.fitting(words)

    @property
    def deepest(self) -> int:
        return self._tools.deepest

    def permit(self, call: ToolCall) -> Permit:
        from aish.core.tools import Permit, ToolResult

        del call
        return Permit(ToolResult("not called: only a plan is being made", is_error=True))

    def make(self, calls: Sequence[ToolCall]) -> Sequence[ToolResult]:
        raise AssertionError(f"nothing was permitted: {calls}")


@dataclass(frozen=True, slots=True)
class Opinion:
    """A verdict in the words of the question: its kind, the first reason, the other effects."""

    kind: str
    reason: str
    effects: tuple[str, ...] = ()


class Asker(Protocol):
    """Asks the user about a command that was read."""

    def approve(self, proposal: ProposedCommand, verdict: Opinion | None = None) -> Decision: ...


class Gate:
    """Every command of the model comes by here; no mode goes around it."""

    def __init__(
        self,
        asker: Asker,
        judge: Judge,
        place: Located,
        *,
        ask_harmless: bool = True,
    ) -> None:
        self._asker = asker
        self._judge = judge
        self._place = place
        self._ask_harmless = ask_harmless

    def approve(self, proposal: ProposedCommand) -> Decision:
        """Run, or whatever else the user wants; nothing where the place changed meanwhile."""
        from aish.engine.ports import Decision

        directory = self._place.cwd
        verdict = self._judge.judge(proposal.command, directory)
        if verdict.level == "harmless" and not self._ask_harmless:
            decision = Decision("run", proposal.command)
        else:
            decision = self._asker.approve(proposal, opinion(verdict))
        if decision.choice not in ("run", "try"):
            return decision
        bound = decision.command == proposal.command and self._place.cwd == directory
        if not bound or verdict.denied:
            return Decision("skip")
        return replace(decision, directory=directory, verdict=verdict.level)


def opinion(verdict: Verdict) -> Opinion:
    """What the question says about a command."""
    kind = "denied" if verdict.denied else verdict.level
    shown = [effect for effect in verdict.effects if effect.level == verdict.level]
    others = [
        effect for effect in verdict.effects if effect not in shown and effect.kind != "reads"
    ]
    reasons = list(dict.fromkeys(effect.reason for effect in (*shown, *others)))
    if verdict.rule == "user":
        return Opinion(kind, verdict.reason)
    if verdict.level == "harmless" or not reasons:
        return Opinion(kind, "")  # nothing to be said about it
    return Opinion(kind, reasons[0], tuple(reasons[1:]))
