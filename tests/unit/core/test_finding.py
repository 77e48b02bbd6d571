"""Finding a line of the history by a few letters of it."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from aish.core.finding import Finding

LINES = ["git push", "docker run -it Debian", "echo docker", "grep -rn push src", "make test"]


def test_exact_stretches_come_newest_first_and_words_in_any_order() -> None:
    assert Finding(LINES).find("push") == ["git push", "grep -rn push src"]
    assert Finding(LINES).find("run docker") == ["docker run -it Debian"]


def test_letters_with_gaps_find_what_nothing_else_does() -> None:
    assert Finding(LINES).find("mktst") == ["make test"]


def test_capitals_are_meant_when_typed() -> None:
    assert Finding(LINES).find("debian") == ["docker run -it Debian"]
    assert Finding(LINES).find("Debian") == ["docker run -it Debian"]
    assert Finding(LINES).find("DEBIAN") == []


def test_letters_that_grow_when_folded_and_odd_lines_do_not_shift_what_is_found() -> None:
    lines = ["echo İİİ", "a\0b", "multi\nline", "last one"]
    search = Finding(lines)
    search.prepare()
    assert search.find("last") == ["last one"]
    assert search.find("line multi") == ["multi\nline"]
    assert search.find("b") == ["a\0b"]


def test_a_search_ends_with_the_newest_two_hundred() -> None:
    lines = [f"ls {number}" for number in range(1000)]
    assert Finding(lines).find("ls") == lines[:200]
    assert Finding(lines).find("99 ls")[:2] == ["ls 99", "ls 199"]


@settings(max_examples=60, derandomize=True)
@given(st.lists(st.text("ab c", max_size=8), max_size=20), st.text("ab c", max_size=5))
def test_narrowing_key_by_key_finds_what_a_fresh_search_finds(lines: list[str], query: str) -> None:
    typed = Finding(lines)
    for end in range(len(query) + 1):
        found = typed.find(query[:end])
    assert found == Finding(lines).find(query)
