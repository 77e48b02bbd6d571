"""A value put back into a proposed command: quoted, so that nothing in it is syntax."""

from __future__ import annotations

import re
import shlex

_PROPOSAL = re.compile(r"CMD&?: ")
_ACTS = re.compile(r"[\r\n](?:CMD&?|DELEGATE): ")
_IN_DOUBLE = re.compile(r'([\\"$`])')


def in_command(value: str, placeholder: str, line: str) -> str:
    """The value as it may stand after this beginning of a line; elsewhere as it is.

    A value of several lines cannot stand in a command, nor one that would begin a proposal
    anywhere: the placeholder stays.
    """
    proposal = _PROPOSAL.match(line)
    if proposal is None:
        return placeholder if _ACTS.search(value) else value
    if value == placeholder or not value.isprintable():
        return placeholder
    match _open_quote(line[proposal.end() :]):
        case "'":
            return value.replace("'", "'\\''")
        case '"':
            return _IN_DOUBLE.sub(r"\\\1", value)
        case "\\":
            return value[:1] + (shlex.quote(value[1:]) if value[1:] else "")
        case _:
            return shlex.quote(value)


def _open_quote(command: str) -> str:
    """The quote that is open at the end: ', ", a backslash, or none."""
    quote = ""
    escaped = False
    for ch in command:
        if escaped:
            escaped = False
        elif quote == "'":
            quote = "" if ch == "'" else quote
        elif ch == "\\":
            escaped = True
        elif quote == '"':
            quote = "" if ch == '"' else quote
        elif ch in "'\"":
            quote = ch
    return "\\" if escaped else quote
