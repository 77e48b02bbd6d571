"""What is in the directory decides lines that could be either kind."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from aish.core.classify import classify
from aish.core.located import At
from aish.ui.here import WordsHere
from aish.ui.names import LiveNames, NoShell


@pytest.fixture
def names(tmp_path: Path) -> LiveNames:
    (tmp_path / "home").mkdir()
    return LiveNames(NoShell(At(str(tmp_path))), "", str(tmp_path / "home"))


def kind(line: str, names: LiveNames) -> str:
    return classify(line, names).kind


@pytest.mark.parametrize("line", ["ls foo?", "rm core.?", "wc [ab].?"])
def test_a_pattern_that_matches_makes_a_command(
    line: str, names: LiveNames, tmp_path: Path
) -> None:
    for name in ("foo1", "core.1", "a.c"):
        (tmp_path / name).touch()
    assert kind(line, names) == "shell"


def test_words_that_are_files_here_make_a_command(names: LiveNames, tmp_path: Path) -> None:
    assert kind("cat them", names) == "ask"
    (tmp_path / "them").touch()
    assert kind("cat them", names) == "shell"
    assert kind("cat them and explain", names) == "ask"


def test_targets_of_the_makefile_are_commands(names: LiveNames, tmp_path: Path) -> None:
    assert kind("make it", names) == "ask"
    (tmp_path / "Makefile").write_text("VAR := x\nit nonsense: deps\n\ttrue\n")
    assert kind("make it", names) == "shell"
    assert kind("make nonsense", names) == "shell"
    assert kind("make it faster", names) == "ask"


def test_git_aliases_are_commands_of_the_user_and_of_the_repository(tmp_path: Path) -> None:
    (tmp_path / ".gitconfig").write_text("[user]\n  name = x\n[alias]\n  please = push\n[core]\n")
    (tmp_path / "repo" / ".git").mkdir(parents=True)
    (tmp_path / "repo" / ".git" / "config").write_text("[alias]\n\twho = shortlog\n")
    (tmp_path / "repo" / "deep").mkdir()
    here = WordsHere(At(str(tmp_path / "repo" / "deep")), str(tmp_path))
    assert here.found("git", "please")
    assert here.found("git", "who")
    assert not here.found("git", "name")


def test_scripts_of_a_package_and_recipes_of_a_justfile_are_found(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"name": "x", "scripts": {"shine": "true"}}')
    (tmp_path / "justfile").write_text("polish target='all':\n  true\n")
    here = WordsHere(At(str(tmp_path)), "")
    assert here.found("npm", "shine")
    assert not here.found("npm", "name")
    assert here.found("just", "polish")


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    here = WordsHere(At(str(tmp_path)), "")
    makefile = tmp_path / "Makefile"
    makefile.write_text("one:\n")
    assert here.found("make", "one")
    makefile.write_text("two:\n")
    os.utime(makefile, ns=(1, 1))
    assert here.found("make", "two")


def test_a_pipe_where_a_file_is_expected_keeps_nobody_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "Makefile")
    assert not WordsHere(At(str(tmp_path)), "").found("make", "x")
