"""What a small model forgets and a rule knows for sure: to make a new folder, to quote a name."""

from __future__ import annotations

import re
import shlex

from aish.core.patterns import late

_NEW = late(
    r"\bnew (?:sub-?)?(?:folder|dir(?:ectory)?)\s+(?:(?:called|named)\s+)?"
    r"(?P<quote>[\"'`]?)(?P<name>[\w.~-][\w./~-]*)(?P=quote)(?!\w)",
    re.IGNORECASE,
)
_NO_NAME = ("for", "with", "and", "in", "into", "to", "of", "here", "that", "which", "under", "on")
_SPACED = re.compile(r"\"([^\"\n]*[^\s\"] [^\"\n]*)\"|'([^'\n]*[^\s'] [^'\n]*)'")


_QUOTED = re.compile(r"[\"'\\$`]")
_NAME = re.compile(r"\w[\w.]*(?: \w[\w.]*)*\.\w{1,5}")  # of a file
_NOTHING_GOES_THERE = re.compile(r"(?:sudo )?(?:rm|rmdir|ls|cd|find|du|stat)\b")


def mended(command: str, request: str) -> str:
    """The command, with what the request says of folders and names heeded."""
    for groups in [] if _QUOTED.search(command) else _SPACED.findall(request):
        command = _quoting(command, groups[0] or groups[1])
    return _after_making(command, request)


def _quoting(command: str, name: str) -> str:
    """`rm my file.txt` would delete two others. Only for what is no command itself."""
    if not _NAME.fullmatch(name):
        return command
    alone = rf"(?<=[\w./*'-] ){re.escape(name)}(?![\w./-])"
    return re.sub(alone, lambda _: shlex.quote(name), command)


def _after_making(command: str, request: str) -> str:
    """The folder is made first that the request calls new."""
    found = _NEW.search(request)
    if found is None or "mkdir" in command or _NOTHING_GOES_THERE.match(command):
        return command
    folder = found["name"].rstrip("./")
    used = re.search(rf"(?<![\w./-]){re.escape(folder)}(?![\w-])", command) if folder else None
    if used is None or folder.lower() in _NO_NAME:
        return command
    return f"mkdir -p {folder} && {command}"
