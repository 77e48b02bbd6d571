"""awk programs: do they run commands, write files, or never end?"""

from __future__ import annotations

import re

_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_PRINT_TO = re.compile(
    r"\bprintf?\b(?P<what>[^;{}\n]*?)(?P<op>>>?|\|&?)\s*(?P<target>\"\d+\"|[\w$(]+)"
)


def awk_risk(program: str) -> tuple[str, list[tuple[str, bool]]]:
    """Why a program is not harmless (empty: it is), and the files it writes with whether it adds."""
    strings: list[str] = []

    def keep(found: re.Match[str]) -> str:
        strings.append(found.group()[1:-1])
        return f'"{len(strings) - 1}"'

    bare = _STRING.sub(keep, program)
    bare = re.sub(r"#[^\n]*", "", bare)
    if re.search(r"\bsystem\s*\(|\|&?\s*getline|@load|@include|\|&", bare):
        return "runs other commands", []
    if re.search(r"while\s*\(\s*1\s*\)|for\s*\(\s*;\s*;\s*\)|do\b.*while\s*\(\s*1\s*\)", bare):
        return "repeats without end", []
    written: list[tuple[str, bool]] = []
    for found in _PRINT_TO.finditer(bare):
        if found["what"].count("(") > found["what"].count(")"):
            continue  # a comparison in brackets
        if found["op"].startswith("|"):
            return "pipes into another command", []
        target = found["target"]
        if not target.startswith('"'):
            return "writes to files whose names are only known when it runs", []
        written.append((strings[int(target.strip('"'))], found["op"] == ">>"))
    return "", written
