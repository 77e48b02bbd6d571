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


def test_letters_with_gaps_are_not_looked_for_in_long_lines_or_across_rows() -> None:
    lines = ["make " + "x" * 300 + " test", "make\ntest", "make test"]
    assert Finding(lines).find("mktst") == ["make test"]
    assert Finding(lines).find("make test") == lines


def test_capitals_are_meant_when_typed() -> None:
    assert Finding(LINES).find("debian") == ["docker run -it Debian"]
    assert Finding(LINES).find("Debian") == ["docker run -it Debian"]
    assert Finding(LINES).find("DEBIAN") == []


def test_letters_that_grow_when_folded_and_odd_lines_do_not_shift_what_is_found() -> None:
    lines = ["echo İİİ", "a\0b", "multi\nline", "last one"]
    search = Finding(lines)
    assert search.find("last") == ["last one"]
    assert search.find("line multi") == ["multi\nline"]
    assert search.find("b") == ["a\0b"]


def test_a_search_ends_with_the_newest_two_hundred() -> None:
    lines = [f"ls {number}" for number in range(1000)]
    assert Finding(lines).find("ls") == lines[:200]
    assert Finding(lines).find("99 ls")[:2] == ["ls 99", "ls 199"]


def test_a_search_shows_what_it_has_before_it_is_done() -> None:
    lines = [f"ls {number}" for number in range(5000)]
    search = Finding(lines).search("ls 7")
    assert search.step()
    assert search.found[:2] == ["ls 7", "ls 17"]
    while search.step():
        pass
    assert search.found == Finding(lines).find("ls 7")


def test_a_longer_query_goes_on_where_the_shorter_one_was() -> None:
    lines = [f"ls {number}" for number in range(5000)]
    finding = Finding(lines)
    shorter = finding.search("ls 4")
    while shorter.step():
        pass
    longer = finding.search("ls 4999")
    steps = 0
    while longer.step():
        steps += 1
    assert longer.found == ["ls 4999"]
    assert steps < 11  # five blocks for each of the two ways


@settings(max_examples=60, derandomize=True)
@given(st.lists(st.text("ab c", max_size=8), max_size=20), st.text("ab c", max_size=5))
def test_narrowing_key_by_key_finds_what_a_fresh_search_finds(lines: list[str], query: str) -> None:
    typed = Finding(lines)
    for end in range(len(query) + 1):
        found = typed.find(query[:end])
    assert found == Finding(lines).find(query)
