"""Lines cut for completion as bash cuts them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aish.shell.completion import Line, candidates


@pytest.mark.parametrize(
    ("line", "words", "start"),
    [
        ("git ch", ("git", "ch"), 4),
        ("git ", ("git", ""), 4),
        ("", ("",), 0),
        ("a | git ch", ("git", "ch"), 8),
        ("a && b; git ch", ("git", "ch"), 12),
        ("X=1 Y=2 git ch", ("git", "ch"), 12),
        ("echo $(git ch", ("git", "ch"), 11),
        ('echo "$(git ch', ("git", "ch"), 12),
        ("if git ch", ("git", "ch"), 7),
        ("make --opt=va", ("make", "--opt", "=", "va"), 11),
        ("make --opt=", ("make", "--opt", "=", ""), 11),
        ("scp host:pa", ("scp", "host", ":", "pa"), 9),
        ('cat "a b', ("cat", '"a b'), 4),
        ("cat a\\ b", ("cat", "a\\ b"), 4),
        ("cat 'x|y", ("cat", "'x|y"), 4),
        ("cmd 2>&1 a", ("cmd", "2", ">&", "1", "a"), 9),
        ("cat <fi", ("cat", "<", "fi"), 5),
        ("echo ${HO", ("echo", "${HO"), 5),
    ],
)
def test_the_words_are_those_of_the_command_at_the_cursor(
    line: str, words: tuple[str, ...], start: int
) -> None:
    parsed = Line.parse(line)
    assert parsed.words == words
    assert parsed.start == start


@settings(deadline=None)
@given(st.text(alphabet="ab \"'\\$(){}|;&<>=:`\n~/!", max_size=30))
def test_any_line_can_be_cut(line: str) -> None:
    parsed = Line.parse(line)
    assert line[parsed.start :] == parsed.current
    parsed.request()


def test_candidates_are_unique_and_say_what_follows_them() -> None:
    line = Line.parse("ls --")
    found = candidates(line, b" nospace \0--all\0--all\0--long \0", "/")
    assert [(c.text, c.suffix) for c in found.candidates] == [("--all", ""), ("--long", " ")]
    assert found.start == 3


def test_no_answer_is_no_candidates() -> None:
    assert candidates(Line.parse("ls "), b"", "/").candidates == ()
