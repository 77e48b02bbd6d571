"""What is hidden from models; no value is ever shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aish.core.errors import UsageError
from aish.ui.meta.registry import meta
from aish.ui.style import harmless

if TYPE_CHECKING:
    from aish.ui.face import Face


@meta("secrets", "[status|check TEXT]", choices=lambda _: ("status", "check"))
def secrets(face: Face, argument: str) -> None:
    """Show what is hidden from which model, or what a text would lose.

    Values are never shown: only how many there are, their kinds and placeholders.
    """
    word, _, text = argument.partition(" ")
    match word:
        case "" | "status":
            _status(face)
        case "check":
            _check(face, text.strip())
        case _:
            raise UsageError(f":secrets {word} means nothing", ":secrets status or check TEXT")


def _status(face: Face) -> None:
    report, screen = face.models.secrecy.report(), face.screen
    screen.line(harmless(f"vault: {report.vault} ({report.in_vault} values)"))
    for one in report.policies:
        screen.line(harmless(f"{one.preset:<12} {one.policy:<17} {one.endpoint}"))
    for placeholder, family in report.placeholders:
        screen.line(f"{placeholder:<20} {family}")
    if not report.placeholders:
        screen.line("nothing has been hidden in this session yet")


def _check(face: Face, text: str) -> None:
    if not text:
        raise UsageError("there is no text to check", ":secrets check TEXT")
    found = face.models.secrecy.check(text)
    face.screen.line(
        f"would be hidden: {', '.join(found)}" if found else "nothing in it looks like a secret"
    )
