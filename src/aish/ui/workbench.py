"""Where the commands of an autonomous run are carried out, with a screen beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aish.session.hands import RealHands, Rehearsals, TrialHands
from aish.shell.captured import QUIET, Bounds, CapturedShell
from aish.ui.careful import CarefulShell, settling
from aish.ui.halting import Glimpse

if TYPE_CHECKING:
    from aish.sandbox.safeguards import Safeguards
    from aish.session.hands import Workbench
    from aish.session.running import Order, Origin
    from aish.ui.answers import Answers
    from aish.ui.screen import Screen


def workbench(
    order: Order,
    origin: Origin,
    safeguards: Safeguards,
    *,
    bounds: Bounds,
    screen: Screen,
    answers: Answers | None,
) -> Workbench:
    """One trial from start to finish where that was ordered, else the user's own files.

    Raises: SandboxError.
    """
    show, env = Glimpse(screen), {**origin.exported(), **QUIET}
    settle = settling(safeguards.trials, screen, answers)
    rehearsals = Rehearsals(safeguards.trials, bounds, show, env)
    if order.tried and not order.plan:
        return TrialHands(rehearsals.begin(origin.cwd), settle)
    shell = CapturedShell("bash", origin.cwd, bounds, show, env)
    careful = CarefulShell(shell, safeguards, screen, None, tells_once=True)
    return RealHands(careful, rehearsals, settle)
