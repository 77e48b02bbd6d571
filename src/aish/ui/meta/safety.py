"""What keeps commands from doing harm."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aish.core.errors import UsageError
from aish.ui.meta.registry import meta
from aish.ui.style import GREEN, YELLOW

if TYPE_CHECKING:
    from aish.ui.session import Session


@meta("safety", "[status]", choices=lambda _: ["status"])
def safety(session: Session, argument: str) -> None:
    """Show what protects here: trials, undo and the sandbox."""
    if argument not in ("", "status"):
        raise UsageError(f"{argument!r} is not `status`", ":safety status")
    from aish.sandbox.status import protection

    found, screen = protection(), session.screen
    for name, good, text in (
        ("trials", found.trial, found.trial_text),
        ("undo", found.trial, "old files of deleting commands are kept" if found.trial else "none"),
        ("sandbox", found.sandbox == "bwrap", found.sandbox_text),
    ):
        mark = screen.paint("✓", GREEN) if good else screen.paint("!", YELLOW)
        screen.line(f"{mark} {name:<8} {text}")
