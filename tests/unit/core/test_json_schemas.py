"""Schemas that can be ones, and those that servers of models would refuse."""

from typing import Any

import pytest

from aish.core.json_schemas import is_schema


@pytest.mark.parametrize(
    "schema",
    [
        True,
        {},
        {"type": "object", "properties": {"a": {"type": ["string", "null"]}, "b": True}},
        {"type": "array", "items": {"enum": ["a", 1, None]}},
        {"items": [{"type": "string"}, {}], "required": ["a"], "x-own": 7, "default": []},
        {"anyOf": [{"$ref": "#/$defs/a"}], "$defs": {"a": {"not": {}}}},
        {"properties": {"type": {"type": "string"}, "required": {"type": "boolean"}}},
    ],
)
def test_a_schema(schema: Any) -> None:
    assert is_schema(schema)


@pytest.mark.parametrize(
    "schema",
    [
        None,
        "object",
        [],
        {"type": "int"},
        {"type": []},
        {"type": {}},
        {"properties": []},
        {"properties": {"a": "string"}},
        {"properties": {"a": {"items": {"type": "text"}}}},
        {"required": "a"},
        {"required": [1]},
        {"enum": "a"},
        {"anyOf": {}},
        {"allOf": [7]},
        {"additionalProperties": "no"},
    ],
)
def test_none(schema: Any) -> None:
    assert not is_schema(schema)


def test_one_nested_without_end_is_none() -> None:
    schema: dict[str, Any] = {}
    for _ in range(100_000):
        schema = {"items": schema}
    assert not is_schema(schema)
