"""What a call of a tool would do, as far as its name, its hints and its arguments tell.

A server says of its tools what it likes, so this can only make aish more careful: a call that is
read as destructive is asked about, whatever was approved before.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from aish.core.safety.verdict import HARMLESS, Effect, Verdict, verdict_of
from aish.core.tools import Tool

CommandJudge = Callable[[str], Verdict]  # what a command of the shell would do
Exists = Callable[[str], bool]  # whether something is at a path

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_SHELLS = frozenset("bash cmd command exec execute powershell run script sh shell terminal".split())
_SURE_SHELLS = _SHELLS - {"command", "exec", "execute", "run", "script"}
_COMMANDS = frozenset("bash cmd command commands exec line script sh shell shell_command".split())
_CODE = frozenset("code eval expression javascript js python source".split())
_SQL = frozenset("query sql statement statements".split())
_DESTROYS = frozenset(
    "clear delete destroy discard drop erase expunge kill overwrite purge remove reset revert "
    "revoke rm rmdir shutdown terminate trash truncate uninstall unlink wipe".split()
)
_CHANGES = frozenset(
    "add append apply assign cancel close commit copy create deploy disable edit enable grant "
    "import insert install invite merge mkdir modify move patch post publish push put rename "
    "replace restart rewrite save send set start stop submit sync update upload upsert "
    "write".split()
)
_WRITES_FILE = frozenset("create overwrite put replace save upload write".split())
_EDITS_FILE = frozenset("edit insert modify patch rewrite update".split())
_MOVES = frozenset("copy move rename".split())
_PATHS = frozenset("file file_path filename filepath path paths target uri".split())
_TARGETS = frozenset("dest destination new_name new_path target to".split())
_FILES = frozenset("dest destination file_path filename filepath new_path path paths".split())
_FOLDERS = frozenset("dir directory folder".split())  # making one replaces nothing
_SQL_DESTROYS = re.compile(
    r"\b(?:alter|delete|drop|grant|replace|revoke|truncate|update)\b", re.IGNORECASE
)
MOST_VALUES = 2000


def read_call(
    tool: Tool, arguments: Mapping[str, Any], judged: CommandJudge, exists: Exists = lambda _: False
) -> Verdict:
    """The strictest of what can be read from a call; harmless where nothing speaks against it."""
    denied: list[Verdict] = []

    def heard(text: str) -> Verdict:
        verdict = judged(text)
        denied.extend([verdict] if verdict.denied else [])
        return verdict

    effects = tuple(_effects(tool, arguments, heard, exists))
    verdict = verdict_of(effects) if effects else HARMLESS
    return replace(verdict, denied=True, reason=denied[0].reason) if denied else verdict


def _effects(
    tool: Tool, arguments: Mapping[str, Any], judged: CommandJudge, exists: Exists
) -> Iterator[Effect]:
    words = {word.lower() for word in _WORD.findall(tool.name)}
    program = tool.full_name
    if tool.hints.get("destructiveHint") is True and tool.hints.get("readOnlyHint") is not True:
        reason = "its server says that it may destroy something"
        yield Effect("deletes", "unknown", reason, program=program)
    for word in sorted(words & _DESTROYS):
        yield Effect("deletes", "destructive", f"its name says {word}", program=program)
    for word in sorted(words & _CHANGES):
        yield Effect("writes", "unknown", f"its name says {word}", program=program)
    values = list(_texts(arguments))
    if len(values) > MOST_VALUES:
        yield Effect("unreadable", "unknown", "has too many arguments to be read", program=program)
    for name, text in values[:MOST_VALUES]:
        yield from _of_text(words, name, text, judged, program)
        yield from _of_path(words, name, text, exists, program)


def is_command(tool: str, name: str) -> bool:
    """Whether what a tool gets under this name is sure to be a command of the shell."""
    words = {word.lower() for word in _WORD.findall(tool)}
    return name in _COMMANDS or not words.isdisjoint(_SURE_SHELLS)


def _of_text(
    words: set[str], name: str, text: str, judged: CommandJudge, program: str
) -> Iterator[Effect]:
    """What a text does that is a command, a program or a statement."""
    if name in _COMMANDS or (words & _SHELLS and name not in _CODE):
        verdict = judged(text)
        if verdict.flagged:
            reason = f"runs a command that {verdict.reason}"
            yield Effect("runs-unknown-code", verdict.level, reason, program=program)
    elif name in _CODE:
        yield Effect("runs-unknown-code", "unknown", "runs code", program=program)
    elif name in _SQL and _SQL_DESTROYS.search(text):
        yield Effect("database", "destructive", "changes a database", program=program)


def _of_path(
    words: set[str], name: str, text: str, exists: Exists, program: str
) -> Iterator[Effect]:
    """Whether a file that is there would be replaced."""
    replaced = (words & _WRITES_FILE and name in _PATHS) or (words & _MOVES and name in _TARGETS)
    edited = words & _EDITS_FILE and name in _PATHS
    path = text.removeprefix("file://")
    if not (replaced or edited) or not path:
        return
    if exists(path):
        how = f"replaces {path[:200]}" if replaced else f"changes {path[:200]} in place"
        yield Effect("writes", "destructive", how, path=path, program=program)
    elif name in _FILES and not words & _FOLDERS and not path.startswith(("/", "~")):
        how = f"may replace {path[:200]}: where that is, only its server knows"
        yield Effect("writes", "destructive", how, path=path, program=program)


def _texts(value: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """Every text in the arguments with the name it stands under; words of a list are one line."""
    if isinstance(value, str):
        yield name, value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _texts(inner, str(key).lower())
    elif isinstance(value, list):
        if name in _COMMANDS and all(isinstance(word, str) for word in value):
            yield name, " ".join(value)
        else:
            for inner in value:
                yield from _texts(inner, name)
