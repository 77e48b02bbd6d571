"""The approver for where nobody can be asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aish.core.actions import ProposedCommand
    from aish.engine.ports import Decision


class NeverRun:
    """Where nobody can be asked, nothing runs."""

    def approve(self, proposal: ProposedCommand) -> Decision:
        del proposal
        from aish.engine.ports import Decision

        return Decision("skip")
