"""Lines of an answer that ask for something: proposed commands.

A command is a *complete* line that begins with exactly `CMD: ` (or `CMD&: ` for the background).
A line that the stream cut short is never a command.
"""

from __future__ import annotations

from dataclasses import dataclass

from aish.core.repetition import is_degenerate

FOREGROUND = "CMD: "
BACKGROUND = "CMD&: "


@dataclass(frozen=True, slots=True)
class ProposedCommand:
    command: str
    background: bool = False


def command_in_line(line: str) -> ProposedCommand | None:
    """The command a complete line proposes, if it proposes one."""
    for prefix, background in ((FOREGROUND, False), (BACKGROUND, True)):
        if line.startswith(prefix):
            command = line.removeprefix(prefix).strip()
            return ProposedCommand(command, background) if command else None
    return None


def proposed_commands(answer: str, *, complete: bool) -> list[ProposedCommand]:
    """Every command an answer proposes; the last line counts only if the answer is complete."""
    lines = answer.split("\n")
    if not complete:
        lines = lines[:-1]
    found = (command_in_line(line.removesuffix("\r")) for line in lines)
    # The same proposal twice is one; a circle of words or a placeholder is none.
    offered = dict.fromkeys(command for command in found if command)
    return [proposal for proposal in offered if not is_degenerate(proposal.command)]
