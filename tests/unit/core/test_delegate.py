"""DELEGATE lines."""

import pytest

from aish.core.delegate import Delegation, delegations, offer


def test_a_delegation_names_a_preset_and_a_prompt() -> None:
    answer = 'I ask.\nDELEGATE: big "explain \\"this\\"\\nplease"\n'
    assert delegations(answer, complete=True) == [Delegation("big", 'explain "this"\nplease')]


def test_what_a_model_is_told_is_no_delegation_itself() -> None:
    assert "big, other" in offer(["big", "other"])
    assert delegations(offer(["big"]), complete=True) == []
    assert offer([]) == ""


def test_single_quotes_do_as_well() -> None:
    assert delegations("DELEGATE: big 'say \"hi\" and it\\'s done'", complete=True) == [
        Delegation("big", 'say "hi" and it\'s done')
    ]


@pytest.mark.parametrize("fence", ["```", "~~~", "````", "  ```"])
def test_a_line_in_a_code_block_is_an_example(fence: str) -> None:
    line = 'DELEGATE: big "x"'
    inside = f"{fence}text\n{line}\n{fence}\n"
    assert delegations(f"So:\n{inside}", complete=True) == []
    assert delegations(f"So:\n{inside}{line}\n", complete=True) == [Delegation("big", "x")]
    assert delegations(f"So:\n{fence}\n{line}\n", complete=True) == [], "never closed"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("    ```", "    ```"),
        ("\t```", "\t```"),
        ("- ```", "  ```"),
        ("1. ```sh", "   ```"),
        ("> ```", "> ```"),
        ("```md\n    ```", "    ```\n```"),
        ("```\n- ```", "```"),
        ("```\n> ```", "```"),
    ],
)
def test_a_code_block_in_a_list_or_a_quotation_is_one(before: str, after: str) -> None:
    line = 'DELEGATE: big "x"'
    assert delegations(f"{before}\n{line}\n{after}\n", complete=True) == []
    found = delegations(f"{before}\n{line}\n{after}\nDELEGATE: big 'y'\n", complete=True)
    assert found == [Delegation("big", "y")]


@pytest.mark.parametrize(
    ("quoted", "prompt"),
    [("'what's wrong?'", "what's wrong?"), ('"is "x" right?"', 'is "x" right?')],
)
def test_quotes_within_the_prompt_belong_to_it(quoted: str, prompt: str) -> None:
    assert delegations(f"DELEGATE: big {quoted}", complete=True) == [Delegation("big", prompt)]
    assert delegations(f"DELEGATE: big {quoted[:-1]}\\{quoted[-1]}", complete=True) == []


@pytest.mark.parametrize(
    "hidden",
    [
        "\x1b",
        "\x07",
        "\u200b",
        "\u202e",
        "\ufe0e\ufe0f",
        "".join(map(chr, range(0xE0020, 0xE0060))),
    ],
)
def test_what_nobody_can_see_is_not_asked(hidden: str) -> None:
    asked = delegations(f'DELEGATE: big "one{hidden}two"', complete=True)
    assert asked == [Delegation("big", "onetwo")]
    assert delegations(f'DELEGATE: big "{hidden}"', complete=True) == []


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
