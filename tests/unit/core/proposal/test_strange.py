"""What says nothing is told from what is only short, foreign or a program's name."""

from __future__ import annotations

import pytest

from aish.core.proposal.strange import is_strange


def has(program: str) -> bool:
    return program == "htop"


@pytest.mark.parametrize("request_", ["asdf qwer zxcv", "x" * 50_000, "", "???", "qz qz qz"])
def test_what_says_nothing_is_strange(request_: str) -> None:
    assert is_strange(request_, has)


@pytest.mark.parametrize(
    "request_",
    [
        "list the files",
        "htop",
        "2+2",
        "zeige die Dateien über 10 MB",
        "列出这里的文件",
        "liste alle dateien auf",
        "montre les fichiers",
    ],
)
def test_words_programs_sums_and_other_languages_are_not(request_: str) -> None:
    assert not is_strange(request_, has)
