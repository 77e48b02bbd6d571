"""Choosing the model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aish.ui.meta.registry import meta
from aish.ui.style import BOLD, DIM, GREEN, RED

if TYPE_CHECKING:
    from aish.ui.session import Session


@meta("model", "[NAME]", choices=lambda session: session.models.names())
def choose(session: Session, argument: str) -> None:
    """Show the model in use, or change it."""
    if argument:
        session.models.use(argument)
    session.screen.notice(f"model: {session.models.current}")


@meta("models")
def show(session: Session, argument: str) -> None:
    """List the configured models and whether they answer."""
    del argument
    screen = session.screen
    for row in session.models.look():
        mark = screen.paint("*", BOLD) if row.name == session.models.current else " "
        state = screen.paint("ok", GREEN) if row.ok else screen.paint("no", RED)
        window = f"{row.window:,} tokens" if row.window else ""
        window += " (as it said when it refused more)" if row.learned else ""
        counting = f"tokens: {row.counting}" if row.counting else ""
        parts = (row.model, window, row.price, row.detail, counting)
        detail = ", ".join(filter(None, parts))
        screen.line(f"{mark} {row.name:<12} {state}  {screen.paint(detail, DIM)}")
