"""What stands between commands and the user's files: trials, undo and the sandbox."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from aish.core.logged import Logged
    from aish.core.mask import Mask
    from aish.sandbox.jail import Jail
    from aish.sandbox.trials import Trials


MEGABYTE = 1_000_000


class Safeguards:
    """Those of one process; each is loaded when it is first needed."""

    def __init__(
        self,
        data: Path,
        megabytes: int,
        home: str,
        own: tuple[str, ...],
        *,
        conversation: Logged,
        mask: Mask,
    ) -> None:
        """`megabytes`: of old files, are kept; `own`: folders no command may touch."""
        self._data = data
        self._limit = megabytes * MEGABYTE
        self._home = home
        self._own = own
        self._conversation = conversation
        self._mask = mask

    @cached_property
    def trials(self) -> Trials:
        """Where commands are tried, and their old files kept."""
        from aish.sandbox.trials import Trials

        return Trials(self._data, self._limit, self._home, self._conversation, self._mask)

    def keep(self, megabytes: int) -> None:
        """Of old files, from now on."""
        self._limit = megabytes * MEGABYTE
        if "trials" in vars(self):
            self.trials.limit = self._limit

    def jail(self, workspace: str) -> Jail:
        """The sandbox around a folder; aish's own files stay out of a command's reach."""
        from aish.sandbox.jail import Jail

        return Jail(workspace, self._own, self._home)
