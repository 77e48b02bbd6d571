"""Answers and commands that go round in circles are found, ordinary ones are left alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aish.core.actions import proposed_commands
from aish.core.repetition import is_degenerate, repeated_end

DATA = Path(__file__).parents[2] / "data" / "lines.jsonl"


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.text(min_size=1, max_size=90), st.text(max_size=300))
def test_any_piece_said_often_enough_is_found_and_two_rounds_stay(piece: str, before: str) -> None:
    answer = before + piece * (1000 // len(piece) + 1)
    cut = repeated_end(answer)
    assert cut > 0
    assert answer[:-cut].endswith(piece)


def test_items_that_differ_in_their_number_only_repeat_themselves() -> None:
    answer = "".join(f"{n}. Install the package and restart the server.\n" for n in range(1, 30))
    assert repeated_end(answer) > 0


@pytest.mark.parametrize(
    "answer",
    [
        "".join(f"{n}\n" for n in range(600)),
        "".join(f"| server{n} | up since day {n * n} |\n" for n in range(80)),
        "=" * 120,
        "for i in 1 2 3; do\n  echo $i\ndone\n" * 3,
        "".join(f"- {word} is one of the things to look at\n" for word in "abcdefghijklmnop"),
    ],
)
def test_lists_tables_and_rules_are_no_circles(answer: str) -> None:
    assert repeated_end(answer) == 0


def test_an_answer_is_looked_at_at_every_length_without_a_false_alarm() -> None:
    page = Path(__file__).parents[3].joinpath("docs", "architecture.md").read_text()
    assert not [at for at in range(0, len(page), 150) if repeated_end(page[:at])]


@pytest.mark.parametrize(
    "command",
    [
        "ls ls ls ls ls ls ls",
        "cd .. && cd .. && cd .. && cd .. && cd .. && cd .. && cd ..",
        "<command>",
        "...",
        "CMD: ls",
        "command",
        "your command here",
        "-",
    ],
)
def test_a_degenerate_command_is_not_offered(command: str) -> None:
    assert is_degenerate(command)
    assert proposed_commands(f"CMD: {command}\n", complete=True) == []


def test_no_everyday_command_is_taken_for_degenerate() -> None:
    rows = [json.loads(row) for row in DATA.read_text(encoding="utf-8").splitlines()]
    commands = [row["line"] for row in rows if row["kind"] == "shell"]
    assert [line for line in commands if is_degenerate(line) and line.strip("!$^:# .&>-?")] == []


def test_the_places_of_a_format_are_no_circle() -> None:
    assert not is_degenerate("printf '%s %s %s %s %s %s %s %s\\n' a b c d e f g h")
    assert not is_degenerate("awk '{printf \"%d %d %d %d %d %d %d %d\\n\", $1, $2}' log")


def test_the_same_proposal_twice_is_offered_once() -> None:
    found = proposed_commands("CMD: ls\nor\nCMD: ls\nCMD&: ls\n", complete=True)
    assert [(one.command, one.background) for one in found] == [("ls", False), ("ls", True)]
