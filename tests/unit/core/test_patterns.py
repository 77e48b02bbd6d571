"""Patterns that are compiled late are used like any other."""

from __future__ import annotations

import re

import pytest

from aish.core.patterns import late


def test_a_late_pattern_finds_what_the_pattern_finds() -> None:
    words = late(r"\b(w\w+)", re.IGNORECASE)
    for _ in range(2):
        found = words.search("what Was it?")
        assert found is not None and found[1] == "what"
    assert words.findall("what Was it?") == ["what", "Was"]
    assert words.sub("-", "we were") == "- -"
    assert words.pattern == r"\b(w\w+)"


def test_a_wrong_one_is_an_error_when_it_is_used() -> None:
    wrong = late("(")
    with pytest.raises(re.error):
        wrong.search("x")
