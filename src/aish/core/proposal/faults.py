"""What can be said against a proposed command without running it."""

from __future__ import annotations

import re
from collections.abc import Callable

from aish.core.shellsyntax import is_complete, spans

_LITERAL = re.compile(
    r"\"([^\"]{1,80})\"|'([^']{1,80})'|((?<![\w/])[~.]?/[\w.+-][\w./+-]*)|\b([\w-]+\.[a-z]\w{0,4})\b"
    r"|\b(\d{2,})\b"
)
_LOOSE = ("e.g", "i.e", "etc.")


def faults(command: str, request: str, known: Callable[[str], bool]) -> tuple[str, ...]:
    """The faults of a command, the worst first; none: nothing speaks against it."""
    found = []
    if not is_complete(command).complete:
        found.append("it is not a whole command")
    for span in spans(command):
        name = command[span.start : span.end]
        if span.kind == "command" and _plain(name) and not known(name):
            found.append(f"{name} is not installed here")
    found += [f"it leaves out {word}" for word in left_out(request, command)]
    return tuple(dict.fromkeys(found))


def left_out(request: str, command: str) -> list[str]:
    """Names, paths and numbers of the request that are not in the command as they were typed."""
    missing = []
    for groups in _LITERAL.findall(request):
        word = next(filter(None, groups)).rstrip(".,;:?!")
        bare = word.removeprefix("./").rstrip("/")
        if bare and bare not in command and not bare.lower().startswith(_LOOSE):
            missing.append(word)
    return missing


def _plain(name: str) -> bool:
    return bool(re.fullmatch(r"[\w.+-]+", name))
