"""Asking before a proposed command runs; whatever is not a clear yes is a no."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

from aish.ui.keys import CTRL_C, CTRL_D, ESCAPE, read_key, unbuffered, waiting_input
from aish.ui.style import BOLD, CYAN, DIM, escaped, harmless

if TYPE_CHECKING:
    from aish.core.actions import ProposedCommand
    from aish.engine.ports import Decision
    from aish.ui.screen import Screen

QUESTION = "[r]un [e]dit e[x]plain [c]opy [s]kip"


class NeverRun:
    """Where nobody can be asked, nothing runs."""

    def approve(self, proposal: ProposedCommand) -> Decision:
        del proposal
        from aish.engine.ports import Decision

        return Decision("skip")


class Confirm:
    """A question with yes or no; no where nobody is at a terminal."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen

    def __call__(self, question: str) -> bool:
        """True for `y` alone."""
        import sys

        if not (sys.stdin and sys.stdin.isatty() and self._screen.err.isatty()):
            return False
        self._screen.still()
        descriptor = sys.stdin.fileno()
        with unbuffered(descriptor):
            waiting_input(descriptor)  # what was typed before the question is no answer to it
            self._screen.err.write(f"{harmless(question)} [y/N] ")
            self._screen.err.flush()
            key = read_key(descriptor).lower()
        self._screen.err.write("yes\n" if key == "y" else "no\n")
        self._screen.err.flush()
        if key == CTRL_C:  # not only no, but no more of this
            raise KeyboardInterrupt
        return key == "y"


class KeyApprover:
    """One key decides; the command to edit and text typed ahead wait for the next prompt."""

    def __init__(self, screen: Screen, stdin: int) -> None:
        self._screen = screen
        self._stdin = stdin
        self._edited = ""
        self._typed = ""

    def take_edited(self) -> str:
        """The command to be edited in the next line, once."""
        text, self._edited = self._edited, ""
        return text

    def take_typed(self) -> str:
        """What was typed before the question stood there, once."""
        typed, self._typed = self._typed, ""
        return typed

    def approve(self, proposal: ProposedCommand) -> Decision:
        with unbuffered(self._stdin):
            # What was typed before the question stood there is no answer to it.
            self._typed += waiting_input(self._stdin)
            self._show(proposal)
            decision = self._decide(proposal)
        self._screen.line(decision.choice)
        if decision.choice == "edit":
            self._edited = proposal.command
        return decision

    def _show(self, proposal: ProposedCommand) -> None:
        shown = self._screen.paint(escaped(proposal.command), CYAN)
        word = self._screen.paint("run in the background:" if proposal.background else "run:", BOLD)
        self._screen.write(f"{word} {shown}  {self._screen.paint(QUESTION, DIM)} ")

    def _copy(self, command: str) -> None:
        """To the clipboard of the terminal (OSC 52), because the user asked for just that."""
        data = base64.b64encode(command.encode("utf-8", "surrogateescape")).decode()
        self._screen.write(f"\x1b]52;c;{data}\x07{self._screen.paint('copied', DIM)} ")

    def _decide(self, proposal: ProposedCommand) -> Decision:
        from aish.engine.ports import Decision

        while True:
            match read_key(self._stdin):
                case "x" | "?":
                    return Decision("explain")
                case "c":
                    self._copy(proposal.command)
                case "r" | "y":
                    return Decision("run", proposal.command)
                case "e":
                    return Decision("edit")
                case "s" | "n" | "\r" | "\n":
                    return Decision("skip")
                case key if key in (CTRL_C, CTRL_D, ESCAPE, "q"):
                    return Decision("stop")
                case _:
                    continue  # a key that means nothing here
