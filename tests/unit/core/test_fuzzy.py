"""Finding paths by a few letters."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from aish.core.fuzzy import PathIndex

PATHS = ["src/net.py", "src/network/", "tests/test_net.py", ".github/net.yml", "docs/a.md"]


def test_the_name_that_begins_so_comes_first_and_hidden_ones_last() -> None:
    assert PathIndex(PATHS).search("net") == [
        "src/net.py",
        "src/network/",
        "tests/test_net.py",
        ".github/net.yml",
    ]


def test_scattered_letters_find_it_too() -> None:
    assert "tests/test_net.py" in PathIndex(PATHS).search("ttnpy")
    assert PathIndex(PATHS).search("zzz") == []


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.lists(st.text("ab/.\n[İß", max_size=8), max_size=20), st.text("ab/.[İ", max_size=4))
def test_every_match_holds_the_letters_in_order(paths: list[str], word: str) -> None:
    for path in PathIndex(paths).search(word):
        assert path in paths
