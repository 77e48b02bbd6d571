"""A text of megabytes costs for each of them what a short one does, and nothing in it is missed."""

from __future__ import annotations

import random
import time

import pytest

from aish.core.secrets.plain import Plain
from aish.core.secrets.recognise import recognise
from aish.core.secrets.redact import Redactor

KEY = "sk-ant-api03-" + "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5zA7bC9dE1fG3hI5jK7lM9nO1pQ3rS5tU7vW9xY"
ALPHABETS = {
    "letters": "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
    "escapes": ("\x1b[31m", "\x1b]0;title\x07", "a", "b "),
    "joined": ("😀", "\u200d", "💻", "\u200b", "x"),
    "signs": ("`", "[", "(", "**", "_", "a", " ", "$", '"'),
}


def drawn(kind: str, size: int) -> str:
    return "".join(random.Random(kind).choices(ALPHABETS[kind], k=size))[:size]


def seconds(text: str) -> float:
    """Processor time, the best of three."""

    def once() -> float:
        begun = time.process_time()
        Redactor().mask(text)
        return time.process_time() - begun

    return min(once() for _ in range(3))


@pytest.mark.parametrize("kind", ALPHABETS)
def test_four_times_the_text_costs_four_times_as_much(kind: str) -> None:
    text = drawn(kind, 4_000_000)
    assert seconds(text) < 6 * seconds(text[:1_000_000]) + 0.1


def test_a_key_deep_inside_a_long_text_is_found() -> None:
    text = drawn("letters", 300_000)
    around = f"{text[:150_000]} {KEY} {text[150_000:]}"
    assert KEY not in Redactor().mask(around)


@pytest.mark.parametrize("unseen", ["\u200b", "\x1b[31m", "\x1b]0;title\x07", "\x1b]0;t\x1b\\"])
@pytest.mark.parametrize("before", range(65_526, 65_540))
def test_what_is_not_seen_is_left_out_wherever_a_part_ends(unseen: str, before: int) -> None:
    start = "x" * (before - 1) + " "
    text = f"{start}{unseen}{KEY[:9]}{unseen}{KEY[9:]} end"
    assert Plain(text).text == f"{start}{KEY} end"
    assert [text[span.start : span.end] for span in recognise(text)] == [
        f"{KEY[:9]}{unseen}{KEY[9:]}"
    ]
