"""What folding makes of terminal output."""

from __future__ import annotations

import re

import pyte
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aish.shell.fold import fold


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"plain\r\ntext\r\n", "plain\ntext\n"),
        (b"\x1b[1;31mred\x1b[0m \x1b[38;5;12mblue\x1b[m", "red blue"),
        (b"10%\r50%\r100%\n", "100%\n"),
        (b"working...\r\x1b[Kdone\n", "done\n"),
        (b"abc\b\bX\n", "aXc\n"),
        (b"a\b \bb", "b"),
        (b"one\ntwo\n\x1b[2A\x1b[2KONE\n\x1b[2KTWO\n", "ONE\nTWO\n"),
        (b"\x1b]0;a title\x07text", "text"),
        (b"\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"),
        (b"\x1bP+q544e\x1b\\text", "text"),
        (b"tab\there\n", "tab\there\n"),
        (b"\x1b[31mtab\there\n", "tab\there\n"),
        (b"a\0b\n", "ab\n"),
        (b"bro\xffken\n", "bro\ufffdken\n"),
        (b"trailing   \r\n", "trailing\n"),
        ("wide \u4e2d\u6587\b\bX\n".encode(), "wide \u4e2dX\n"),
        (b"\x1b[?25lx\x1b[?25h", "x"),
        (b"cut escape \x1b[3", "cut escape 3"),
        ("an 8-bit \x9b31mescape\n".encode(), "an 8-bit 31mescape\n"),
        (b"", ""),
    ],
)
def test_output_reads_as_a_screen_shows_it(data: bytes, text: str) -> None:
    assert fold(data) == text


def test_a_progress_bar_of_many_repaints_is_one_line() -> None:
    bar = b"".join(b"\r%3d%% |%-20s|" % (n, b"#" * (n // 5)) for n in range(101))
    assert fold(b"start\r\n" + bar + b"\r\nend\r\n") == f"start\n100% |{'#' * 20}|\nend\n"


def test_parallel_progress_lines_keep_their_last_state() -> None:
    frames = b"".join(b"\x1b[3F" * (n > 0) + b"a %d\nb %d\nc %d\n" % (n, n, n) for n in range(9))
    assert fold(frames) == "a 8\nb 8\nc 8\n"


def test_a_wrapped_line_comes_back_whole_and_is_repainted_in_its_place() -> None:
    assert fold(b"x" * 200 + b"\n", columns=80) == "x" * 200 + "\n"
    long = b"\x1b[K" + b"a" * 100
    assert fold(long + b"\r\x1b[A\x1b[J" + b"b" * 90, columns=80) == "b" * 90


def test_a_redrawn_screen_is_kept_once() -> None:
    frames = b"".join(b"\x1b[H\x1b[2Jframe %d\r\nrow\r\n" % n for n in range(50))
    assert fold(frames, columns=80, rows=24) == "frame 49\nrow\n"


def test_binary_output_is_a_note() -> None:
    assert fold(bytes(range(256)) * 40) == "[binary output, 10240 bytes]"


@settings(deadline=None)
@given(st.one_of(st.binary(max_size=400), st.text(max_size=200).map(str.encode)))
def test_any_bytes_give_valid_text_without_escapes(data: bytes) -> None:
    text = fold(data, columns=20, rows=5)
    text.encode("utf-8")
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", text)


_MOVES = ["\r", "\n", "\b", "\x1b[A", "\x1b[2A", "\x1b[B", "\x1b[C", "\x1b[5G", "\x1b[3D"]
_EDITS = ["\x1b[K", "\x1b[1K", "\x1b[2K", "\x1b[2P", "\x1b[2X", "\x1b[J", "\x1b[1;31m"]
_PIECES = st.lists(
    st.one_of(
        st.text("abc xyz", min_size=1, max_size=12),
        st.sampled_from(_MOVES),
        st.sampled_from(_EDITS),
    ),
    max_size=30,
)


@settings(deadline=None)
@given(_PIECES)
def test_folding_agrees_with_a_terminal_emulator(pieces: list[str]) -> None:
    text = "".join(pieces)
    screen = pyte.Screen(400, 60)
    screen.set_mode(pyte.modes.LNM)
    pyte.Stream(screen).feed(text)
    expected = "\n".join(line.rstrip() for line in screen.display).rstrip("\n")
    folded = fold(text.encode(), columns=400, rows=60)
    assert "\n".join(line.rstrip() for line in folded.split("\n")).rstrip("\n") == expected


def test_a_large_capture_folds_without_a_step_per_byte() -> None:
    lines = b"".join(b"\x1b[32mline %d\x1b[0m of a log with some text\r\n" % n for n in range(2000))
    assert fold(lines, columns=80).count("\n") == 2000
