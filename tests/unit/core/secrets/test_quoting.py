"""A secret put back into a proposed command is data, whatever is in it."""

from __future__ import annotations

import subprocess

import pytest

from aish.core.secrets.quoting import in_command

NASTY = "a'b\"c$(touch made)`id`;rm -rf ~ \\ !x"


@pytest.mark.parametrize("before", ["", "'", '"', "x'y'", 'x"y" ', "'q'\"", "\\"])
def test_the_shell_gets_the_value_in_every_kind_of_quotes(before: str, tmp_path: object) -> None:
    line = f"CMD: printf %s {before}"
    end = {"'": "'", '"': '"', "'q'\"": '"'}.get(before, "")
    command = (line + in_command(NASTY, "$P", line) + end).removeprefix("CMD: ")
    done = subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, check=True, cwd=str(tmp_path)
    )
    assert done.stdout.endswith(NASTY)


def test_elsewhere_the_value_stands_as_it_is() -> None:
    assert in_command(NASTY, "$P", "Take ") == NASTY
    assert in_command(NASTY, "$P", " CMD: echo ") == NASTY


def test_values_of_several_lines_stay_hidden_where_they_would_act() -> None:
    assert in_command("one\ntwo", "$P", "CMD: echo ") == "$P"
    assert in_command("one\nCMD: rm -rf ~", "$P", "Take ") == "$P"
    assert in_command("one\ntwo", "$P", "Take ") == "one\ntwo"
