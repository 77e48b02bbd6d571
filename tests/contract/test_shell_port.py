"""What every shell that runs an approved command promises: the fake, the direct, the live."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from aish.core.money.bill import Bill
from aish.session.ports import Workplace
from aish.shell.direct import DirectShell
from aish.shell.user_shell import UserShell
from support.sitting import ScriptedShell


@contextmanager
def scripted(folder: Path) -> Iterator[Workplace]:
    yield ScriptedShell(folder)


@contextmanager
def direct(folder: Path) -> Iterator[Workplace]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield DirectShell()
    finally:
        os.chdir(before)


@contextmanager
def live(folder: Path) -> Iterator[Workplace]:
    shell = UserShell("bash", 1 << 16, str(folder), Bill())
    try:
        yield shell
    finally:
        shell.close()


REAL = {"direct": direct, "live": live}
ALL = {"scripted": scripted, **REAL}


@pytest.mark.parametrize("name", ALL)
def test_a_command_comes_back_with_its_words_and_status(name: str, tmp_path: Path) -> None:
    with ALL[name](tmp_path) as shell:
        for run in (shell.run, shell.enter):
            done = run("true")
            assert (done.command, done.status) == ("true", 0)


@pytest.mark.parametrize("name", ALL)
def test_a_shell_is_where_it_was_begun(name: str, tmp_path: Path) -> None:
    with ALL[name](tmp_path) as shell:
        assert shell.cwd == str(tmp_path)


@pytest.mark.parametrize("name", REAL)
def test_a_status_is_exact_and_a_signal_is_128_and_its_number(name: str, tmp_path: Path) -> None:
    with REAL[name](tmp_path) as shell:
        assert shell.run("(exit 7)").status == 7
        assert shell.run("bash -c 'kill -TERM $$'").status == 143


@pytest.mark.parametrize("name", REAL)
def test_an_approved_text_runs_as_it_stands(name: str, tmp_path: Path) -> None:
    with REAL[name](tmp_path) as shell:
        shell.run("printf '%s' '!!' 'a^b^c' $'two\\nlines' > out")
    assert (tmp_path / "out").read_text() == "!!a^b^ctwo\nlines"


@pytest.mark.parametrize("name", REAL)
def test_a_command_runs_where_the_shell_is(name: str, tmp_path: Path) -> None:
    with REAL[name](tmp_path) as shell:
        shell.run("pwd > here")
    assert (tmp_path / "here").read_text().strip() == str(tmp_path)


class Notebook:
    """Writes down what a shell tells whoever keeps the lines."""

    def __init__(self) -> None:
        self.kept: list[tuple[str, str]] = []
        self.gone: list[str] = []
        self.ended = 0

    def bash_keeps(self, line: str, kept: str, *, once: bool) -> None:
        assert not once
        self.kept.append((line, kept))

    def line_ended(self) -> None:
        self.ended += 1

    def bash_forgot(self, gone: list[str], *, cleared: bool) -> None:
        assert not cleared
        self.gone += gone


def test_whoever_keeps_lines_is_told_what_bash_made_of_them(tmp_path: Path) -> None:
    shell = UserShell("bash", 1 << 16, str(tmp_path), Bill())
    shell.keeper = notebook = Notebook()
    try:
        for line in ("echo one", "echo !$ two", "echo !nosuch", "history -d -2"):
            shell.enter(line)
    finally:
        shell.close()
    assert notebook.kept[:2] == [("echo one", "echo one"), ("echo !$ two", "echo one two")]
    assert notebook.kept[2] == ("echo !nosuch", "")
    assert notebook.gone == ["echo one two"]
    assert notebook.ended == 4


def test_what_the_shell_exports_is_told_past_every_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path / "nowhere"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "nowhere"))
    shell = UserShell("bash", 1 << 16, str(tmp_path), Bill())
    try:
        shell.enter("set -o noclobber; env() { false; }; export KEY=$'blue\nelephant'")
        assert shell.exported()["KEY"] == "blue\nelephant"
    finally:
        shell.close()
