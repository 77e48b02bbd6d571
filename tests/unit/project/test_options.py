"""The real programs say which options they have."""

from __future__ import annotations

import os
from pathlib import Path

from aish.core.located import At
from aish.project.around import AroundHere
from aish.project.options import Options
from aish.shell.command_reader import CommandReader

OPTIONS = Options(os.environ.get("PATH", os.defpath))


def test_an_option_that_a_program_lists_is_known() -> None:
    assert OPTIONS.known("ls", "--all")
    assert OPTIONS.known("sort", "--rev")  # cut short
    assert OPTIONS.known("find", "-mtime")


def test_an_option_that_it_does_not_list_is_not() -> None:
    assert not OPTIONS.known("ls", "--newest")
    assert not OPTIONS.known("find", "-newest-first")


def test_short_options_and_other_programs_are_given_the_benefit_of_the_doubt() -> None:
    assert OPTIONS.known("ls", "-Q")
    assert OPTIONS.known("git", "--whatever")


def test_a_program_of_the_users_own_is_not_run(tmp_path: Path) -> None:
    told = tmp_path / "told"
    (tmp_path / "ls").write_text(f"#!/bin/sh\ntouch {told}\n")
    (tmp_path / "ls").chmod(0o755)
    assert Options(str(tmp_path)).known("ls", "--newest")
    assert not told.exists()


def test_a_file_is_looked_for_where_the_user_is(tmp_path: Path) -> None:
    (tmp_path / "a.txt").touch()
    around = AroundHere(At(str(tmp_path)), "/usr/bin", CommandReader(str(tmp_path)))
    assert around.exists("a.txt")
    assert not around.exists("b.txt")
    assert not around.knows("ls", "--newest")


def test_what_a_command_would_destroy_here_is_read_before_it_is_offered(tmp_path: Path) -> None:
    reader = CommandReader(str(tmp_path))
    around = AroundHere(At(str(tmp_path)), "/usr/bin", reader)
    try:
        assert around.destroys("ls -l") == ""
        assert "deletes" in around.destroys("find . -name '*.log' -delete")
    finally:
        reader.close()


def test_what_bash_cannot_read_is_told_from_what_it_can(tmp_path: Path) -> None:
    reader = CommandReader(str(tmp_path))
    around = AroundHere(At(str(tmp_path)), "/usr/bin", reader)
    try:
        assert around.reads("ls -l docs/*")
        assert not around.reads("ls -l(docs/*)")
    finally:
        reader.close()
