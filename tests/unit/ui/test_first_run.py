"""The first time at the prompt."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from aish.store.history import LineHistory
from aish.ui.first_run import offer_bash_history
from aish.ui.screen import Screen


class Asked:
    """Says yes, and how often."""

    def __init__(self) -> None:
        self.questions: list[str] = []

    def choose(self, question: str, keys: str) -> str:
        self.questions.append(question)
        return "y"

    def typed_line(self, question: str) -> str:
        raise AssertionError(question)

    def edited(self, text: str) -> str:
        raise AssertionError(text)


def offered(tmp_path: Path) -> tuple[list[str], list[str]]:
    asked, file = Asked(), tmp_path / "history.jsonl"
    lines = LineHistory(file)
    offer_bash_history(file, lines, asked, Screen())
    return asked.questions, lines.newest_first()


def test_a_history_that_is_a_link_comes_along(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "dotfile").write_bytes(b"ls -l\nmake \xff\n")
    (tmp_path / "link").symlink_to(tmp_path / "dotfile")
    monkeypatch.setenv("HISTFILE", str(tmp_path / "link"))
    questions, lines = offered(tmp_path)
    assert len(questions) == 1
    assert lines == ["make �", "ls -l"]


def test_a_pipe_or_a_device_for_a_history_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name in (str(tmp_path / "pipe"), "/dev/zero"):
        monkeypatch.setenv("HISTFILE", name)
        assert offered(tmp_path) == ([], [])
