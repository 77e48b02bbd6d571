"""Autonomous runs, put together from the configuration."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

from aish.core.errors import UsageError

if TYPE_CHECKING:
    from aish.app.parts import Parts
    from aish.session.approval import Asker
    from aish.session.hands import Workbench
    from aish.session.running import Order, Origin, Team
    from aish.ui.answers import KeyAnswers
    from aish.ui.screen import Screen


class RunTeams:
    """Makes the parts of a run, with a person at the terminal or without."""

    def __init__(
        self, parts: Parts, screen: Screen, origin: Origin, answers: KeyAnswers | None
    ) -> None:
        self._parts = parts
        self._screen = screen
        self._origin = origin
        self._answers = answers

    def team(self, order: Order) -> Team:
        """Raises: UsageError, ConfigError, SandboxError."""
        from aish.core.autonomy import RunLimits
        from aish.session.governing import RunGovernor
        from aish.session.running import Team, planner_of
        from aish.ui.halting import KeyPilot

        config, parts = self._parts.config, self._parts
        if config.safety.never_run and not order.plan:
            raise UsageError("nothing may run here (safety.never_run)", "norris --plan lists only")
        chosen = config.norris
        limits = RunLimits(chosen.max_steps, chosen.max_minutes * 60, chosen.max_tokens)
        hands = self._hands(order)
        return Team(
            model=parts.presets.named(chosen.executor),
            governor=RunGovernor(
                parts.judge,
                hands,
                self._asker(),
                sandbox=config.safety.sandbox,
                ask_harmless=chosen.ask_harmless and not order.yes_harmless,
                second=parts.second_opinion(),
                keeps=hands.keeps,
            ),
            hands=hands,
            pilot=KeyPilot(self._answers),
            purse=parts.spending,
            clock=time.monotonic,
            planner=planner_of(parts.presets, chosen.preplanner, parts.user),
            limits=order.limited(limits),
            tasks_max=chosen.tasks_max,
        )

    def _asker(self) -> Asker:
        from aish.session.governing import NobodyToAsk
        from aish.ui.halting import HaltApprover

        if self._answers is None:
            return NobodyToAsk()
        patience = self._parts.config.norris.answer_minutes * 60
        return HaltApprover(self._screen, sys.stdin.fileno(), self._answers, patience or None)

    def _hands(self, order: Order) -> Workbench:
        from aish.shell.captured import Bounds
        from aish.ui.workbench import workbench

        config, safeguards = self._parts.config, self._parts.safeguards
        kept, seconds = config.shell.capture_kb * 1024, config.norris.command_minutes * 60
        bounds = Bounds(kept, seconds, self._parts.secrecy.look)
        return workbench(
            *(order, self._origin, safeguards),
            bounds=bounds,
            screen=self._screen,
            answers=self._answers,
        )
