"""Which commands are worth running in an overlay so that they can be taken back, and can be."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

# They change the shell itself, which a program beside it cannot do.
_OF_THE_SHELL = frozenset(
    [
        ".",
        "alias",
        "bg",
        "bind",
        "builtin",
        "cd",
        "complete",
        "declare",
        "dirs",
        "disown",
        "enable",
        "eval",
        "exec",
        "exit",
        "export",
        "fg",
        "hash",
        "history",
        "jobs",
        "let",
        "local",
        "logout",
        "mapfile",
        "popd",
        "pushd",
        "read",
        "readarray",
        "readonly",
        "return",
        "set",
        "shopt",
        "source",
        "suspend",
        "trap",
        "typeset",
        "ulimit",
        "umask",
        "unalias",
        "unset",
        "wait",
    ]
)
_DESTROY = frozenset(
    [
        "cp",
        "dd",
        "gunzip",
        "gzip",
        "bunzip2",
        "bzip2",
        "install",
        "ln",
        "mv",
        "patch",
        "rename",
        "rm",
        "rmdir",
        "rsync",
        "shred",
        "tee",
        "truncate",
        "unlink",
        "unxz",
        "unzip",
        "xz",
        "zstd",
        "mmv",
        "prename",
        "7z",
        "trash",
        "rimraf",
    ]
)
_GIT = frozenset(
    [
        "apply",
        "am",
        "checkout",
        "cherry-pick",
        "clean",
        "merge",
        "mv",
        "rebase",
        "reset",
        "restore",
        "revert",
        "rm",
        "stash",
        "switch",
    ]
)
_IN_PLACE = re.compile(
    r"\b(?:sed|perl|ruby|gawk)\b[^;&|]*\s-\w*i|\bfind\b[^;&|]*\s-(?:delete|fprint)|"
    r"\bfind\b[^;&|]*-exec\w*\s+(?:rm|mv|cp|truncate|sed)\b|\bsort\b[^;&|]*\s(?:-o|--output)|"
    r"\btar\b[^;&|]*\s(?:-?\w*x|--extract|--delete|--remove-files)|\bmake\b[^;&|]*\bclean\b"
)
_REDIRECT = re.compile(r"(?<![<>&\d])(?:\d|&)?>{1,2}\|?\s*(?!&|\(|/dev/)\S")
_QUOTED = re.compile(r"'[^']*'|\"(?:[^\"\\]|\\.)*\"|\\.", re.DOTALL)
_PARTS = re.compile(r"[;&|\n(){}`]+|\$\(")
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*\+?=")
_BEFORE = frozenset(
    [
        "!",
        "time",
        "if",
        "then",
        "elif",
        "else",
        "while",
        "until",
        "do",
        "for",
        "in",
        "case",
        "command",
        "env",
        "nice",
        "nohup",
        "ionice",
        "xargs",
        "stdbuf",
        "timeout",
        "setsid",
    ]
)


def undoable(command: str, of_the_shell: Callable[[str], bool] = lambda _: False) -> bool:
    """Whether it deletes or overwrites files, and would do the same as a program of its own.

    `of_the_shell` knows the aliases and functions of the live shell.
    """
    bare = _QUOTED.sub(lambda match: re.sub(r"[;&|\n(){}`<>$]", "_", match[0]), command)
    if bare.rstrip().endswith("&") or re.search(r"(?<![&>])&(?![&>\d])", bare):
        return False
    segments = [list(_words(part)) for part in _PARTS.split(bare)]
    firsts = [words[0] for words in segments if words]
    if any(word in _OF_THE_SHELL or of_the_shell(word) for word in firsts):
        return False
    return (
        any(word.rpartition("/")[2] in _DESTROY for words in segments for word in words[:3])
        or any(words[0] == "git" and _GIT & set(words) for words in segments if words)
        or bool(_IN_PLACE.search(bare) or _REDIRECT.search(bare))
    )


def _words(part: str) -> Iterator[str]:
    """The words of a simple command, from its program on."""
    begun = False
    for word in part.split():
        skipped = word in _BEFORE or _ASSIGNMENT.match(word) or (word[0] in "-0123456789")
        if begun or not skipped:
            begun = True
            yield word
