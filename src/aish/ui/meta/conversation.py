"""The conversation: asking, running, looking back, starting afresh."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aish.core.errors import UsageError
from aish.core.typed_numbers import number_in
from aish.ui.meta.registry import meta
from aish.ui.style import BOLD, CYAN, harmless

if TYPE_CHECKING:
    from aish.ui.face import Face

SHOWN = 20  # lines that are about to be forgotten


@meta("ask", "TEXT")
def ask(face: Face, argument: str) -> None:
    """Ask the model, whatever the text looks like."""
    if not argument:
        raise UsageError("there is nothing to ask", ":ask why is the sky blue")
    face.ask(argument)


@meta("exec", "COMMAND")
def execute(face: Face, argument: str) -> None:
    """Run a shell command, whatever it looks like."""
    if not argument:
        raise UsageError("there is nothing to run", ":exec ls -l")
    face.execute(argument)


@meta("reset")
def reset(face: Face, argument: str) -> None:
    """Start the conversation afresh."""
    del argument
    face.play(face.conversation.reset())


@meta("new")
def new(face: Face, argument: str) -> None:
    """Begin a new session: an empty conversation with a log of its own."""
    del argument
    face.play(face.conversation.begin_anew())


@meta("history", "[N | forget TEXT|last|all]", choices=lambda _: ["forget "])
def history(face: Face, argument: str) -> None:
    """Show the conversation, or its last N turns; forget typed lines.

    forget TEXT takes all lines with this text out of the history of the prompt, in all sessions
    and on the disk, after showing them and asking; last, the line before this one.
    """
    word, _, rest = argument.partition(" ")
    if word == "forget":
        _forget(face, rest.strip())
        return
    turns = face.context.turns
    if argument:
        newest = number_in(argument)
        if not newest:
            raise UsageError(f"{argument!r} is not a number of turns", ":history 10")
        turns = turns[-newest:]
    if not turns:
        face.screen.notice("the conversation is empty")
    screen = face.screen
    for turn in turns:
        screen.line(screen.paint(turn.role, BOLD, CYAN))
        screen.line(harmless(turn.content).rstrip() + "\n")


def _forget(face: Face, wanted: str) -> None:
    lines, screen = face.typed_lines, face.screen
    if lines is None or face.answers is None:
        raise UsageError("no typed lines are kept here")
    if not wanted:
        raise UsageError("which lines?", ":history forget TEXT, or last")
    everything = lines.everything()
    found = [line for line in everything if wanted == "all" or wanted in line]
    if wanted == "last":
        found = everything[:1]
    if not found:
        screen.notice("no line has that")
        return
    for line in found[:SHOWN]:
        screen.line(f"  {harmless(line)}")
    count = f"all {len(found):,} lines" if len(found) > 1 else "this line"
    more = f"… and {len(found) - SHOWN:,} more; " if len(found) > SHOWN else ""
    if face.answers.choose(f"{more}forget {count}? [y/N]", "yn") == "y":
        lines.forget(found)
        screen.notice("forgotten; the logs of sessions are files of their own")
