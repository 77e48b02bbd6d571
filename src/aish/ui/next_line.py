"""What the next line begins with: a draft, a command taken for editing, keys typed meanwhile."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aish.shell.user_shell import UserShell
    from aish.ui.confirm import KeyApprover
    from aish.ui.face import Face
    from aish.ui.screen import Screen


class NextLine:
    """Asked once before each line; what it gives is gone afterwards."""

    def __init__(self, face: Face, approver: KeyApprover, screen: Screen, shell: UserShell) -> None:
        self._session = face
        self._approver = approver
        self._screen = screen
        self._shell = shell

    def text(self) -> str:
        draft, self._session.draft = self._session.draft, ""
        return self._approver.take_edited() or draft

    def keys(self) -> str:
        return self._shell.typed_ahead() + self._screen.take_typed()
