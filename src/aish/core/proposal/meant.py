"""What of the surroundings a request may mean: names that lie here, and the command before it."""

from __future__ import annotations

import re
from collections.abc import Iterable

MOST = 6  # names told at most: every one of them costs time before the answer begins
_KINDS = {
    "archive": (".tar.gz", ".tgz", ".zip", ".tar.xz", ".tar.bz2", ".tar", ".gz"),
    "tarball": (".tar.gz", ".tgz", ".tar.xz", ".tar.bz2", ".tar"),
    "zip": (".zip",),
    "script": (".sh", ".py", ".pl"),
    "log": (".log",),
    "csv": (".csv",),
    "json": (".json",),
    "image": (".jpg", ".jpeg", ".png", ".gif"),
    "picture": (".jpg", ".jpeg", ".png", ".gif"),
    "pdf": (".pdf",),
    "package": (".deb", ".rpm", "requirements.txt", "package.json"),
    "dependencies": ("requirements.txt", "package.json", "pyproject.toml"),
    "database": (".db", ".sqlite"),
    "project": ("Makefile", "Cargo.toml", "package.json", "pyproject.toml"),
    "program": (".c", ".py", ".go", ".rs"),
    "readme": ("README", "README.md", "readme.md"),
    "text": (".txt", ".md"),
}
_BACK = re.compile(
    r"\b(again|that|it|them|they|those|the same|last command|previous|with sudo|as root|there)\b"
)
# Names that a command may hold as they are; a stranger chose the others, and may have meant it.
_PLAIN = re.compile(r"[\w.+@,=:][\w.+@,=:-]{0,80}")
# Only what follows the heading is a command: an output may show one too.
_RAN = re.compile(r"^\[exec output\]\n\$ (.+)$", re.M)
_STATUS = re.compile(r"\[exit status (\d+)\]\s*$")


def files_meant(request: str, names: Iterable[str]) -> tuple[str, ...]:
    """The names here that a request means without naming them: `the archive`, `the log`."""
    lowered = request.lower()
    endings = tuple(
        ending
        for word, found in _KINDS.items()
        if re.search(rf"\bthe {word}|\b(this|my|it) {word}", lowered)
        for ending in found
    )
    if not endings:
        return ()
    fits = [name for name in names if name.endswith(endings) and _PLAIN.fullmatch(name)]
    return tuple(sorted(fits)[:MOST])


def last_meant(request: str, shown: str) -> tuple[str, int]:
    """The command before, and its status, where the request refers back to it; else nothing."""
    ran = _RAN.findall(shown)
    if not ran or not _BACK.search(request.lower()):
        return "", 0
    status = _STATUS.search(shown.strip())
    return ran[-1][:200], int(status[1]) if status else 0
