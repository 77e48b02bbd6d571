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
