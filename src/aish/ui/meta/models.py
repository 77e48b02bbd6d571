"""Choosing the model."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING

from aish.config.schema import EMBEDDED
from aish.ui.meta.registry import meta
from aish.ui.style import BOLD, DIM, GREEN, RED

if TYPE_CHECKING:
    from aish.ui.screen import Screen
    from aish.ui.session import Session

BESIDE_NAME = 7  # columns of a model's row before its details, without its name
# What the built-in model is for, and the way to a better one.
BUILT_IN = (
    "built in: for everyday commands and short answers, offline; `:model NAME` takes another of "
    "them. For more, name a larger model under [models.NAME] in the file of `aish config path`"
)


@meta("model", "[NAME]", choices=lambda session: session.models.choices())
def choose(session: Session, argument: str) -> None:
    """Show the model in use, or change it; a built-in one by its own name too."""
    if argument:
        session.models.use(argument)
    session.screen.notice(f"model: {session.models.shown}")


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
        head = f"{row.name:<12}"
        rows = _in_rows(screen, detail, indent=len(head) + BESIDE_NAME)
        screen.line(f"{mark} {head} {state}  " + rows)
    if session.models.current == EMBEDDED:
        screen.notice(BUILT_IN)


def _in_rows(screen: Screen, text: str, indent: int) -> str:
    """A text behind something else, broken between words where a terminal would anywhere."""
    room = screen.width - 1 - indent
    rows = [text]
    if screen.terminal and text:
        rows = wrap(text, max(20, room), break_long_words=False, break_on_hyphens=False)
    return ("\n" + " " * indent).join(screen.paint(row, DIM) for row in rows)
