"""Help, leaving, and the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aish.ui.meta.registry import commands, find, meta
from aish.ui.style import BOLD, CYAN, DIM

if TYPE_CHECKING:
    from aish.ui.session import Session

COLUMN = 24  # where the meaning begins
LINES = (
    ("ls -l", "a command runs in your shell"),
    ("why did that fail?", "a sentence is a question; the model sees what was just run"),
    ("!cmd  $ cmd", "always a command"),
    ("?text", "always a question"),
    (" cmd", "a leading space keeps a line out of history and context"),
)


@meta("help", "[COMMAND]", choices=lambda _: [command.name for command in commands()])
def show_help(session: Session, argument: str) -> None:
    """Show what can be typed, or explain one command."""
    screen = session.screen
    if argument:
        command = find(argument.removeprefix(":"))
        screen.line(screen.paint(f":{command.name} {command.usage}".rstrip(), BOLD))
        screen.line(command.help)
        return
    for typed, meaning in LINES:
        _row(session, typed, meaning)
    screen.line()
    for command in commands():
        if not command.alias_of:
            typed = f":{command.name} {command.usage}".rstrip()
            _row(session, typed, command.summary)
    screen.line(screen.paint("\nCtrl-C stops an answer, Ctrl-D leaves.", DIM))


def _row(session: Session, typed: str, meaning: str) -> None:
    """What is typed and what it does, below it where the first is long."""
    screen = session.screen
    gap = " " * (COLUMN - len(typed)) if len(typed) < COLUMN else "\n" + " " * (COLUMN + 2)
    screen.line(f"  {screen.paint(typed, CYAN)}{gap}{meaning}")


@meta("quit", aliases=("q", "exit"))
def leave(session: Session, argument: str) -> None:
    """Leave aish."""
    del argument
    session.leaving = True


@meta("doctor")
def doctor(session: Session, argument: str) -> None:
    """Check what aish needs and say what to do about what is missing."""
    del argument
    if session.run_aish is not None:
        session.run_aish("doctor")


@meta("clear")
def clear(session: Session, argument: str) -> None:
    """Clear the screen; the conversation stays."""
    del argument
    if session.screen.terminal:
        session.screen.write("\x1b[H\x1b[2J\x1b[3J")
