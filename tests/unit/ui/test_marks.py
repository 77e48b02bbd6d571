"""What terminals are told besides the text."""

from __future__ import annotations

import os
from pathlib import Path

from aish.config.schema import Config
from aish.models.secrecy import Secrecy
from aish.ui.marks import Marks


def written(environ: dict[str, str]) -> str:
    told: list[str] = []
    marks = Marks(told.append, environ)
    marks.prompt("/tmp/a b%")
    marks.began("make test")
    marks.ended(2)
    marks.began(" secret words")
    marks.ended(0)
    return "".join(told)


def test_prompts_commands_directory_and_title_are_marked() -> None:
    text = written({"TERM": "xterm"})
    assert f"\x1b]7;file://{os.uname().nodename}/tmp/a%20b%25\x1b\\" in text
    assert text.index("\x1b]133;A") < text.index("\x1b]133;C") < text.index("\x1b]133;D;2")
    assert "\x1b]2;make test\x1b\\" in text


def test_a_private_line_is_in_no_title() -> None:
    assert "secret" not in written({"TERM": "xterm"})


def test_a_line_with_a_secret_is_in_no_title() -> None:
    told: list[str] = []
    secrecy = Secrecy(Config(), Path("/nonexistent/vault"), {})
    marks = Marks(told.append, {"TERM": "xterm"}, secrecy)
    marks.began("mysql --password=moon-fish-tango9 shop")
    marks.ended(0)
    assert "tango9" not in "".join(told)
    marks.began("mysql shop")
    assert "\x1b]2;mysql shop\x1b\\" in told


def test_terminals_that_would_show_them_get_none() -> None:
    assert written({"TERM": "dumb"}) == written({"TERM": "linux"}) == written({}) == ""
