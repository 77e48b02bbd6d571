"""Whether a JSON schema can be one: for one that is not, models refuse a whole request."""

from __future__ import annotations

from typing import Any

DEEPEST = 64
_TYPES = frozenset(("string", "number", "integer", "boolean", "object", "array", "null"))
_NAMED = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")
_LISTED = ("anyOf", "oneOf", "allOf", "prefixItems")
_SINGLE = ("additionalProperties", "not", "if", "then", "else", "contains", "propertyNames")


def is_schema(schema: Any, depth: int = 0) -> bool:
    """Whether every word of it that we know holds what it must."""
    if isinstance(schema, bool):
        return True
    if not isinstance(schema, dict) or depth > DEEPEST:
        return False
    inner = _inner(schema)
    return (
        inner is not None
        and _is_type(schema.get("type", "object"))
        and isinstance(schema.get("enum", []), list)
        and _are_names(schema.get("required", []))
        and all(is_schema(one, depth + 1) for one in inner)
    )


def _inner(schema: dict[str, Any]) -> list[Any] | None:
    """The schemas inside; None where something else stands in their place."""
    inner = [schema[word] for word in _SINGLE if word in schema]
    items = schema.get("items", [])  # a list of them in old drafts
    inner += items if isinstance(items, list) else [items]
    for word in _NAMED:
        if not isinstance(schema.get(word, {}), dict):
            return None
        inner += schema.get(word, {}).values()
    for word in _LISTED:
        if not isinstance(schema.get(word, []), list):
            return None
        inner += schema.get(word, [])
    return inner


def _is_type(wanted: Any) -> bool:
    names = wanted if isinstance(wanted, list) else [wanted]
    return bool(names) and all(isinstance(name, str) and name in _TYPES for name in names)


def _are_names(wanted: Any) -> bool:
    return isinstance(wanted, list) and all(isinstance(name, str) for name in wanted)
