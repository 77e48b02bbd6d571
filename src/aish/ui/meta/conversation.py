"""The conversation: asking, running, looking back, starting afresh."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aish.core.errors import UsageError
from aish.ui.meta.registry import meta
from aish.ui.style import BOLD, CYAN, harmless

if TYPE_CHECKING:
    from aish.ui.session import Session


@meta("ask", "TEXT")
def ask(session: Session, argument: str) -> None:
    """Ask the model, whatever the text looks like."""
    if not argument:
        raise UsageError("there is nothing to ask", ":ask why is the sky blue")
    session.ask(argument)


@meta("exec", "COMMAND")
def execute(session: Session, argument: str) -> None:
    """Run a shell command, whatever it looks like."""
    if not argument:
        raise UsageError("there is nothing to run", ":exec ls -l")
    session.execute(argument)


@meta("reset")
def reset(session: Session, argument: str) -> None:
    """Start the conversation afresh."""
    del argument
    session.play(session.conversation.reset())


@meta("new")
def new(session: Session, argument: str) -> None:
    """Begin a new session: an empty conversation with a log of its own."""
    del argument
    session.play(session.conversation.begin_anew())


@meta("history", "[N]")
def history(session: Session, argument: str) -> None:
    """Show the conversation, or its last N turns."""
    turns = session.context.turns
    if argument:
        if not argument.isdecimal() or not int(argument):
            raise UsageError(f"{argument!r} is not a number of turns", ":history 10")
        turns = turns[-int(argument) :]
    if not turns:
        session.screen.notice("the conversation is empty")
    screen = session.screen
    for turn in turns:
        screen.line(screen.paint(turn.role, BOLD, CYAN))
        screen.line(harmless(turn.content).rstrip() + "\n")
