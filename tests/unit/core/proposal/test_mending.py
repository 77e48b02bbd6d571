"""What a rule knows better than a small model: new folders are made, names with blanks quoted."""

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
        ('move a to a new folder called "my docs"', "mv a my docs/"),
        ("remove the new folder build", "rm -rf build"),
    ],
)
def test_nothing_else_is_touched(request_: str, command: str) -> None:
    assert mended(command, request_) == command


@pytest.mark.parametrize(
    ("request_", "command", "expected"),
    [
        ('delete "my file.txt"', "rm my file.txt", "rm 'my file.txt'"),
        ("count lines of 'a b.txt' and 'c d.txt'", "wc -l a b.txt c d.txt", "wc -l 'a b.txt' 'c d.txt'"),
        ('say "it is done"', "echo it is done", "echo it is done"),
        ('run "ls -la" and count', "ls -la | wc -l", "ls -la | wc -l"),
        ('what does "git status" say', "git status", "git status"),
        ('print "a; echo b c.txt"', "tr '\\\\' '/' <<< 'a; echo b c.txt'", "tr '\\\\' '/' <<< 'a; echo b c.txt'"),
        ('delete "my file.txt"', "rm 'my file.txt'", "rm 'my file.txt'"),
        ('delete "my file.txt"', 'rm "my file.txt"', 'rm "my file.txt"'),
        ('delete "my file.txt"', "rm my\\ file.txt", "rm my\\ file.txt"),
        ('find "foo bar" in x', "grep 'a foo bar b' x", "grep 'a foo bar b' x"),
        ('show "a b.txt"', "cat dir/a b.txt", "cat dir/a b.txt"),
    ],
)  # fmt: skip
def test_a_name_with_a_blank_stays_one_word(request_: str, command: str, expected: str) -> None:
    assert mended(command, request_) == expected
