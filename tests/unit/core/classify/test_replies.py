"""A lone yes or no, and the answers that it replies to."""

from __future__ import annotations

import pytest

from aish.core.classify import WELL_KNOWN, as_reply, ends_with_question


@pytest.mark.parametrize("answer", ["Shall I?", "**Go on?**\n", "<think>a</think>(Really?)\n"])
def test_an_answer_that_leaves_a_question(answer: str) -> None:
    assert ends_with_question(answer)


@pytest.mark.parametrize("answer", ["", "Why? Because.", "<think>what?</think>Done.", "<think>a?"])
def test_an_answer_that_leaves_none(answer: str) -> None:
    assert not ends_with_question(answer)


@pytest.mark.parametrize("line", ["yes", "No.", " ok", "Sure!", "y"])
def test_a_reply_is_a_guess(line: str) -> None:
    found = as_reply(line, WELL_KNOWN)
    assert found is not None
    assert found.doubtful
    assert found.kind == "ask"


@pytest.mark.parametrize("line", ["", "yes | head", "yes no", "ls", "yes 3"])
def test_more_than_a_reply_is_none(line: str) -> None:
    assert as_reply(line, WELL_KNOWN) is None
