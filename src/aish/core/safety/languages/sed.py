"""sed programs: which files they write, and whether they run commands."""

from __future__ import annotations

import re

_ADDRESS = re.compile(
    r"\s*(?:(?:\d+(?:~\d+)?|\$|/(?:[^/\\\n]|\\.)*/[IM]*|\\(.)(?:(?!\1).)*\1[IM]*)"
    r"(?:\s*,\s*(?:[+~]?\d+|\$|/(?:[^/\\\n]|\\.)*/[IM]*))?)?\s*!*\s*"
)


def sed_risk(script: str) -> tuple[str, list[str]]:
    """Why a script is not harmless (empty: it is), and the files it writes."""
    written: list[str] = []
    at = 0
    while at < len(script):
        while at < len(script) and script[at] in " \t\n;}":
            at += 1
        if at >= len(script):
            break
        found = _ADDRESS.match(script, at)
        at = found.end() if found else at
        command = script[at : at + 1]
        if command == "e":
            return "runs other commands", written
        if command in ("s", "y"):
            at, flags = _substitution(script, at)
            if flags is None:
                return "cannot be read", written
            if "e" in flags.split(" ")[0].split("w")[0]:
                return "runs other commands", written
            if "w" in flags:
                written.append(flags.partition("w")[2].strip())
        elif command in ("w", "W"):
            end = _line_end(script, at)
            written.append(script[at + 1 : end].strip())
            at = end
        elif command in ("a", "i", "c", "r", "R", "b", "t", "T", ":", "#", "v", "l", "L", "q", "Q"):
            stops = command in ("b", "t", "T", "q", "Q", "l", "L")
            at = _part_end(script, at) if stops else _line_end(script, at)
        elif command in (
            "",
            "{",
            "=",
            "d",
            "D",
            "g",
            "G",
            "h",
            "H",
            "n",
            "N",
            "p",
            "P",
            "x",
            "z",
            "F",
        ):
            at += 1
        else:
            return "cannot be read", written
    return "", written


def _substitution(script: str, at: int) -> tuple[int, str | None]:
    mark = script[at + 1 : at + 2]
    place = at + 2
    for _ in range(2):
        while place < len(script) and script[place] != mark:
            place += 2 if script[place] == "\\" else 1
        if place >= len(script):
            return len(script), None
        place += 1
    end = place
    while end < len(script) and script[end] not in ";}\n":
        if script[end] == "w":
            end = _line_end(script, end)
            break
        end += 1
    return end, script[place:end]


def _line_end(script: str, at: int) -> int:
    end = script.find("\n", at)
    return len(script) if end < 0 else end


def _part_end(script: str, at: int) -> int:
    found = re.compile(r"[;\n}]").search(script, at)
    return found.start() if found else len(script)
