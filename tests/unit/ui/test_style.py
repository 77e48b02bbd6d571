"""Text that came from elsewhere, made harmless."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from aish.ui.style import colours_wanted, escaped, harmless


@given(st.text())
def test_harmless_text_holds_nothing_a_terminal_obeys(text: str) -> None:
    for ch in harmless(text):
        assert ch in "\n\t" or not (ord(ch) < 0x20 or 0x7F <= ord(ch) < 0xA0)


@given(st.text())
def test_escaped_text_is_printable_and_on_one_line(text: str) -> None:
    assert all(ch.isprintable() for ch in escaped(text))


def test_escaping_shows_what_is_hidden() -> None:
    assert escaped("rm x\x1b[2K\rls\u202e") == "rm x\\x1b[2K\\rls\\u202e"


def test_colours_only_on_a_terminal_that_wants_them() -> None:
    term = {"TERM": "xterm"}
    assert colours_wanted(term, is_terminal=True)
    assert not colours_wanted(term, is_terminal=False)
    assert not colours_wanted({**term, "NO_COLOR": "1"}, is_terminal=True)
    assert not colours_wanted({"TERM": "dumb"}, is_terminal=True)
