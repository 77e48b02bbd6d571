"""What a call of a tool would do."""

from __future__ import annotations

from typing import Any

import pytest

from aish.core.safety.tool_calls import read_call
from aish.core.safety.verdict import HARMLESS, Effect, Verdict, verdict_of
from aish.core.tools import Tool


def judged(command: str) -> Verdict:
    if command.startswith("rm"):
        return verdict_of((Effect("deletes", "destructive", "deletes"),))
    return HARMLESS


def level(name: str, hints: dict[str, Any] | None = None, **arguments: Any) -> str:
    tool = Tool("s", name, hints=hints or {})
    return read_call(tool, arguments, judged, lambda path: path == "/there").level


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("run_command", {"command": "rm -rf /"}),
        ("terminal", {"input": "rm -rf ~"}),
        ("ShellExecute", {"args": {"cmd": ["rm", "-rf", "x"]}}),
        ("anything", {"steps": [{"command": "ls"}, {"command": "rm x"}]}),
        ("delete_file", {"path": "/x"}),
        ("deleteRepository", {}),
        ("HTTPDelete", {}),
        ("write_file", {"path": "/there", "content": ""}),
        ("write_file", {"path": "file:///there"}),
        ("edit_file", {"path": "/there", "edits": [{"oldText": "a", "newText": "b"}]}),
        ("move_file", {"source": "/a", "destination": "/there"}),
        ("query", {"sql": "drop table users"}),
        ("write_file", {"path": "notes.txt"}),  # where that is, only its server knows
        ("move_file", {"source": "a", "destination": "b"}),
    ],
)
def test_what_destroys_is_destructive(name: str, arguments: dict[str, Any]) -> None:
    assert level(name, **arguments) == "destructive"


def test_what_changes_or_runs_code_is_unknown() -> None:
    assert level("create_directory", path="new") == "unknown"
    assert level("move_card", to="Done") == "unknown"
    assert level("write_file", path="/new") == "unknown"
    assert level("evaluate", code="1 + 1") == "unknown"
    assert level("frobnicate", {"destructiveHint": True}) == "unknown"


def test_what_only_reads_is_harmless() -> None:
    assert level("read_file", path="/there") == "harmless"
    assert level("run_command", command="ls -l") == "harmless"
    assert level("query", sql="select 1") == "harmless"
