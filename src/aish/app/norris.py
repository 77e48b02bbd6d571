"""Autonomous runs, put together from the configuration."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from aish.app.trials import trials_for
from aish.core.errors import UsageError
from aish.session.running import Team

if TYPE_CHECKING:
    from aish.app.parts import Parts
    from aish.core.located import Located
    from aish.engine.ports import Model
    from aish.sandbox.trial import Trial
    from aish.session.approval import Asker
    from aish.session.hands import Workbench
    from aish.session.running import Order
    from aish.ui.answers import KeyAnswers
    from aish.ui.screen import Screen


class Teams:
    """Makes the parts of a run, with a person at the terminal or without."""

    def __init__(
        self,
        parts: Parts,
        screen: Screen,
        place: Located,
        answers: KeyAnswers | None,
        exported: Callable[[], dict[str, str]] = lambda: dict(os.environ),
    ) -> None:
        """`exported` are the variables that commands get: those of the user's shell."""
        self._exported = exported
        self._parts = parts
        self._screen = screen
        self._place = place
        self._answers = answers

    def __call__(self, order: Order) -> Team:
        """Raises: UsageError, ConfigError, SandboxError."""
        from dataclasses import replace

        from aish.core.autonomy import Limits
        from aish.session.governing import Governor
        from aish.ui.halting import KeyPilot

        config, parts = self._parts.config, self._parts
        if config.safety.never_run and not order.plan:
            raise UsageError("nothing may run here (safety.never_run)", "norris --plan lists only")
        chosen = config.norris
        limits = Limits(chosen.max_steps, chosen.max_minutes * 60, chosen.max_tokens)
        if order.max_steps is not None:
            limits = replace(limits, steps=order.max_steps)
        hands = self._hands(order)
        return Team(
            model=parts.presets.named(chosen.executor),
            governor=Governor(
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
            planner=self._planner(),
            limits=limits,
            tasks_max=chosen.tasks_max,
        )

    def _planner(self) -> Model | None:
        """The model that writes the tasks; without it the one that works does that too."""
        name = self._parts.config.norris.preplanner
        if not name:
            return None
        try:
            return self._parts.presets.named(name)
        except UsageError as error:
            self._screen.notice(f"norris.preplanner: {error.message}; one model does both")
            return None

    def _asker(self) -> Asker:
        from aish.session.governing import NobodyToAsk
        from aish.ui.halting import HaltApprover

        if self._answers is None:
            return NobodyToAsk()
        patience = self._parts.config.norris.answer_minutes * 60
        return HaltApprover(self._screen, sys.stdin.fileno(), self._answers, patience or None)

    def _hands(self, order: Order) -> Workbench:
        from aish.session.hands import RealHands, Rehearsing, TrialHands
        from aish.shell.captured import QUIET, Bounds, CapturedShell
        from aish.ui.careful import CarefulShell
        from aish.ui.halting import Glimpse

        config = self._parts.config
        seconds = config.norris.command_minutes * 60
        bounds = Bounds(config.shell.capture_kb * 1024, seconds)
        show, env = Glimpse(self._screen), {**self._exported(), **QUIET}
        trials = trials_for(
            config, self._parts.secrecy.without_secrets, lambda: self._parts.journal.id
        )

        def rehearse(cwd: str) -> Rehearsing:
            rehearsal = trials.rehearse(cwd, as_text=bounds.text_of, environment=env)
            return Rehearsing(rehearsal, seconds, show)

        if order.tried and not order.plan:
            return TrialHands(rehearse(self._place.cwd), self._settled)
        shell = CapturedShell("bash", self._place.cwd, bounds, show, env)
        careful = CarefulShell(shell, lambda: trials, self._screen, None, tells_once=True)
        return RealHands(careful, rehearse, self._settled, careful.keeps)

    def _settled(self, trial: Trial, title: str) -> str:
        """Show what was changed in a trial, and apply what the user wants of it."""
        from aish.ui.careful import note_on
        from aish.ui.trying import TryFace

        trials = trials_for(
            self._parts.config,
            self._parts.secrecy.without_secrets,
            lambda: self._parts.journal.id,
        )
        face = TryFace(trials, self._screen, self._answers, lambda inner, argv: inner.run(argv)[0])
        return note_on(face.settle(trial, title, 0, head="what it changed; nothing is real yet:"))
