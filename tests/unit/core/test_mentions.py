"""What counts as a mention, by the words alone."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aish.core.mentions import find_mentions, is_range, looks_meant


def words(text: str) -> list[str]:
    return [mention.words for mention in find_mentions(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("why does @src/net.py time out?", ["src/net.py"]),
        ("compare @a.c and @b.c.", ["a.c", "b.c"]),
        ("(@README.md)", ["README.md"]),
        ("see @'my notes.txt', please", ["my notes.txt"]),
        ('and @"über uns/a b.md"!', ["über uns/a b.md"]),
        (r"open @my\ file.txt now", ["my file.txt"]),
        ("@docs/ what is here", ["docs/"]),
        ("what changed in @main..topic?", ["main..topic"]),
        ("日本語 @ファイル.txt です", ["ファイル.txt"]),
    ],
)
def test_a_mention_is_found_without_the_punctuation_of_its_sentence(
    text: str, expected: list[str]
) -> None:
    assert words(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "write to ann@example.org",
        "git@github.com:a/b.git",
        "user+tag@host",
        "a lone @ sign",
        r"an escaped \@path.py",
        "foo@bar",
        "```\n@decorator.py\ndef f(): ...\n```",
        "~~~python\n@app.route",
    ],
)
def test_an_address_an_escape_and_a_code_block_mention_nothing(text: str) -> None:
    assert words(text) == []


def test_lines_of_a_file_are_one_way_to_read_a_mention() -> None:
    readings = find_mentions("look at @net.py:10-40, then")[0].readings
    assert [(reading.path, str(reading.part)) for reading in readings] == [
        ("net.py:10-40,", "None"),
        ("net.py:10-40", "None"),
        ("net.py", "10-40"),
    ]
    assert [str(r.part) for r in find_mentions("@a:7")[0].readings] == ["None", "7"]
    assert [str(r.part) for r in find_mentions("@a:7-")[0].readings] == ["None", "7-"]
    assert [str(r.part) for r in find_mentions("@a:9-3")[0].readings] == ["None"]


@pytest.mark.parametrize("text", ["main..topic", "HEAD~3..HEAD", "v1.0...v2.0", "HEAD~2..", "..x"])
def test_two_revisions_with_dots_are_a_range(text: str) -> None:
    assert is_range(text)


@pytest.mark.parametrize("text", ["..", "../x", "a/../b", "--output=x..y", "a..b..c", "a b..c", ""])
def test_what_is_no_range(text: str) -> None:
    assert not is_range(text)


def test_only_what_looks_like_a_file_is_meant() -> None:
    assert all(map(looks_meant, ["a.py", "src/", "./x", "~/y", "/etc/hosts", "../up", ".env"]))
    assert not any(map(looks_meant, ["alice", "dataclass", "types/node", "2x", "v1.0"]))


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.text(alphabet="@\\\"'`~ab./:-1 \n…é\0", max_size=80))
def test_any_text_is_read_and_every_mention_stands_where_it_says(text: str) -> None:
    for mention in find_mentions(text):
        assert text[mention.start] == "@"
        for reading in mention.readings:
            assert mention.start + reading.length <= len(text)
