"""What a request for a command may need to know: the system, the files here, the programs."""

from __future__ import annotations

import os
import shutil
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from aish.core.located import Located
from aish.core.proposal.meant import files_meant
from aish.core.proposal.wording import MachineFacts
from aish.core.shell_words import BUILTINS, KEYWORDS
from aish.project.options import Options
from aish.shell.release import distribution

if TYPE_CHECKING:
    from aish.engine.ports import Judge

LISTED = 2000  # entries of a directory that are looked at


class AroundHere:
    """The machine, and the directory the user is in."""

    def __init__(self, place: Located, path: str, judge: Judge) -> None:
        self._place = place
        self._judge = judge
        self._path = path
        self._options = Options(path)

    @cached_property
    def _system(self) -> str:
        return distribution()

    def machine_facts(self, request: str) -> MachineFacts:
        return MachineFacts(self._system, files_meant(request, self._names()))

    def _names(self) -> list[str]:
        try:
            with os.scandir(self._place.cwd or ".") as entries:
                return [entry.name for entry in islice(entries, LISTED)]
        except OSError:
            return []

    def has(self, program: str) -> bool:
        return program in BUILTINS | KEYWORDS or shutil.which(program, path=self._path) is not None

    def knows(self, program: str, option: str) -> bool:
        return self._options.known(program, option)

    def exists(self, name: str) -> bool:
        return os.path.lexists(Path(self._place.cwd or ".") / Path(name).expanduser())

    def reads(self, command: str) -> bool:
        verdict = self._judge.judge(command, self._place.cwd)
        return not any(effect.kind == "unreadable" for effect in verdict.effects)

    def destroys(self, command: str) -> str:
        verdict = self._judge.judge(command, self._place.cwd)
        return verdict.reason if verdict.level == "destructive" else ""
