"""Which tools a model is shown: all of them, or a way to look for them when they take much room."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from aish.core.context.clamp import line_head
from aish.core.tools import Tool

SEARCH = "find_tools"  # what a model calls to see more of them
FOUND_AT_MOST = 8
FEW = 4  # for a model that gets lost among more
_WORD = re.compile(r"[a-z0-9]+")


def search_tool(tools: Iterable[Tool]) -> dict[str, object]:
    """The one definition that stands for all the others while they are not shown."""
    names = ", ".join(sorted({tool.full_name for tool in tools}))
    return {
        "type": "function",
        "function": {
            "name": SEARCH,
            "description": f"Look for tools by what they do; those found can be called next. "
            f"There are: {line_head(names, 2000)}",
            "parameters": {
                "type": "object",
                "properties": {"words": {"type": "string", "description": "what is needed"}},
                "required": ["words"],
            },
        },
    }


def matching(words: str, tools: Mapping[str, Tool], most: int = FOUND_AT_MOST) -> list[str]:
    """The names of the tools that have most of these words in their name or description."""
    wanted = set(_WORD.findall(words.lower()))
    scored = [(_score(wanted, name, tool), name) for name, tool in tools.items()]
    best = sorted((pair for pair in scored if pair[0] > 0), key=lambda pair: (-pair[0], pair[1]))
    return [name for _, name in best[:most]]


def _score(wanted: set[str], name: str, tool: Tool) -> int:
    in_name = wanted & set(_WORD.findall(name.lower()))
    described = wanted & set(_WORD.findall(tool.description.lower()))
    return 3 * len(in_name) + len(described)


def fitting(words: str, tools: Mapping[str, Tool]) -> tuple[list[str], bool]:
    """The tools a request is about, and whether it names one: by its full name, or as a tool.

    A small model is shown no others, and what has nothing to do with them is answered as ever.
    """
    said = _WORD.findall(words.lower())
    named = [name for name, tool in tools.items() if _is_named(name, tool, said)]
    if named:
        return named[:FOUND_AT_MOST], True
    servers = [name for name, tool in tools.items() if _phrase(tool.server) in _spaced(said)]
    return matching(words, {name: tools[name] for name in servers}, FEW) or servers[:FEW], False


def _is_named(name: str, tool: Tool, said: Sequence[str]) -> bool:
    if _phrase(name) in _spaced(said):
        return True
    return "tool" in said and _phrase(tool.name) in _spaced(said)


def _phrase(name: str) -> str:
    return _spaced(_WORD.findall(name.lower()))


def _spaced(words: Sequence[str]) -> str:
    return f" {' '.join(words)} "


def told(names: Sequence[str], tools: Mapping[str, Tool]) -> str:
    """What a search tells the model."""
    if not names:
        return "no tool has these words; try others"
    lines = [
        f"{name}: {line_head(' '.join(tools[name].description.split()), 200)}" for name in names
    ]
    return "These can be called now:\n" + "\n".join(lines)
