"""The bounded copy of a command's output."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from aish.shell.capture import Capture


@settings(deadline=None)
@given(st.lists(st.binary(max_size=50), max_size=40), st.integers(2, 300))
def test_head_and_tail_are_exact_and_bounded(blocks: list[bytes], limit: int) -> None:
    capture = Capture(limit)
    for block in blocks:
        capture.add(block)
    whole = b"".join(blocks)
    head, tail, cut = capture.parts()
    assert len(head) + len(tail) <= limit
    assert len(head) + cut + len(tail) == len(whole)
    assert whole.startswith(head)
    assert whole.endswith(tail)


def test_memory_stays_bounded_in_a_flood() -> None:
    capture = Capture(64 * 1024)
    for _ in range(3000):
        capture.add(b"x" * 4095)
    assert sum(map(len, capture._tail)) < 64 * 1024
    assert capture.total == 3000 * 4095


def test_the_alternate_screen_is_seen_even_when_its_escape_is_split() -> None:
    for cut in range(1, 8):
        capture = Capture(100)
        sequence = b"text\x1b[?1049h"
        capture.add(sequence[: 4 + cut])
        capture.add(sequence[4 + cut :])
        assert capture.full_screen, cut
        assert capture.repair() == b"\x1b[?1049l"


def test_a_program_that_cleans_up_needs_no_repair() -> None:
    capture = Capture(100)
    capture.add(b"\x1b[?1049h\x1b[?25l\x1b[?1;2004h")
    capture.add(b"\x1b[?2004l\x1b[?25h\x1b[?1l\x1b[?1049l")
    assert capture.full_screen
    assert capture.repair() == b""


def test_what_a_dying_program_left_is_undone() -> None:
    capture = Capture(100)
    capture.add(b"\x1b[?1000h\x1b[?25l\x1b(0")
    assert capture.repair() == b"\x1b[?1000l\x1b[?25h\x1b(B\x0f"
