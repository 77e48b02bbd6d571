"""Work toward a goal step by step, until it is reached, a limit ends it, or you do.

Harmless commands run by themselves, unknown ones in the sandbox, and what destroys something waits
for your word; without a terminal it does not run. The exit code is 0 when the goal is reached.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace

from aish.app.norris import RunTeams
from aish.app.parts import Parts
from aish.core.errors import UsageError
from aish.core.events import Event, RolledBack, RunEnded
from aish.core.typed_numbers import number_in
from aish.session.approval import NeverRun
from aish.session.running import Order
from aish.shell.direct import DirectShell
from aish.shell.process_place import working_directory
from aish.ui.answers import KeyAnswers
from aish.ui.keys import unechoed
from aish.ui.playing import play
from aish.ui.project_overlay import load_here
from aish.ui.screen import Screen
from aish.ui.view import View

NOT_REACHED = 1


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("goal", nargs="+", metavar="GOAL", help="what is to be reached")
    parser.add_argument("--max-steps", type=_positive, metavar="N", help="stop after so many steps")
    parser.add_argument(
        "--yes-harmless",
        action="store_true",
        help="run harmless commands even where norris.ask_harmless is set",
    )
    parser.add_argument("--plan", action="store_true", help="list what would run, and run nothing")
    parser.add_argument(
        "--try",
        action="store_true",
        dest="tried",
        help="work on overlays of your files, then look at the changes and apply them or not",
    )
    parser.add_argument("--model", metavar="NAME", help="the preset that works")


def run(options: Namespace) -> int:
    """Raises: AishError."""
    goal = " ".join(options.goal).strip()
    if not goal:
        raise UsageError("there is no goal", 'aish norris "find the five largest files here"')
    screen = Screen.of_process()
    config = load_here(screen, working_directory()).config
    screen.use_theme(config.ui.theme)
    parts = Parts(config, screen)
    if options.model:
        parts.presets.use(options.model)
    answers = None
    if screen.terminal and screen.has_keyboard():
        answers = KeyAnswers(screen, sys.stdin.fileno())
    shell = DirectShell(config.shell.program or "bash")
    session = parts.session(shell, NeverRun(), teams=RunTeams(parts, screen, shell, answers))
    order = Order(options.plan, options.tried, options.max_steps, options.yes_harmless)
    view, outcome = View(screen, markdown=config.ui.highlight, asks=True), RunResult()
    try:
        with unechoed(0):
            play(session.pursue(goal, order), outcome, view)
        if outcome.open and parts.journal.id:
            screen.notice(f"`aish sessions resume {parts.journal.id}` opens the shell there")
    finally:
        view.close()
        parts.close()
    return outcome.code


class RunResult:
    """What became of the run, as an exit code."""

    def __init__(self) -> None:
        self.code = NOT_REACHED
        self.open = False  # it may go on

    def __call__(self, event: Event) -> None:
        if isinstance(event, RolledBack):
            self.code = event.error.exit_code
        elif isinstance(event, RunEnded):
            self.open = event.outcome not in ("complete", "planned")
            self.code = self.code if self.open else 0


def _positive(text: str) -> int:
    number = number_in(text)
    if not number:
        raise ArgumentTypeError(f"{text!r} is no number of steps")
    return number
