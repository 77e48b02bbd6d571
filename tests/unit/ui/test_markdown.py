"""Markdown as it streams."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aish.ui.markdown import MarkdownStream

SAMPLE = """\
# Title
Some **bold** text, `code here`, *italic*, ~~gone~~ and a [link](http://a.b/c).

- first item
  - nested **b**
1. one
- [x] done

> a quote

```python
def f(x):
    '''Doc
    string'''
    return x  # comment
```

| a | b |
|---|---|
| 1 | `two` |

CMD: ls -la
---
the end"""


def shown(*pieces: str, width: int = 80) -> str:
    stream = MarkdownStream(width)
    return "".join([*map(stream.feed, pieces), stream.close()])


def plain(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


@given(st.lists(st.integers(1, len(SAMPLE)), max_size=40))
def test_the_picture_does_not_depend_on_how_the_answer_was_cut(cuts: list[int]) -> None:
    edges = [0, *sorted(set(cuts)), len(SAMPLE)]
    pieces = [SAMPLE[a:b] for a, b in pairwise(edges)]
    assert shown(*pieces) == shown(SAMPLE)


@given(
    st.text(alphabet="ab `*_~[]()#>-|\n1.\\", max_size=80),
    st.lists(st.integers(0, 80), max_size=12),
)
def test_no_text_is_lost_or_reordered_whatever_the_marks_and_cuts(
    text: str, cuts: list[int]
) -> None:
    edges = [0, *sorted({min(cut, len(text)) for cut in cuts}), len(text)]
    pieces = [text[a:b] for a, b in pairwise(edges)]
    letters = [ch for ch in plain(shown(*pieces)) if ch in "ab"]
    expected = [ch for ch in text if ch in "ab"]
    # a fence's language word is the one thing that is not shown
    assert letters == expected or "``" in text or "~~~" in text


def test_marks_become_styles() -> None:
    out = shown("**bold** and `code` and *italic*")
    assert "\x1b[1mbold\x1b[0m" in out
    assert "\x1b[36mcode\x1b[0m" in out
    assert "\x1b[3mitalic\x1b[0m" in out


@pytest.mark.parametrize(
    "text", ["2 * 3 * 4", "snake_case_name", "__init__", "a_b and c_d", "*.py and *.txt"]
)
def test_what_only_looks_like_a_mark_stays(text: str) -> None:
    assert plain(shown(text)).strip() == text


def test_words_appear_before_their_line_ends() -> None:
    stream = MarkdownStream(80)
    assert plain(stream.feed("Hello wor")) == "Hello"
    assert plain(stream.feed("ld again ")) == " world again"


def test_text_wraps_at_words_within_the_width() -> None:
    lines = plain(shown("word " * 40, width=30)).splitlines()
    assert max(map(len, lines)) <= 30
    assert " ".join(lines).split() == ["word"] * 40


def test_a_wrapped_list_item_keeps_its_margin() -> None:
    lines = plain(shown("- " + "word " * 20, width=30)).splitlines()
    assert lines[0].startswith("• ")
    assert all(line.startswith("  ") for line in lines[1:])


def test_wide_characters_count_two_columns() -> None:
    lines = plain(shown("中文 " * 20, width=20)).splitlines()
    assert max(len(line.replace(" ", "")) * 2 + line.count(" ") for line in lines) <= 20


def test_code_is_shown_line_by_line_as_it_arrives() -> None:
    stream = MarkdownStream(80)
    stream.feed("```python\n")
    assert plain(stream.feed("x = 1\ny")) == "  x = 1\n"


def test_a_string_over_several_lines_keeps_its_colour() -> None:
    out = shown('```python\n"""one\ntwo\nthree"""\nx = 1\n```\n')
    assert "\x1b[32mtwo\x1b[0m" in out
    assert "\x1b[32mx" not in out


def test_an_unknown_language_is_shown_as_it_is() -> None:
    assert plain(shown("```nosuchlang\na < b\n```\n")) == "  a < b\n"


def test_a_table_is_aligned_when_it_is_whole() -> None:
    out = plain(shown("| a | long name |\n|---|---|\n| 1 | x |\n\nafter"))
    assert out.splitlines()[0] == "a │ long name"
    assert out.splitlines()[2] == "1 │ x"


def test_a_table_too_wide_for_the_terminal_is_shown_as_written() -> None:
    out = plain(shown("| a | " + "x" * 40 + " |\n|---|---|\n| 1 | 2 |\n", width=20))
    assert "| 1 | 2 |" in out


def test_a_command_line_is_marked_and_shown_exactly() -> None:
    assert plain(shown("CMD: echo **not bold** `x`\n")) == "❯ echo **not bold** `x`\n"


def test_control_characters_of_the_model_never_reach_the_terminal() -> None:
    out = shown("a\x1b[31mred\x07\x9b2J \u202egnp\n```\n\x1b]0;title\x07x\n```\nCMD: a\x1bb\n")
    assert "\x1b[31m" not in out
    assert not set(out) & {"\x07", "\x9b", "\u202e"}
    assert "\x1b]" not in out


def test_a_long_unclosed_mark_does_not_hold_the_answer_back() -> None:
    stream = MarkdownStream(80)
    stream.feed("`")
    out = "".join(stream.feed("word ") for _ in range(200))
    assert plain(out).count("word") > 100


def test_a_line_without_an_end_is_shown_as_it_comes_and_costs_what_it_is_long() -> None:
    """Half a megabyte of one word took seconds, and twice as much four times as long."""
    stream = MarkdownStream(80)
    piece = "x" * 4096
    shown = [stream.feed("- **so** "), *(stream.feed(piece) for _ in range(500))]
    assert all(len(part) >= len(piece) for part in shown[6:]), "nothing is held back"
    end = stream.feed("!\nand *on*\n") + stream.close()
    assert "".join(shown).count("x") == 500 * 4096
    assert end.startswith("!")
    assert "\nand" in end and "*on*" not in end
