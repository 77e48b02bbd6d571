"""What can be said against a proposed command without running it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Protocol

from aish.core.patterns import late

_LITERAL = re.compile(
    r"\"([^\"]{1,80})\"|'([^']{1,80})'|((?<![\w/])[~.]?/[\w.+-][\w./+-]*)|\b([\w-]+\.[a-z]\w{0,4})\b"
    r"|\b(\d{2,})\b"
    r"|(?<![\w./])\*?(\.[a-zA-Z]\w{0,4})\b"
)
_LOOSE = ("e.g", "i.e", "etc.")
# Their arguments are commands of their own, whose options are not theirs.
_WRAPPERS = frozenset(["sudo", "xargs", "env", "nice", "timeout", "time", "nohup", "ssh", "watch"])
# A request that only wants to see something, and words with which one wants more than that.
_LOOKS = late(
    r"(please |can you |could you |how (do|can) i |i (want|need) to |let me )*"
    r"(show|list|print|display|find|search|look|count|what|which|how (many|much|big)|who|where|is"
    r"|are|check|tell|view|see|get|give)\b",
    re.IGNORECASE,
)
_CHANGES = late(
    r"\b(delet|remov|eras|wip|clean|clear|purg|drop|kill|stop|terminat|format|overwrit|replac|truncat"
    r"|reset|discard|uninstall|empty|shred|renam|mov|unlink|prun|trash|rid of|revert|undo|shut"
    r"|reboot|chang|edit|writ|sav|stor|updat|set|convert|into|in place|append|add)\w*",
    re.IGNORECASE,
)
_READS = re.compile(r"-?[a-zA-Z]*[xt]|--(extract|list)")
_FOREIGN = {
    "tar": (".zip", ".7z", ".rar"),
    "unzip": (".tar", ".gz", ".tgz", ".xz", ".bz2"),
    "gunzip": (".zip", ".xz", ".bz2"),
}
_BRACES = re.compile(r"\{.*(,|\.\.).*\}")
_FILE = re.compile(r"(?:\./)?[\w-]+(?:/[\w.-]+)*\.[a-z]\w{0,4}")

_ABSOLUTE = re.compile(r"/(?!dev/|proc/|sys/|tmp/)(?:[\w.+-]+/)*[\w.+-]+/?")


class Here(Protocol):
    """The machine, as far as a command can be held against it."""

    def reads(self, command: str) -> bool:
        """Whether the shell could read the command at all."""
        ...

    def has(self, program: str) -> bool:
        """Whether a program, function or builtin of that name could run."""
        ...

    def knows(self, program: str, option: str) -> bool:
        """Whether a program has an option; yes where nobody can say."""
        ...

    def exists(self, name: str) -> bool:
        """Whether there is a file of that name, from the directory the user is in."""
        ...

    def destroys(self, command: str) -> str:
        """What a command would destroy here, as a reason; "" where it would nothing."""
        ...


def faults(command: str, request: str, here: Here) -> tuple[str, ...]:
    """The faults of a command, the worst first; none: nothing speaks against it."""
    from aish.core.shellsyntax import is_complete

    readable = is_complete(command).complete and here.reads(command)
    found = [] if readable else ["it is not a whole command"]
    if (
        _LOOKS.match(request)
        and not _CHANGES.search(request)
        and (reason := here.destroys(command))
    ):
        found.append(f"it {reason}, which you did not ask for")
    found += [*_against_programs(command, here), *_against_archives(command)]
    found += [f"it leaves out {word}" for word in left_out(request, command)]
    found += [
        f"there is no {name}, and you did not name it"
        for name in invented(request, command)
        if not here.exists(name)
    ]
    return tuple(dict.fromkeys(found))


def _against_programs(command: str, here: Here) -> Iterator[str]:
    from aish.core.shellsyntax import spans

    program = ""
    for span in spans(command):
        word = command[span.start : span.end]
        if span.kind == "command":
            program = word
            if _plain(word) and not here.has(word):
                yield f"{word} is not installed here"
        elif span.kind == "operator" and not word.startswith((">", "<")):
            program = ""
        elif span.kind == "option" and program and program not in _WRAPPERS:
            option = word.partition("=")[0]
            if here.has(program) and not here.knows(program, option):
                yield f"{program} does not know {option}"
        if word in ("-exec", "-execdir", "-ok"):
            program = ""


def _against_archives(command: str) -> Iterator[str]:
    """What unpacks one kind of archive and is given another."""
    for part in re.split(r"[|;&]+", command):
        program, *words = part.removeprefix("sudo ").split() or [""]
        if program == "tar" and not (words and _READS.match(words[0])):
            continue  # it packs, whatever it packs
        for word in words:
            bare = word.strip("'\"")
            if bare.endswith(_FOREIGN.get(program, ())) and not word.startswith("-"):
                yield f"{program} cannot read {bare}"


def left_out(request: str, command: str) -> list[str]:
    """Names, paths and numbers of the request that are not in the command as they were typed."""
    missing = []
    listed = [word for word in command.split() if _BRACES.search(word)]
    for groups in _LITERAL.findall(request):
        literal = next(filter(None, groups)).rstrip(".,;:?!")
        bare = literal.removeprefix("./").rstrip("/")
        if not bare or bare in command or bare.lower().startswith(_LOOSE):
            continue
        if not any(_lists(word, bare) for word in listed):
            missing.append(literal)
    return missing


def _lists(word: str, name: str) -> bool:
    """Whether a word in braces spells a name out: `part{1..5}.txt`. A wildcard only may."""
    escaped = re.escape(word)
    escaped = re.sub(r"\\\{\w+\\\.\\\.\w+\\\}", r"\\w+", escaped)
    escaped = re.sub(r"\\\{([^{}]*)\\\}", lambda found: f"({found[1].replace(',', '|')})", escaped)
    return re.fullmatch(escaped, name) is not None


def invented(request: str, command: str) -> list[str]:
    """File names that a command reads although the request does not say them."""
    from aish.core.shellsyntax import spans

    names = []
    written = False
    for span in spans(command):
        word = command[span.start : span.end]
        named = word.removeprefix("./").lower() in request.lower()
        if (
            span.kind in ("argument", "path")
            and not named
            and not written
            and (_FILE.fullmatch(word) or _ABSOLUTE.fullmatch(word))
        ):
            names.append(word)
        written = word.startswith(">") or word in ("-o", "--output", "-O")
    return names


def _plain(name: str) -> bool:
    return bool(re.fullmatch(r"[\w.+-]+", name))
