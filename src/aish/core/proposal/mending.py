"""What a small model forgets and a rule knows for sure: to make a new folder, to quote a name."""

from __future__ import annotations

import re
import shlex

from aish.core.patterns import late

_NEW = late(
    r"\bnew (?:sub-?)?(?:folder|dir(?:ectory)?)\s+(?:(?:called|named)\s+)?"
    r"[\"'`]?(?P<name>[\w.~-][\w./~-]*)",
    re.IGNORECASE,
)
_NO_NAME = ("for", "with", "and", "in", "into", "to", "of", "here", "that", "which", "under", "on")
_SPACED = re.compile(r"\"([^\"\n]*[^\s\"] [^\"\n]*)\"|'([^'\n]*[^\s'] [^'\n]*)'")


def mended(command: str, request: str) -> str:
    """The command, with what the request says of folders and names heeded."""
    for groups in _SPACED.findall(request):
        command = _quoting(command, groups[0] or groups[1])
    return _after_making(command, request)


def _quoting(command: str, name: str) -> str:
    """`rm my file.txt` would delete two others."""
    found, quote = "", ""
    at = 0
    while at < len(command):
        alone = not quote and not re.search(r"[\w/\\.-]$", found)
        if alone and re.match(rf"{re.escape(name)}(?![\w.-])", command[at:]):
            found, at = found + shlex.quote(name), at + len(name)
            continue
        letter = command[at]
        if letter in "'\"" and not found.endswith("\\"):
            quote = "" if letter == quote else quote or letter
        found, at = found + letter, at + 1
    return found


def _after_making(command: str, request: str) -> str:
    """The folder is made first that the request calls new."""
    found = _NEW.search(request)
    if found is None or "mkdir" in command:
        return command
    folder = found["name"].rstrip("./")
    used = re.search(rf"(?<![\w./-]){re.escape(folder)}(?![\w-])", command) if folder else None
    if used is None or folder.lower() in _NO_NAME:
        return command
    return f"mkdir -p {folder} && {command}"
