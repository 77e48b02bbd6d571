"""The answer without what the question will show."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from aish.ui.proposals import WithoutProposals

ANSWER = "Do it:\nCMD: ls\nCMDs\n```\nCMD: quoted\n```\nCMD&: make\nCMD is a word\nCMD: last"


def shown(answer: str, cuts: list[int], *, complete: bool = True) -> str:
    text = WithoutProposals()
    places = [0, *sorted(cuts), len(answer)]
    parts = [text.feed(answer[a:b]) for a, b in pairwise(places)]
    return "".join(parts) + text.close(complete=complete)


@settings(max_examples=60, derandomize=True)
@given(st.lists(st.integers(0, len(ANSWER)), max_size=8))
def test_proposals_are_left_out_however_the_text_is_cut(cuts: list[int]) -> None:
    assert shown(ANSWER, cuts) == "Do it:\nCMDs\n```\nCMD: quoted\n```\nCMD is a word\n"


def test_a_line_that_was_cut_short_is_shown() -> None:
    assert shown("CMD: rm -rf /tm", [], complete=False) == "CMD: rm -rf /tm"


def test_a_line_without_end_is_passed_on_and_not_kept() -> None:
    text = WithoutProposals()
    piece = "word " * 800
    assert all(text.feed(piece) == piece for _ in range(250))
    kept = sum(len(value) for value in vars(text).values() if isinstance(value, str))
    assert kept < 10_000
    assert text.feed("\nCMD: ls\n") == "\n"


def test_a_long_proposal_is_held_back_whole() -> None:
    command = "echo " + " ".join(str(number) for number in range(3000))
    answer = f"so:\nCMD: {command}\nthen"
    cuts = list(range(0, len(answer), 700))
    assert shown(answer, cuts) == "so:\nthen"
    assert shown(f"CMD: {command}", cuts[:9], complete=False) == f"CMD: {command}"
