"""Autonomous runs, and plans that nothing comes of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aish.core.errors import UsageError
from aish.core.typed_numbers import number_in
from aish.ui.meta.registry import meta
from aish.ui.style import harmless

if TYPE_CHECKING:
    from aish.session.running import Order
    from aish.ui.face import Face

WORDS = ("status", "continue", "--try", "--plan", "--max-steps")


@meta("norris", "[--try|--plan|--max-steps N] GOAL|status|continue", choices=lambda _: WORDS)
def norris(face: Face, argument: str) -> None:
    """Work toward a goal by itself: plan, act, look at the result, plan again.

    Harmless commands run by themselves, unknown ones in the sandbox, and what destroys something
    waits for your word. Ctrl-C pauses. `--try` works in a trial from start to finish and shows
    what it changed; `--plan` only lists. Ctrl-N makes a goal of the line.
    """
    order, goal = parsed(argument, plan=face.conversation.planning)
    match goal:
        case "":
            raise UsageError("there is no goal", ":norris find the five largest files here")
        case "status":
            status(face)
        case "continue":
            face.play(face.conversation.go_on(order), alone=True)
        case _:
            face.play(face.conversation.pursue(goal, order), alone=True)


def parsed(argument: str, *, plan: bool = False) -> tuple[Order, str]:
    """The options before a goal, and the goal.

    Raises: UsageError.
    """
    from aish.session.running import Order

    tried, most, rest = False, None, argument.strip()
    while rest.startswith("--"):
        word, _, rest = rest.partition(" ")
        rest = rest.strip()
        match word:
            case "--try":
                tried = True
            case "--plan":
                plan = True
            case "--max-steps":
                number, _, rest = rest.partition(" ")
                most, rest = number_in(number) or 0, rest.strip()
                if not most:
                    raise UsageError(f"{number!r} is no number of steps", ":norris --max-steps 5 …")
            case _:
                raise UsageError(f"there is no option {word}", "--try, --plan or --max-steps N")
    return Order(plan=plan, tried=tried, max_steps=most), rest


def status(face: Face) -> None:
    """How the newest run stands."""
    from aish.ui.event_text import ended_text, spent_text

    last = face.conversation.last_run
    run, screen = last.run, face.screen
    if run is None:
        screen.notice("no run yet; `:norris GOAL` begins one")
        return
    screen.line(f"goal   {harmless(run.goal)}")
    for number, task in enumerate(run.tasks, 1):
        screen.line(f"{'tasks' if number == 1 else '':<6} {number}. {harmless(task)}")
    most = f"/{last.most}" if last.most else ""
    screen.line(f"steps  {run.spent.steps}{most} · {spent_text(run.spent)}")
    if run.outcome is None:
        screen.line("state  broken off; `:norris continue` goes on")
    else:
        screen.line(f"state  {harmless(ended_text(run.outcome, run.reason, run.spent))}")


@meta("plan", "[on|off]", choices=lambda _: ("on", "off"))
def plan(face: Face, argument: str) -> None:
    """List what would be done instead of doing it; nothing runs."""
    conversation = face.conversation
    if argument not in ("", "on", "off"):
        raise UsageError(f"{argument!r} is neither on nor off", ":plan on")
    if argument:
        conversation.planning = argument == "on"
    if conversation.planning:
        face.screen.notice("plans only: what is proposed is listed, nothing runs (:plan off)")
    else:
        face.screen.notice("what is proposed is asked about, and runs (:plan on lists only)")
