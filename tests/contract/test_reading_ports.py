"""What is asked while a line or a command is read: names, files and tokenizers, fakes and real."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from aish.core.classify.known import WELL_KNOWN, CommandNames
from aish.core.context.estimate import ANY, FAMILIES
from aish.core.context.tokenizer_registry import Tokenizer
from aish.core.located import At
from aish.core.safety.situation import FileCount, Files, NoFiles
from aish.shell.disk_files import DiskFiles
from aish.ui.names import LiveNames, NoShell


def live_names(folder: Path) -> CommandNames:
    return LiveNames(NoShell(At(str(folder))), "/usr/bin:/bin")


NAMES: list[Callable[[Path], CommandNames]] = [lambda _: WELL_KNOWN, live_names]


@pytest.mark.parametrize("make", NAMES)
def test_names_tell_keywords_builtins_and_programs_apart(
    make: Callable[[Path], CommandNames], tmp_path: Path
) -> None:
    names = make(tmp_path)
    assert names.kind_of("while") == "keyword"
    assert names.kind_of("cd") == "builtin"
    assert names.kind_of("ls") == "program"
    assert names.kind_of("no-such-program-at-all") is None
    assert names.kind_of("") is None
    assert not names.finds("ls", "nothing-of-this-name")


@pytest.mark.parametrize("files", [NoFiles(), DiskFiles()])
def test_what_is_not_there_is_nothing_a_write_would_replace(files: Files, tmp_path: Path) -> None:
    for path in (str(tmp_path / "nothing"), "\0", "x" * 5000):
        assert not files.exists(path)
        assert files.count_below(path) is None
        assert not files.is_folder(path)
        assert files.found(("build",), path) is None
        assert not files.ignored(path)


def test_the_disk_counts_what_is_below_and_knows_what_git_ignores(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    (tmp_path / ".gitignore").write_text("build/\n")
    (tmp_path / "build").mkdir()
    for name in ("a", "b"):
        (tmp_path / "build" / name).write_text("x")
    files = DiskFiles()
    assert files.exists(str(tmp_path / "build" / "a"))
    assert files.count_below(str(tmp_path / "build")) == FileCount(2)
    assert files.found((str(tmp_path / "build"), "-name", "a"), str(tmp_path)) == FileCount(1)
    assert files.found(("build", "-type", "f"), str(tmp_path)) == FileCount(2)
    assert files.ignored(str(tmp_path / "build" / "a"))
    assert not files.ignored(str(tmp_path / ".gitignore"))


@pytest.mark.parametrize("tokenizer", [ANY, *FAMILIES.values()], ids=lambda found: found.name)
def test_a_tokenizer_counts_the_same_text_the_same_and_nothing_as_nothing(
    tokenizer: Tokenizer,
) -> None:
    assert tokenizer.count("") == 0
    for text in ("hello world", "größer", "数字", "\ud800", "\0", "a" * 10_000):
        assert tokenizer.count(text) == tokenizer.count(text) > 0
    assert tokenizer.count("word " * 200) > tokenizer.count("word " * 100)
