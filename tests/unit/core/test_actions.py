"""Which lines of an answer propose a command."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aish.core.actions import ProposedCommand, proposed_commands


def test_a_line_that_begins_with_exactly_the_prefix_proposes_a_command() -> None:
    answer = "Do this:\nCMD: ls -l\nand in the background\nCMD&: make -j2\n"
    assert proposed_commands(answer, complete=True) == [
        ProposedCommand("ls -l"),
        ProposedCommand("make -j2", background=True),
    ]


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("`ls -l`", "ls -l"),
        ("``ls``", "ls"),
        ("$ ls", "ls"),
        ("`$ ls`", "ls"),
        ("`which ls` -l `pwd`", "`which ls` -l `pwd`"),
        ("echo `pwd`", "echo `pwd`"),
        ("$SHELL -l", "$SHELL -l"),
    ],
)
def test_a_command_set_as_code_is_the_command_in_it(text: str, command: str) -> None:
    assert proposed_commands(f"CMD: {text}\n", complete=True) == [ProposedCommand(command)]


@pytest.mark.parametrize(
    "line",
    [
        "cmd: ls",
        " CMD: ls",
        "CMD:ls",
        "CMD : ls",
        "`CMD: ls`",
        "- CMD: ls",
        "CMD: ",
        "CMD:\tls",
        "XCMD: ls",
    ],
)
def test_anything_else_is_text(line: str) -> None:
    assert proposed_commands(line + "\n", complete=True) == []


def test_the_last_line_counts_only_when_the_answer_is_complete() -> None:
    assert proposed_commands("CMD: rm -rf /tm", complete=False) == []
    assert proposed_commands("CMD: rm -rf /tmp/x", complete=True) == [
        ProposedCommand("rm -rf /tmp/x")
    ]


def test_windows_line_ends_are_no_part_of_the_command() -> None:
    assert proposed_commands("CMD: ls\r\nok\r\n", complete=True) == [ProposedCommand("ls")]


@given(st.text(alphabet="CMD&: lsx\n", max_size=60), st.integers(0, 60))
def test_a_cut_answer_never_proposes_what_the_whole_one_does_not(answer: str, cut: int) -> None:
    whole = proposed_commands(answer, complete=True)
    part = proposed_commands(answer[:cut], complete=False)
    assert part == whole[: len(part)]
