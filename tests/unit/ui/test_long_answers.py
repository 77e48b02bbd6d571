"""An answer that is longer than anybody reads: shown as it comes, and still harmless."""

from __future__ import annotations

import io
import time

import pytest

from aish.core.events import Replied, Said
from aish.core.messages import Reply
from aish.ui.screen import Screen
from aish.ui.view import AS_IT_COMES, LAID_OUT, View

LINE = "some words of **an answer** \x1b[31mred\x1b]0;t\x07 \u202e\x9b5m and\tmore\n"


def shown(answer: str, size: int = 50_000) -> tuple[str, str]:
    """What a terminal gets of an answer, and the notices."""
    screen = Screen(io.StringIO(), io.StringIO(), colours=True, terminal=True)
    view = View(screen, asks=True)
    for at in range(0, len(answer), size):
        view(Said(answer[at : at + size]))
    view(Replied(Reply(answer)))
    assert isinstance(screen.out, io.StringIO)
    assert isinstance(screen.err, io.StringIO)
    return screen.out.getvalue(), screen.err.getvalue()


def seconds(answer: str) -> float:
    begun = time.process_time()
    shown(answer)
    return time.process_time() - begun


def test_past_a_size_it_is_shown_as_it_comes_and_that_is_said_once() -> None:
    out, notices = shown(LINE * (2 * LAID_OUT // len(LINE)) + "the end\n")
    assert notices.count(AS_IT_COMES) == 1
    assert "\x1b[1manswer\x1b[0m" in out  # at its beginning
    assert out.endswith("words of **an answer** [31mred]0;t 5m and    more\nthe end\n")


def test_nothing_of_it_is_obeyed() -> None:
    out, _ = shown(LINE * (3 * LAID_OUT // len(LINE)))
    tail = out[-LAID_OUT:]
    assert not {"\x1b", "\x07", "\u202e", "\x9b"} & set(tail)


def test_an_ordinary_answer_is_laid_out_to_its_end() -> None:
    out, notices = shown("words of **an answer**\n" * 1000)
    assert "**" not in out
    assert notices == ""


def test_a_proposal_among_many_lines_is_left_to_the_question() -> None:
    out, _ = shown("x\n" * LAID_OUT + "CMD: ls -l\n" + "y\n" * 1000 + "```\nCMD: no\n```\nz\n")
    assert "CMD: ls" not in out
    assert "CMD: no" in out
    assert out.endswith("```\nz\n")


@pytest.mark.parametrize("line", ["a\n", "some words of one line\n", "e\u0301\u0323 ", "a\tb "])
def test_four_times_the_answer_costs_no_more_than_four_times_as_much(line: str) -> None:
    answer = line * (4_000_000 // len(line))
    assert seconds(answer) < 6 * seconds(answer[:1_000_000]) + 0.1
