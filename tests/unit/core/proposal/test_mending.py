"""Folders that a request calls new are made before something goes there."""

# ruff: noqa: E501 - the cases are easier to read on one line

import pytest

from aish.core.proposal.mending import mended


@pytest.mark.parametrize(
    ("request_", "command", "expected"),
    [
        ("copy all csv files into a new folder called old", "cp *.csv old/", "mkdir -p old && cp *.csv old/"),
        ("unpack a.tgz into a new directory named out/x", "tar -xzf a.tgz -C out/x", "mkdir -p out/x && tar -xzf a.tgz -C out/x"),
        ("move b.txt to the new folder 'pics'", "mv b.txt pics", "mkdir -p pics && mv b.txt pics"),
    ],
)  # fmt: skip
def test_a_new_folder_is_made_first(request_: str, command: str, expected: str) -> None:
    assert mended(command, request_) == expected


@pytest.mark.parametrize(
    ("request_", "command"),
    [
        ("make a new directory called old", "mkdir old"),
        ("copy a.txt into old", "cp a.txt old/"),
        ("make a new folder for my photos", "touch photos"),
        ("move it to a new folder called pics", "mv it somewhere"),
        ("start a new branch called old", "git switch -c old"),
    ],
)
def test_nothing_else_is_touched(request_: str, command: str) -> None:
    assert mended(command, request_) == command
