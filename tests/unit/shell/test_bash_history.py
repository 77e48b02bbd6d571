"""What bash keeps of a line in its history."""

from __future__ import annotations

import pytest

from aish.shell.bash_history import KeptLine, forgets, forgets_all, forgotten, listed


def kept(line: str, before: str, *starts: str, end: str = "") -> list[str]:
    """What is told of a line, given `history 1` before it, as its commands begin, and at last."""
    told: list[str] = []
    one = KeptLine(line, before.encode(), told.append)
    for newest in starts:
        one.begins(newest.encode())
    one.ends((end or (starts[-1] if starts else before)).encode())
    return told


def test_a_line_is_kept_as_bash_expanded_it() -> None:
    assert kept("echo !$", "    1  ls a\n", "    2  echo a\n") == ["echo a"]
    assert kept("echo )", "", end="    1  echo )\n") == ["echo )"]
    assert kept("echo a", "  500  x\n", "  501* echo a\n") == ["echo a"]


def test_what_bash_does_not_keep_is_not_kept() -> None:
    assert kept("echo !none", "    1  ls\n") == [""]
    assert kept("ignored", "    1  ls\n", "    1  ls\n") == [""]
    assert kept("history -d 2", "    2  b\n", "    2  b\n", end="    1  a\n") == [""]


def test_a_repeat_is_left_to_whoever_keeps_the_lines() -> None:
    assert kept("make", "    1  make\n", "    1  make\n") == ["make"]


def test_each_line_once_gives_the_new_one_the_number_of_the_last() -> None:
    assert kept("a", "    3  c\n", "    3  a\n") == ["a"]


def test_several_lines_keep_their_layout_unless_one_was_expanded() -> None:
    loop = "for x in 1\ndo y\ndone"
    assert kept(loop, "", "    1  for x in 1; do y; done\n") == [loop]
    assert kept("echo a\necho b!$", "", "    1  echo a\n", "    2  echo ba\n") == [
        "echo a\necho ba"
    ]
    assert kept("echo a!\necho b", "", "    1  echo a!\n", "    2  echo b\n") == ["echo a!\necho b"]


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("history -d 5", True),
        (" builtin history -c", True),
        ("history -cw && exit", True),
        ("for n in 1 2; do history -d 7; done", True),
        ("history -a; history -c; history -r", False),
        ("history", False),
        ("echo 'history -c'", False),
    ],
)
def test_lines_that_take_others_out_are_known(line: str, wanted: bool) -> None:
    assert forgets(line) == wanted


def test_a_list_has_lines_of_several_rows_and_counts_only_when_it_is_whole() -> None:
    answer = b"    1  MARKls\n    2* MARKcat <<E\n    3  x\nE\nMARK."
    assert listed(answer, "MARK") == [(1, "ls"), (2, "cat <<E\n    3  x\nE")]
    assert listed(b"MARK.", "MARK") == []
    assert listed(answer[:-3], "MARK") is None
    assert listed(b"", "MARK") is None


def test_what_a_full_history_pushes_out_is_not_forgotten() -> None:
    before = [(1, "oldest"), (2, "a secret"), (3, "ls")]
    after = [(2, "ls"), (3, "history -d 2")]
    assert list(forgotten(before, after, "history -d 2")) == ["a secret"]
    assert list(forgotten(before, [], "history -c")) == ["oldest", "a secret", "ls", "history -c"]


def test_a_line_is_kept_as_typed_where_bash_cannot_say_what_it_keeps() -> None:
    told: list[str] = []
    line = KeptLine("ls !$", b"?", told.append)
    line.begins(b"?")
    line.ends(b"?")
    assert told == ["ls !$"]


@pytest.mark.parametrize(
    "line", ["ssh host 'rm log; history -c'; exit", "false && history -c; exit"]
)
def test_a_shell_that_ended_is_not_taken_to_have_cleared_its_history(line: str) -> None:
    assert not forgets_all(line)
    assert forgets_all("history -c; exit")


def test_a_paste_of_empty_lines_is_looked_through_at_once() -> None:
    assert not forgets("\n" * 100_000)
