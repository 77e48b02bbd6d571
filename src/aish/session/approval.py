"""The one gate for commands of the model: read first, then asked about, bound to where it runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from aish.core.values import dataclass

if TYPE_CHECKING:
    from aish.config.schema import SafetyConfig
    from aish.core.actions import ProposedCommand
    from aish.core.located import Located
    from aish.core.messages import ToolCall
    from aish.core.safety.verdict import Effect, Verdict
    from aish.core.tools import Fitting, Permit, ToolResult
    from aish.engine.ports import Decision, Judge, Tools


LOSING = ("deletes", "writes", "disk")  # effects after which something is gone
Keeps = Callable[[str], bool]
Second = Callable[[str, "Verdict"], "Verdict"]  # an opinion never milder than the first


class NeverRun:
    """Where nobody can be asked, nothing runs."""

    remembered: tuple[tuple[str, str], ...] = ()  # nothing was ever allowed
    asks = False

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
    again: bool = False  # it may be run again without a question, if the user says so


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
        safety: Callable[[], SafetyConfig],
        *,
        keeps: Keeps | None = None,
        second: Second | None = None,
    ) -> None:
        """`safety` is asked for with each command: another project may be entered meanwhile.

        `keeps` knows whether a command leaves its old files; `second` is asked about what would
        run without a question.
        """
        self._asker = asker
        self._judge = judge
        self._place = place
        self._safety = safety
        self._keeps = keeps
        self._second = second
        self._remembered: dict[tuple[str, str], None] = {}

    @property
    def asks(self) -> bool:
        """Whether commands are asked about here at all."""
        return not self._safety().never_run

    @property
    def remembered(self) -> tuple[tuple[str, str], ...]:
        """What runs without a question for the rest of this session: a command, its directory."""
        return tuple(self._remembered)

    def approve(self, proposal: ProposedCommand) -> Decision:
        """Run, or whatever else the user wants; nothing where the place changed meanwhile."""
        from aish.engine.ports import Decision

        if not self.asks:
            return Decision("skip")
        directory = self._place.cwd
        verdict = self._judge.judge(proposal.command, directory)
        known = (proposal.command, directory) in self._remembered
        if self._second is not None and self._unasked(verdict, known=known):
            verdict = self._second(proposal.command, verdict)
        if self._unasked(verdict, known=known):
            decision = Decision("run", proposal.command)
        else:
            lost = self._keeps is not None and not self._keeps(proposal.command)
            decision = self._asker.approve(proposal, opinion(verdict, lost=lost))
        if decision.choice not in ("run", "try"):
            return decision
        bound = decision.command == proposal.command and self._place.cwd == directory
        if not bound or verdict.denied:
            return Decision("skip")
        if decision.always and opinion(verdict).again:
            self._remembered[proposal.command, directory] = None
        return replace(decision, directory=directory, verdict=verdict.level)

    def _unasked(self, verdict: Verdict, *, known: bool) -> bool:
        """Never for what destroys, whatever was said about it before."""
        if verdict.level == "harmless" and not verdict.denied:
            return known or not self._safety().confirm_cmd
        return known and verdict.level == "unknown" and not verdict.denied and not _ruled(verdict)


def opinion(verdict: Verdict, *, lost: bool = False) -> Opinion:
    """What the question says about a command; `lost`: no copy is left of what it destroys."""
    kind = "denied" if verdict.denied else verdict.level
    shown = [effect for effect in verdict.effects if effect.level == verdict.level]
    others = [
        effect for effect in verdict.effects if effect not in shown and effect.kind != "reads"
    ]
    if lost:
        shown = _called_lost(shown)
    reasons = list(dict.fromkeys(effect.reason for effect in (*shown, *others)))
    again = kind in ("harmless", "unknown") and not _ruled(verdict)
    if verdict.rule == "user":
        return Opinion(kind, verdict.reason, again=again)
    if verdict.level == "harmless" or not reasons:
        return Opinion(kind, "", again=again)  # nothing to be said about it
    return Opinion(kind, reasons[0], tuple(reasons[1:]), again)


def _ruled(verdict: Verdict) -> bool:
    """Whether a rule of the user's wants the question."""
    return "your rule: " in verdict.reason and verdict.level != "harmless"


def _called_lost(effects: list[Effect]) -> list[Effect]:
    """What is deleted or overwritten and cannot be had back, said with each."""
    return [
        replace(effect, reason=f"{effect.reason}, not recoverable")
        if effect.kind in LOSING and effect.level == "destructive"
        else effect
        for effect in effects
    ]
