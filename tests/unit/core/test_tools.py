"""Names and definitions of tools as a model sees them."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from aish.core.tools import Tool, arguments_of, as_function, model_names


def test_a_tool_is_named_by_its_server_and_itself() -> None:
    assert list(model_names([Tool("files", "read_file")])) == ["files__read_file"]


@settings(max_examples=100, deadline=None, derandomize=True)
@given(
    st.lists(
        st.tuples(st.text(min_size=1, max_size=50), st.text(min_size=1, max_size=80)),
        unique=True,
        max_size=20,
    )
)
def test_names_are_unique_short_plain_and_lead_back(pairs: list[tuple[str, str]]) -> None:
    tools = [Tool(server, name) for server, name in pairs]
    named = model_names(tools)
    assert sorted(map(id, named.values())) == sorted(map(id, tools))
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{1,64}", name) for name in named)


def test_any_change_of_a_definition_changes_its_fingerprint() -> None:
    tool = Tool("s", "t", "does", {"type": "object", "properties": {"a": {"type": "string"}}})
    others = [
        Tool("s", "t2", "does", tool.schema),
        Tool("s", "t", "does\u200b", tool.schema),
        Tool("s", "t", "does", {**tool.schema, "required": ["a"]}),
        Tool("s", "t", "does", {"type": "object", "properties": {"a": {"type": "integer"}}}),
    ]
    assert len({tool.fingerprint, *(other.fingerprint for other in others)}) == 5
    same = Tool("s", "t", "does", {"properties": {"a": {"type": "string"}}, "type": "object"})
    assert same.fingerprint == tool.fingerprint


def test_a_tool_without_a_schema_takes_no_arguments() -> None:
    function = as_function("s__t", Tool("s", "t", "d" * 5000))["function"]
    assert function["parameters"] == {"type": "object", "properties": {}}
    assert len(function["description"]) == 1024


def test_arguments_are_an_object_or_what_is_wrong_with_them() -> None:
    assert arguments_of('{"a": 1}') == {"a": 1}
    assert arguments_of("") == {}
    assert "not valid JSON" in str(arguments_of('{"a": '))
    assert "JSON object" in str(arguments_of("[1]"))
    assert "not valid JSON" in str(arguments_of("[" * 100_000))
    assert "nested too deeply" in str(arguments_of('{"a": ' + "[" * 400 + "]" * 400 + "}"))
