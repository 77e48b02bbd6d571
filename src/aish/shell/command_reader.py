"""Reads commands where they would run: the parser, the disk and the user's rules put together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from aish.core.safety import Verdict
    from aish.core.safety.user_rules import UserRule
    from aish.core.tools import Tool
    from aish.shell.disk_files import DiskFiles
    from aish.shell.shfmt import Shfmt


class CommandReader:
    """Judges commands; one for a process, so that its parser stays warm.

    What reading takes is loaded with the first command.
    """

    def __init__(
        self, home: str, user: str = "", rules: Iterable[str] = (), temp: str = ""
    ) -> None:
        self._home = home
        self._user = user or "user"
        self._texts = tuple(rules)
        self._temp = temp

    @cached_property
    def _parse(self) -> Shfmt:
        from aish.shell.shfmt import Shfmt

        return Shfmt()

    @cached_property
    def _files(self) -> DiskFiles:
        from aish.shell.disk_files import DiskFiles

        return DiskFiles()

    @cached_property
    def rules(self) -> tuple[UserRule, ...]:
        """Raises: ConfigError."""
        from aish.core.safety.user_rules import parse_rule

        return tuple(parse_rule(text, self._home) for text in self._texts)

    def judge(self, command: str, cwd: str) -> Verdict:
        """What the command would do if it ran in this directory."""
        from aish.core.safety import Situation, judge
        from aish.shell.disk_files import project_root

        situation = Situation(
            cwd=cwd,
            home=self._home,
            project=project_root(cwd),
            session_temp=self._temp,
            user=self._user,
            files=self._files,
        )
        return judge(command, self._parse, situation, self.rules)

    def judge_call(self, tool: Tool, arguments: Mapping[str, Any], cwd: str) -> Verdict:
        """What a call of a tool would do, its commands and files seen from this directory."""
        from aish.core.safety.tool_calls import read_call
        from aish.shell.disk_files import is_there

        return read_call(
            tool, arguments, lambda text: self.judge(text, cwd), partial(is_there, cwd)
        )

    def warm(self) -> None:
        """Start what the first verdict would have to wait for."""
        self._parse.warm()

    def close(self) -> None:
        if "_parse" in vars(self):
            self._parse.close()
