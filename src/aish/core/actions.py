"""Lines of an answer that ask for something: proposed commands.

A command is a *complete* line that begins with exactly `CMD: ` (or `CMD&: ` for the background).
A line that the stream cut short is never a command, nor is one inside thinking or a code block.
"""

from __future__ import annotations

from collections.abc import Iterable

from aish.core.repetition import is_degenerate
from aish.core.spoken import shell_examples, spoken_lines
from aish.core.values import dataclass, field

FOREGROUND = "CMD: "
BACKGROUND = "CMD&: "
_BEGINNING = "CMD"  # of both


@dataclass(frozen=True, slots=True)
class ProposedCommand:
    command: str
    background: bool = False
    others: int = field(default=0, compare=False)  # how many more the model may be asked for
    after: tuple[str, ...] = field(default=(), compare=False)  # what the model had read before


def command_in_line(line: str) -> ProposedCommand | None:
    """The command a complete line proposes, if it proposes one."""
    for prefix, background in ((FOREGROUND, False), (BACKGROUND, True)):
        if line.startswith(prefix):
            command = _bare(line.removeprefix(prefix).strip())
            return ProposedCommand(command, background) if command else None
    return None


def _bare(text: str) -> str:
    """The command itself, where a model has set it as code or as typed at a prompt.

    In backticks it would run what it prints, which nobody means.
    """
    inner = text.strip("`")
    marks = (len(text) - len(inner)) // 2
    if marks and "`" not in inner and text == "`" * marks + inner + "`" * marks:
        text = inner.strip()
    return text.removeprefix("$ ").lstrip()


def proposed_commands(answer: str, *, complete: bool) -> list[ProposedCommand]:
    """Every command an answer proposes; the last line counts only if the answer is complete."""
    if _BEGINNING not in answer:
        return []
    found = map(command_in_line, spoken_lines(answer, complete=complete))
    return _worth_asking(command for command in found if command)


def offered_commands(answer: str, *, complete: bool) -> list[ProposedCommand]:
    """What the user is asked about: proposals, or else the shell code the answer shows."""
    proposals = proposed_commands(answer, complete=complete)
    examples = shell_examples(answer, complete=complete) if not proposals else ()
    return proposals or _worth_asking(map(ProposedCommand, examples))


def _worth_asking(proposals: Iterable[ProposedCommand]) -> list[ProposedCommand]:
    """The same proposal twice is one; a circle of words or a placeholder is none."""
    return [one for one in dict.fromkeys(proposals) if not is_degenerate(one.command)]
