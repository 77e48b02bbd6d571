"""What is shown of a command before it runs."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from aish.ui.question import fit, most_columns, rows, shown_pieces


def text_of(command: str) -> str:
    return "".join(text for text, _ in shown_pieces(command))


def test_runs_of_blanks_are_counted_instead_of_shown() -> None:
    assert text_of("ls" + " " * 300 + "; rm -rf ~") == "ls⟨300 blanks⟩; rm -rf ~"
    assert text_of("echo a  b") == "echo a  b"
    assert text_of("a\t\tb") == "a⟨2 tabs⟩b"


def test_what_cannot_be_seen_is_spelt_out() -> None:
    assert text_of("a\x1b[2Kb") == "a⟨ESC⟩[2Kb"
    assert text_of("a\rb") == "a⟨U+000D⟩b"
    assert text_of("rm x\u202etxt") == "rm x⟨U+202E⟩txt"
    assert text_of("a\u00a0b\u200bc") == "a⟨U+00A0⟩b⟨U+200B⟩c"


def test_a_command_cannot_draw_the_bar_or_the_marks() -> None:
    assert text_of("a │ ⟨3 blanks⟩") == "a ⟨│⟩ ⟨⟨⟩3 blanks⟨⟩⟩"


def test_a_long_command_keeps_its_head_and_its_tail() -> None:
    shown = fit("first " + "x" * 5000 + " last", 40, 8)
    assert not shown.whole
    assert len(shown.rows) == 8
    assert shown.rows[0].text.startswith("first x")
    assert shown.rows[-1].text.endswith(" last")
    assert any("rows not shown" in row.text for row in shown.rows)


def test_a_command_that_fits_is_shown_whole() -> None:
    shown = fit("for i in 1 2\ndo echo $i\ndone", 80, 10)
    assert shown.whole
    assert [row.text for row in shown.rows] == ["for i in 1 2", "do echo $i", "done"]


@settings(max_examples=150, derandomize=True)
@given(st.text(max_size=300), st.integers(4, 120), st.integers(3, 40))
def test_rows_never_outgrow_the_window_and_nothing_is_lost(
    command: str, width: int, height: int
) -> None:
    pieces = shown_pieces(command)
    cut = rows(pieces, width)
    assert all(most_columns(row.text) <= width for row in cut)
    joined = "".join(row.text for row in cut)
    assert joined == "".join(text for text, _ in pieces).replace("\n", "")
    assert len(fit(command, width, height).rows) <= height


@settings(max_examples=150, derandomize=True)
@given(st.text(alphabet=" \t\n│⟨⟩ab\x1b\u202e", max_size=40))
def test_different_commands_never_look_the_same(command: str) -> None:
    for other in (command + " ", command.replace("a", "b"), " " + command, command[1:]):
        if other != command:
            assert shown_pieces(other) != shown_pieces(command)
