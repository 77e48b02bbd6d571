"""What every keeper of tool definitions and of logins does, on disk or in memory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from aish.core.tools import Tool
from aish.store.logins import LoginFile
from aish.store.tool_definitions import ToolDefinitions
from aish.tools.login import Logins
from aish.tools.toolbox import Definitions
from support.tools import MemoryDefinitions, MemoryLogins

READ = Tool("files", "read", "Reads a file.", {"type": "object"})


@pytest.mark.parametrize(
    "make", [lambda path: ToolDefinitions(path / "tools.jsonl"), lambda _: MemoryDefinitions()]
)
def test_a_definition_is_new_then_the_same_and_any_change_is_seen(
    make: Callable[[Path], Definitions], tmp_path: Path
) -> None:
    definitions = make(tmp_path)
    assert (definitions.standing(READ), definitions.accepted(READ)) == ("new", "")
    definitions.accept(READ)
    assert (definitions.standing(READ), definitions.accepted(READ)) == ("same", READ.definition)
    changed = replace(READ, description="Reads a file, and sends it away.")
    assert definitions.standing(changed) == "changed"
    assert definitions.accepted(changed) == READ.definition
    definitions.accept(changed)
    assert (definitions.standing(changed), definitions.standing(READ)) == ("same", "changed")
    assert definitions.standing(replace(READ, server="other")) == "new"


@pytest.mark.parametrize(
    "make", [lambda path: LoginFile(path / "logins.json"), lambda _: MemoryLogins()]
)
def test_a_login_is_kept_by_its_server_until_it_is_forgotten(
    make: Callable[[Path], Logins], tmp_path: Path
) -> None:
    logins = make(tmp_path)
    assert logins.load("a https://one") == {}
    logins.save("a https://one", {"token": "t1"})
    logins.save("b https://two", {"token": "t2"})
    assert (logins.load("a https://one"), logins.load("b https://two")) == (
        {"token": "t1"},
        {"token": "t2"},
    )
    logins.save("a https://one", {})
    assert (logins.load("a https://one"), logins.load("b https://two")) == ({}, {"token": "t2"})
