"""Completion from the live shell's own functions, without a trace in the session."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.live import LiveTerminal


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[LiveTerminal]:
    (tmp_path / "file one.txt").touch()
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "inner").touch()
    with LiveTerminal(tmp_path, rc=". /usr/share/bash-completion/bash_completion") as terminal:
        terminal.run("true")
        yield terminal


def offers(shell: LiveTerminal, line: str) -> list[str]:
    shown = shell.ask(f"@complete {line}").replace("\n", "")
    found = re.match(r"from (\d+): (\[.*\])", shown)
    assert found, shown
    words = ast.literal_eval(found[2])
    return [line[: int(found[1])] + word for word in words]


def test_files_are_offered_quoted_and_directories_with_a_slash(shell: LiveTerminal) -> None:
    assert sorted(offers(shell, "cat f")) == ["cat file\\ one.txt ", "cat folder/"]
    assert offers(shell, "cat folder/") == ["cat folder/inner "]
    assert offers(shell, 'cat "file o') == ['cat "file one.txt" ']
    assert offers(shell, "cat 'file o") == ["cat 'file one.txt' "]
    assert offers(shell, "cat ~/fo") == ["cat ~/folder/"]
    assert offers(shell, "cat <fol") == ["cat <folder/"]


def test_commands_aliases_and_functions_are_offered(shell: LiveTerminal) -> None:
    shell.run("alias zzz_alias=ls; zzz_function() { :; }")
    assert sorted(offers(shell, "zzz_")) == ["zzz_alias ", "zzz_function "]
    assert offers(shell, "true && zzz_a") == ["true && zzz_alias "]
    assert offers(shell, "echo $(zzz_f") == ["echo $(zzz_function "]


def test_variables_are_offered(shell: LiveTerminal) -> None:
    shell.run("zzz_variable=1")
    assert offers(shell, "echo $zzz_") == ["echo $zzz_variable "]


def test_options_come_from_bash_completion(shell: LiveTerminal) -> None:
    assert "ls --almost-all " in offers(shell, "ls --al")
    assert offers(shell, "X=1 ls --almost") == ["X=1 ls --almost-all "]
    assert "git checkout " in [line.strip() + " " for line in offers(shell, "git check")]
    assert "tar --create" in [line.strip() for line in offers(shell, "tar --cr")]


def test_an_alias_completes_as_what_it_stands_for(shell: LiveTerminal) -> None:
    shell.run("alias gi='git --no-pager'")
    assert "gi checkout" in [line.strip() for line in offers(shell, "gi check")]


def test_specifications_of_the_user_are_followed(shell: LiveTerminal) -> None:
    shell.run("complete -W 'alpha beta' one")
    assert sorted(offers(shell, "one ")) == ["one alpha ", "one beta "]
    shell.run('_two() { COMPREPLY=("$3-$2"); compopt -o nospace; }; complete -F _two two')
    assert offers(shell, "two a b") == ["two a a-b"]
    shell.run("complete -A directory three")
    assert [line.rstrip(" /") for line in offers(shell, "three f")] == ["three folder"]


def test_completion_leaves_no_trace_in_the_session(shell: LiveTerminal) -> None:
    shell.run("_leak() { leaked=1; cd /; COMPREPLY=(x); echo noise; echo noise >&2; }")
    shell.run("complete -F _leak leak; (exit 4)")
    assert offers(shell, "leak ") == ["leak x "]
    assert shell.run("echo $? ${leaked-none} $PWD").startswith("4 none /tmp")
    assert shell.ask("@jobs") == "0 jobs"
    assert "__aish" not in shell.run("history | tail -3")


def test_a_hanging_completion_is_killed(shell: LiveTerminal) -> None:
    shell.run("_hang() { sleep 300; }; complete -F _hang hang")
    assert offers(shell, "hang ") == []
    assert shell.run("pgrep -x sleep -P $$ | wc -l") == "0\n= 0"
    assert shell.run("echo fine") == "fine\n= 0"
