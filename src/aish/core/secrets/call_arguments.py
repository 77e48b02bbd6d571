"""Values put back into the arguments of a tool: in a command nothing in them is syntax."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Mapping
from typing import Any

from aish.core.safety.tool_calls import is_command
from aish.core.secrets.arguments import HERE, may_stand
from aish.core.secrets.placeholders import PLACEHOLDER
from aish.core.secrets.quoting import in_command, is_plain

ValueOf = Callable[[re.Match[str]], str]  # of a placeholder


def restored(value: Any, value_of: ValueOf, tool: str, name: str = "") -> Any:
    """The arguments with the values in them; `name` is the argument they stand under."""
    if isinstance(value, str):
        if is_command(tool, name):
            return command_with(value, value_of)
        return PLACEHOLDER.sub(value_of, value)
    if isinstance(value, Mapping):
        return {
            PLACEHOLDER.sub(value_of, key): restored(inner, value_of, tool, key.lower())
            for key, inner in value.items()
        }
    if isinstance(value, list):
        if is_command(tool, name) and all(isinstance(word, str) for word in value):
            return _words_with(value, value_of)
        return [restored(inner, value_of, tool, name) for inner in value]
    return value


def command_with(command: str, value_of: ValueOf) -> str:
    """A whole command with its values, where they may stand in it."""
    done, place = "", 0
    for found in PLACEHOLDER.finditer(command):
        done += command[place : found.start()]
        value = value_of(found)
        known = value != found[0]
        done += in_command(value, found[0], done, command[found.end() :]) if known else value
        place = found.end()
    return done + command[place:]


def _words_with(words: list[str], value_of: ValueOf) -> list[str]:
    """A command as its words: no shell reads them, but the program may be one."""
    values = {value_of(found) for word in words for found in PLACEHOLDER.finditer(word)}
    if all(map(is_plain, values)) or may_stand(
        " ".join(shlex.quote(PLACEHOLDER.sub(HERE, word)) for word in words)
    ):
        return [PLACEHOLDER.sub(value_of, word) for word in words]
    return words
