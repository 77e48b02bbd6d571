"""Choosing the model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aish.config.schema import EMBEDDED
from aish.ui.meta.registry import meta
from aish.ui.style import BOLD, DIM, GREEN, RED, harmless, one_line

if TYPE_CHECKING:
    from aish.ui.face import Face

# What the built-in model is for, and the way to a better one.
BUILT_IN = (
    "built in: for everyday commands and short answers, offline; `:model NAME` takes another of "
    "them. For more, name a larger model under [models.NAME] in the file of `aish config path`"
)


@meta("model", "[NAME]", choices=lambda face: face.models.choices())
def choose(face: Face, argument: str) -> None:
    """Show the model in use, or change it; a built-in one by its own name too."""
    if argument:
        face.models.use(argument)
    face.screen.notice(f"model: {face.models.current_label}")


@meta("models")
def show(face: Face, argument: str) -> None:
    """List the configured models and whether they answer."""
    del argument
    screen = face.screen
    for row in face.models.look():
        mark = screen.paint("*", BOLD) if row.name == face.models.current else " "
        state = screen.paint("ok", GREEN) if row.ok else screen.paint("no", RED)
        window = f"{row.window:,} tokens" if row.window else ""
        window += " (as it said when it refused more)" if row.learned else ""
        counting = f"tokens: {row.counting}" if row.counting else ""
        parts = (row.model, window, row.price, row.detail, counting)
        detail = harmless(", ".join(filter(None, parts)))  # the server's own words among them
        detail = screen.worded(detail, "  ", len(f"* {row.name:<12} ok  "))
        screen.line(f"{mark} {one_line(row.name):<12} {state}  {screen.paint(detail, DIM)}")
    if face.models.current == EMBEDDED:
        screen.notice(BUILT_IN)
