"""Which tools a small model is shown for a request."""

from __future__ import annotations

import pytest

from aish.core.tool_choice import fitting
from aish.core.tools import Tool, model_names

TOOLS = model_names(
    [
        Tool("files", "read_text_file", "Read a file as text."),
        Tool("files", "write_file", "Write a file."),
        Tool("demo", "add", "Add two numbers."),
    ]
)


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        ("use the add tool: 20 and 22", (["demo__add"], True)),
        ("call demo__add with 1 and 2", (["demo__add"], True)),
        ("with the tool write_file make a.txt", (["files__write_file"], True)),
        ("ask demo for the sum", (["demo__add"], False)),
        ("list what is here", ([], False)),
        ("add two numbers", ([], False)),
        ("", ([], False)),
    ],
)
def test_only_what_a_request_is_about(request_: str, expected: tuple[list[str], bool]) -> None:
    assert fitting(request_, TOOLS) == expected


def test_a_server_that_is_named_offers_its_tools() -> None:
    names, named = fitting("write the file with files", TOOLS)
    assert names[0] == "files__write_file"
    assert not named
