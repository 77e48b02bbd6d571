"""Meta commands: found by name, explained by their docstrings."""

from __future__ import annotations

import pytest

from aish.core.errors import UsageError
from aish.ui import meta


def test_every_command_has_a_one_line_summary() -> None:
    for command in meta.commands():
        assert command.summary.endswith("."), command.name
        assert len(command.summary) <= 72, command.name


def test_the_promised_commands_exist() -> None:
    names = {command.name for command in meta.commands()}
    promised = "help quit q clear reset model models history exec ask"
    assert set(promised.split()) <= names


def test_a_wrong_name_suggests_the_right_one() -> None:
    with pytest.raises(UsageError) as caught:
        meta.find("hepl")
    assert caught.value.hint == "did you mean :help?"
    with pytest.raises(UsageError) as caught:
        meta.find("zzzzzz")
    assert ":help" in caught.value.hint
