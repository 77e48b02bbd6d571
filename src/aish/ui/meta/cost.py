"""What the session used and cost, and the ledger of all sessions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aish.core.errors import UsageError
from aish.ui.meta.registry import meta

if TYPE_CHECKING:
    from aish.ui.face import Face

WORDS = ("detail", "reset", "history")
GROUPS = ("day", "model", "project", "purpose")


@meta("cost", "[detail|reset|history [GROUP]]", choices=lambda _: WORDS)
def cost(face: Face, argument: str) -> None:
    """Show what this session used and cost.

    detail adds what came from caches, and the estimate where it was off by more than a tenth.
    reset counts from zero; the caps do not forget.
    history shows all sessions by day, model, project or purpose.
    """
    word, _, rest = argument.partition(" ")
    match word:
        case "" | "detail":
            _session(face, detail=bool(word))
        case "reset":
            face.models.spending.reset()
            face.screen.notice("the session's cost counts from zero")
        case "history":
            _history(face, rest.strip() or "day")
        case _:
            raise UsageError(f"{word!r} is no view of the cost", f":cost {'|'.join(WORDS)}")


def _session(face: Face, *, detail: bool) -> None:
    from aish.core.money.cost import dollar_text
    from aish.ui.cost_table import session_lines

    spending, screen = face.models.spending, face.screen
    rows = spending.rows()
    if not rows:
        screen.notice("nothing was asked in this session yet")
    for line in session_lines(rows, detail=detail):
        screen.line(line)
    if len(rows) > 1:
        screen.line(f"this session: {dollar_text(spending.micro)}")
    if detail or any(spending.caps):
        own, day = spending.caps
        screen.line(
            f"today, all sessions: {dollar_text(spending.today())}"
            + (
                f"; cap of a session {_amount(own)}, {dollar_text(spending.capped())} of it used"
                if own
                else ""
            )
            + (f"; cap of a day {_amount(day)}" if day else "")
        )


def _amount(dollars: float) -> str:
    """A cap as it is meant: one of tenths of a cent is not nothing."""
    from aish.core.money.cost import dollar_text, micro_dollars

    return dollar_text(micro_dollars(dollars))


def _history(face: Face, group: str) -> None:
    from aish.ui.cost_table import chart, explained

    if group not in GROUPS:
        raise UsageError(f"cost is not kept by {group!r}", f":cost history {'|'.join(GROUPS)}")
    groups = face.models.spending.history(group)
    if not groups:
        face.screen.notice("the ledger is empty")
    for line in (*chart(groups, face.screen.width), *explained(groups)):
        face.screen.line(line)
