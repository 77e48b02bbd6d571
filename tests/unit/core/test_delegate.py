"""DELEGATE lines."""

import pytest

from aish.core.delegate import Delegation, delegations


def test_a_delegation_names_a_preset_and_a_prompt() -> None:
    answer = 'I ask.\nDELEGATE: big "explain \\"this\\"\\nplease"\n'
    assert delegations(answer, complete=True) == [Delegation("big", 'explain "this"\nplease')]


def test_a_line_that_was_cut_is_no_delegation() -> None:
    answer = 'DELEGATE: big "one"\nDELEGATE: big "two"'
    assert len(delegations(answer, complete=False)) == 1
    assert len(delegations(answer, complete=True)) == 2


@pytest.mark.parametrize(
    "line",
    [
        ' DELEGATE: big "x"',
        'DELEGATE:big "x"',
        'DELEGATE: "x"',
        'DELEGATE: big ""',
        'DELEGATE: big "  "',
        "DELEGATE: big x",
        'DELEGATE: big "x',
        'DELEGATE: big "x" and more',
        'delegate: big "x"',
    ],
)
def test_anything_else_is_text(line: str) -> None:
    assert delegations(line, complete=True) == []
