"""Reads commands where they would run: the parser, the disk and the user's rules put together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from aish.core.safety import Situation, Verdict, judge
from aish.core.safety.user_rules import UserRule, parse_rule
from aish.core.tools import Tool
from aish.shell.disk_files import DiskFiles, is_there, project_root
from aish.shell.shfmt import Shfmt


class CommandReader:
    """Judges commands; one for a process, so that its parser stays warm."""

    def __init__(
        self, home: str, user: str = "", rules: Iterable[str] = (), temp: str = ""
    ) -> None:
        self._home = home
        self._user = user or "user"
        self._rules = tuple(parse_rule(text, home) for text in rules)
        self._temp = temp
        self._parse = Shfmt()
        self._files = DiskFiles()

    @property
    def rules(self) -> tuple[UserRule, ...]:
        return self._rules

    def judge(self, command: str, cwd: str) -> Verdict:
        """What the command would do if it ran in this directory."""
        situation = Situation(
            cwd=cwd,
            home=self._home,
            project=project_root(cwd),
            session_temp=self._temp,
            user=self._user,
            files=self._files,
        )
        return judge(command, self._parse, situation, self._rules)

    def judge_call(self, tool: Tool, arguments: Mapping[str, Any], cwd: str) -> Verdict:
        """What a call of a tool would do, its commands and files seen from this directory."""
        from aish.core.safety.tool_calls import read_call

        return read_call(
            tool, arguments, lambda text: self.judge(text, cwd), partial(is_there, cwd)
        )

    def warm(self) -> None:
        """Start what the first verdict would have to wait for."""
        self._parse.warm()

    def close(self) -> None:
        self._parse.close()
