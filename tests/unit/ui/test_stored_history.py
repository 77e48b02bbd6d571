"""The lines behind the prompt: this session's, those of others, and what is forgotten."""

from __future__ import annotations

import asyncio
import io
from pathlib import Path

from aish.core.mask import Mask
from aish.store.history import LineHistory
from aish.ui.history import StoredHistory
from aish.ui.screen import Screen
from support.masks import WordMask


async def prompt(history: StoredHistory) -> None:
    """A prompt that stays until the file is read, however often that takes."""
    async for _ in history.load():
        pass
    while not history.read or history._reading:
        await asyncio.sleep(0.01)
        history._take()  # the loop of the first prompt is gone


def enter(history: StoredHistory, line: str, *, once: bool = False) -> None:
    history.append_string(line)
    history.bash_keeps(line, line, once=once)


class Sitting:
    """A session with its own view of the file."""

    def __init__(self, file: Path, mask: Mask | None = None) -> None:
        self.file = LineHistory(file, mask=mask)
        self._said = io.StringIO()
        self.history = StoredHistory(self.file, Screen(self._said, self._said))

    @property
    def said(self) -> list[str]:
        return [line.removeprefix("[aish] ") for line in self._said.getvalue().splitlines()]

    def prompt(self) -> list[str]:
        asyncio.run(prompt(self.history))
        return self.history.lines


def test_own_lines_come_first_then_those_of_others_then_the_file(tmp_path: Path) -> None:
    file = tmp_path / "history.jsonl"
    LineHistory(file).add("old")
    one, two = Sitting(file), Sitting(file)
    one.prompt(), two.prompt()
    enter(one.history, "a")
    enter(two.history, "b")
    enter(two.history, "c")
    enter(two.history, "b")
    assert one.prompt() == ["a", "b", "c", "old"]
    assert two.prompt() == ["b", "c", "b", "a", "old"]
    enter(one.history, "d")
    assert one.prompt() == ["d", "a", "b", "c", "old"]
    assert one.history.fresh == 4


def test_a_line_forgotten_elsewhere_is_gone_here_and_a_secret_one_stays(tmp_path: Path) -> None:
    file = tmp_path / "history.jsonl"
    one, two = Sitting(file, WordMask("secret")), Sitting(file)
    one.prompt(), two.prompt()
    for line in ("a", "b", "secret"):
        enter(one.history, line)
    two.prompt()
    two.history.forget(["a"])
    assert one.prompt() == ["secret", "b"]
    assert two.prompt() == ["b"]


def test_a_command_is_kept_as_bash_says_and_one_that_never_ran_as_typed(tmp_path: Path) -> None:
    one = Sitting(tmp_path / "history.jsonl")
    history = one.history
    one.prompt()
    history.append_string("! echo !$")
    history.bash_keeps("echo !$", "echo x", once=False)
    history.append_string("ls")
    history.bash_keeps("ls", "", once=False)
    history.append_string("refused")
    assert one.prompt() == ["refused", "! echo x"]
    history.bash_keeps("of aish itself", "of aish itself", once=False)
    assert one.prompt() == ["refused", "! echo x"]


def test_each_line_once_where_the_user_wants_that(tmp_path: Path) -> None:
    file = tmp_path / "history.jsonl"
    LineHistory(file).add("a")
    LineHistory(file).add("b")
    one = Sitting(file)
    one.prompt()
    enter(one.history, "a", once=True)
    assert one.prompt() == ["a", "b"]
    assert one.history.older == "\0b\0"


def test_what_bash_forgot_is_found_in_its_own_layout_and_in_rows(tmp_path: Path) -> None:
    file = tmp_path / "history.jsonl"
    lines = LineHistory(file)
    kept = ["echo 1", "?why", "ls"]
    for line in (*kept, "for x in 1\ndo y\ndone", "$ make", "cd\nexport KEY=x"):
        lines.add(line)
    one = Sitting(file)
    one.prompt()
    one.history.bash_forgot(["for x in 1; do y; done", "make", "export KEY=x"], cleared=False)
    assert one.prompt() == lines.newest_first() == kept[::-1]
    one.history.bash_forgot(["echo 1", "ls"], cleared=True)
    assert one.prompt() == ["?why"]
    assert one.said == ["bash did not have 1 line of the history: `:history forget all`"]


def test_a_disk_that_refuses_is_told_once_until_it_takes_a_line(tmp_path: Path) -> None:
    sitting = Sitting(tmp_path / "history.jsonl")
    sitting.prompt()
    sitting.file.path.mkdir()
    for line in ("one", "two", "three"):
        enter(sitting.history, line)
        sitting.history.line_ended()
    assert len(sitting.said) == 1
    sitting.file.path.rmdir()
    enter(sitting.history, "four")
    sitting.file.path.unlink()
    sitting.file.path.mkdir()
    enter(sitting.history, "five")
    sitting.history.line_ended()
    assert len(sitting.said) == 2
