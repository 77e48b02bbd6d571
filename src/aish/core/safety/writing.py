"""What it means to write to a file, or to delete one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from aish.core.safety.paths import ENDLESS, canonical, is_precious, readable_path, zone
from aish.core.safety.scope import Field, Scope
from aish.core.safety.streams import NOTHING, UNKNOWN, Stream
from aish.core.shellsyntax.tree import Redirect

if TYPE_CHECKING:
    from aish.core.safety.reader import Reader

# Names of what somebody made; a file for a test has another one.
_DATA = re.compile(
    r"\.(tar|t?gz|zip|bz2|xz|7z|zst|sql|dump|csv|tsv|json|ya?ml|toml|docx?|xlsx?|pptx?|pdf|odt|md|txt"
    r"|py|c|h|cc|cpp|js|ts|go|rs|java|html|conf|cfg|ini|bak|backup|jpe?g|png|mp[34]|mov)\Z",
    re.IGNORECASE,
)
APPENDING = frozenset((">>", "&>>"))
_PLACES = {
    "device": "writes straight to the device {}",
    "kernel": "changes the running kernel through {}",
    "system": "writes to {}, which belongs to the system",
    "startup": "changes {}, a settings file in your home directory",
    "guarded": "changes {}, which other programs obey",
}


def name(reader: Reader, path: str) -> str:
    """A path as its user would write it."""
    return readable_path(path, reader.situation)


def redirected(
    reader: Reader, redirect: Redirect, fields: list[Field], made: Stream, scope: Scope,
    stdin: Stream,
) -> Stream:  # fmt: skip
    """A redirection of output; gives what is left to print."""
    if redirect.op in (">&", "<&") and len(fields) == 1:
        target = fields[0].text
        if target.rstrip("-").isdigit() or target == "-":
            return made
    number = redirect.n.value if redirect.n is not None else "1"
    moves = redirect.op.startswith("&") or number == "1" or redirect.op == ">&"
    for field in fields or [Field(UNKNOWN)]:
        path = canonical(field.text, scope.cwd, reader.situation.home)
        if path.startswith(("/dev/tcp/", "/dev/udp/")):
            reader.flag(
                "network", "destructive", "opens a connection to another machine through the shell"
            )
            continue
        content = made if moves else Stream()
        if content.endless:
            reader.flag("resource", "destructive", f"writes to {name(reader, path)} until the disk is full",
                        path=path)  # fmt: skip
        elif "everything" in content.tags and zone(path, reader.situation) != "sink":
            reader.flag("resource", "destructive", f"writes all that is on the disk to {name(reader, path)}",
                        path=path)  # fmt: skip
        if redirect.op == ">|":
            reader.flag("writes", "unknown", f"replaces {name(reader, path)} even where the shell is "
                        "told not to", path=path)  # fmt: skip
        appending = redirect.op in APPENDING or redirect.op == "<>"
        write(
            reader,
            field,
            scope,
            content=content,
            append=appending,
            source=made if made.origin else stdin,
        )
    return NOTHING if moves else made


def write(
    reader: Reader, field: Field, scope: Scope, *, content: Stream | None = None,
    append: bool = False, by: str = "", source: Stream | None = None, keeps: bool = False,
) -> None:  # fmt: skip
    """A file is created, replaced or added to; `keeps`: the program never replaces one."""
    situation = reader.situation
    path = canonical(field.text, scope.cwd, situation.home)
    place = zone(path, situation)
    said = readable_path(path, situation)
    if place == "sink":
        return
    if place in _PLACES:
        reader.flag("disk" if place == "device" else "writes", "destructive", _PLACES[place].format(said),
                    path=path, program=by)  # fmt: skip
        return
    if "found" in field.tags and not (append or keeps):
        reader.flag("writes", "destructive", "replaces each file that it finds", program=by)
        return
    if content is not None and content.known() and not append:
        scope.files[path] = content
    elif not append:
        scope.files.pop(path, None)
    if place == "unknown" or (UNKNOWN in field.text and place != "session"):
        if not (place in ("here", "temp") and ".." not in path):
            reader.flag("writes", "unknown", "writes to a file whose name is only known when it runs",
                        program=by)  # fmt: skip
            return
        if _empty(content) and not append:
            reader.flag("writes", "destructive", "empties files whose names are only known when it runs",
                        program=by)  # fmt: skip
            return
    elif _empty(content) and not append:
        reader.flag("writes", "destructive", f"empties {said}", path=path, program=by)
        return
    if keeps or place == "session":
        return
    if source is not None and source.origin == path:
        what = f"adds {said} to itself" if append else f"empties {said} before it is read"
        reader.flag("writes", "destructive", what, path=path, program=by)
    elif not append and source is not None and source.origin in ENDLESS and _DATA.search(path):
        reader.flag("writes", "destructive", f"fills {said} with bytes that mean nothing", path=path,
                    program=by)  # fmt: skip
    elif not append and situation.files.exists(path):
        reader.flag("writes", "destructive", f"replaces {said}", path=path, program=by)
    elif not append and is_precious(path):
        reader.flag(
            "writes", "destructive", f"replaces {said}, which holds data", path=path, program=by
        )
    elif place in ("home", "elsewhere"):
        reader.flag("writes", "unknown", f"writes to {said}, outside the working directory", path=path,
                    program=by)  # fmt: skip
    else:
        reader.flag("writes", "harmless", f"writes {said}", path=path, program=by)


def _empty(content: Stream | None) -> bool:
    return content is not None and content.text is not None and not content.text.strip()


def delete(reader: Reader, field: Field, scope: Scope, *, by: str, deep: bool = False) -> None:
    """A file, or a directory with everything below it, is deleted."""
    situation = reader.situation
    path = canonical(field.text, scope.cwd, situation.home)
    place = zone(path, situation)
    said = readable_path(path, situation)
    if field.known and not field.glob:
        inside = path != situation.session_temp and place == "session"
        again = place == "here" and path != situation.cwd and situation.files.ignored(path)
        if inside or again:
            what = "a temporary file of this session" if inside else "which git ignores"
            reader.flag("deletes", "harmless", f"deletes {said}, {what}", path=path, program=by)
            return
    if not field.known and path.startswith(UNKNOWN):
        said = "whatever a variable or command names"
    below = _below(reader, path, deep) if not field.glob else _matching(reader, path, deep)
    reader.flag("deletes", "destructive", f"deletes {said}{below}", path=path, program=by)


def _matching(reader: Reader, pattern: str, deep: bool) -> str:
    """How much a pattern names; what only looks like one names nothing, and may be a new name."""
    count = reader.situation.files.matching(pattern)
    found = f", {count}" if count is not None and count.files else ""
    return found + (" and everything below" if deep else "")


def _below(reader: Reader, path: str, deep: bool) -> str:
    if not deep:
        return ""
    count = reader.situation.files.count_below(path)
    if count is None:
        return " and everything below it"
    return f" and everything below it, {count}"
