"""What goes on behind the prompt: what a line needs is loaded, the shell and tool servers start."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from aish.ui.idle import Idle

if TYPE_CHECKING:
    from aish.shell.user_shell import UserShell
    from aish.ui.kinds import LineKinds


class Background:
    """Begun when the first prompt is on the screen."""

    def __init__(
        self,
        shell: UserShell,
        kinds: LineKinds,
        connect: Callable[[], None] | None,
        idle: Callable[[], float],
    ) -> None:
        """`idle`: what is done while nobody types; it says in how many seconds to call again."""
        self._connect = connect  # to the servers of tools, where there are any
        self.idle = Idle(idle)
        self._kinds = kinds
        self._shell = shell
        self.fileno = shell.fileno  # readable when a job has printed something; -1: nothing there
        self.output = shell.output
        self.show = shell.show
        self.attend = shell.attend

    @property
    def starting(self) -> bool:
        """Whether the shell still reads its start files."""
        return self._shell.starting

    @property
    def asks(self) -> bool:
        """Whether one of them waits for the user, who is to be let `attend` to it."""
        return self._shell.asks

    def begin(self) -> None:
        """The first prompt is on the screen: what it did not need may start now."""
        self._kinds.load()
        self._shell.begin()
        if self._connect is not None:
            self._connect()
