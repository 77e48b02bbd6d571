"""What a small model forgets and a rule knows for sure: a new folder has to be made first."""

from __future__ import annotations

import re

from aish.core.patterns import late

_NEW = late(
    r"\bnew (?:sub-?)?(?:folder|dir(?:ectory)?)\s+(?:(?:called|named)\s+)?"
    r"[\"'`]?(?P<name>[\w.~-][\w./~-]*)",
    re.IGNORECASE,
)
_NO_NAME = ("for", "with", "and", "in", "into", "to", "of", "here", "that", "which", "under", "on")


def mended(command: str, request: str) -> str:
    """The command, with the folder made before it that the request calls new."""
    found = _NEW.search(request)
    if found is None or "mkdir" in command:
        return command
    folder = found["name"].rstrip("./")
    used = re.search(rf"(?<![\w./-]){re.escape(folder)}(?![\w-])", command) if folder else None
    if used is None or folder.lower() in _NO_NAME:
        return command
    return f"mkdir -p {folder} && {command}"
