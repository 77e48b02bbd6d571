"""Earlier conversations: listing, searching, naming, going on with them, taking them along."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from aish.core.errors import StoreError, UsageError
from aish.ui.meta.registry import meta
from aish.ui.style import BOLD, CYAN, DIM, harmless, one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from aish.journal.recording import Recorder
    from aish.store.summaries import SessionSummary
    from aish.ui.face import Face
    from aish.ui.screen import Screen

LOOKED_AT = 500  # newest sessions that a list is made from
LISTED = 20
FORMS = ("md", "html", "json")


@meta("sessions", "[all | search TEXT]", choices=lambda _: ["all", "search "])
def sessions(face: Face, argument: str) -> None:
    """List earlier conversations, or search all of them.

    Sessions in which nothing was asked are listed with `all`.
    """
    word, _, text = argument.partition(" ")
    match word:
        case "":
            _list(face, everything=False)
        case "all":
            _list(face, everything=True)
        case "search":
            _search(face, text.strip())
        case _:
            raise UsageError(f"{word!r} is not known here", ":sessions search TEXT")


def _list(face: Face, *, everything: bool) -> None:
    journal = face.journal
    found = journal.sessions.summaries(LOOKED_AT)
    chosen = [row for row in found if everything or row.questions or row.name]
    if not chosen:
        face.screen.notice("there is no earlier conversation")
    rows = journal.listed(chosen[: None if everything else LISTED])
    for line in table(face.screen, rows, journal.id):
        face.screen.line(line)


def table(screen: Screen, rows: Sequence[SessionSummary], here: str = "") -> list[str]:
    """Sessions one below the other: id, questions, directory and title in columns that line up."""
    home = os.environ.get("HOME", "")
    places = [_place(harmless(row.directory), home) for row in rows]
    ids = max((len(row.id) for row in rows), default=0)
    asked = max((len(str(row.questions)) for row in rows), default=0)
    place = min(max(map(len, places), default=0), max(8, screen.width // 4))
    room = max(12, screen.width - ids - asked - place - 9)
    return [
        f"{'*' if here and row.id == here else ' '} {row.id:<{ids}}  "
        f"{screen.paint(f'{row.questions:>{asked}}', DIM)}  "
        f"{_end_of(where, place):<{place}}  {_title(screen, row, room)}".rstrip()
        for row, where in zip(rows, places, strict=True)
    ]


def _title(screen: Screen, row: SessionSummary, room: int) -> str:
    """What it is called, and what was asked first."""
    name = _short(harmless(row.name), room)
    first = harmless(row.first_question or "(nothing asked)")
    left = room - len(name) - 2 if name else room
    title = _short(first, left) if left > 1 else ""
    return f"{screen.paint(name, BOLD, CYAN)}  {title}" if name else title


def _place(directory: str, home: str) -> str:
    """A directory as people write it."""
    if home and (directory == home or directory.startswith(f"{home}/")):
        return "~" + directory[len(home) :]
    return directory


def _end_of(text: str, room: int) -> str:
    """Of a long path the end says more."""
    return text if len(text) <= room else "…" + text[len(text) - room + 1 :]


def _short(text: str, room: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= room else line[: room - 1] + "…"


def _search(face: Face, text: str) -> None:
    if not text:
        raise UsageError("there is nothing to search for", ":sessions search TEXT")
    screen = face.screen
    hits = face.journal.search(text)
    if not hits:
        screen.notice(f"no session has {text!r}")
    for hit in hits:
        head = screen.paint(one_line(hit.name or hit.session), BOLD, CYAN)
        more = screen.paint(f" (+{hit.matches - 1})", DIM) if hit.matches > 1 else ""
        screen.line(
            f"{head} {screen.paint(one_line(hit.what), DIM)}{more}  {one_line(hit.excerpt)}"
        )


@meta("save", "NAME")
def save(face: Face, argument: str) -> None:
    """Give this conversation a name to resume it by."""
    if not argument:
        raise UsageError("a session needs a name", ":save NAME")
    face.journal.save(argument)
    face.screen.notice(f"saved as {argument!r}; `:resume {argument}` goes on with it")


def _known(face: Face) -> Iterable[str]:
    """Names first, then the newest ids."""
    kept = face.journal.sessions
    return [*sorted(kept.names()), *(path.stem for path in kept.newest_first()[:LISTED])]


@meta("resume", "[NAME|ID]", choices=_known)
def resume(face: Face, argument: str) -> None:
    """Go on with an earlier conversation (the newest) in an empty one."""
    face.play(face.conversation.resume(argument or _newest(face.journal)))


def _newest(journal: Recorder) -> str:
    """Of the other sessions in which something was asked, the one that was written to last.

    Raises: UsageError.
    """
    found = journal.sessions.summaries(LOOKED_AT)
    others = [row for row in found if row.questions and row.id != journal.id]
    if not others:
        raise UsageError("there is no earlier conversation")
    return max(others, key=lambda row: row.changed).id


@meta("fork")
def fork(face: Face, argument: str) -> None:
    """Go on in a copy of this conversation; the original stays as it is."""
    del argument
    journal = face.journal
    left = journal.fork()
    face.screen.notice(f"this is now session {journal.id}; {left} stays as it was")


@meta("export", "md|html|json PATH", choices=lambda _: [f"{form} " for form in FORMS])
def export(face: Face, argument: str) -> None:
    """Write this conversation to a file."""
    from aish.store.export import export as document

    form, _, path = argument.partition(" ")
    if form not in FORMS or not path.strip():
        raise UsageError("an export needs a form and a path", ":export md|html|json PATH")
    target = Path(face.shell.cwd, Path(path.strip()).expanduser())
    text = document(face.journal.read(), form)
    if target.exists() and not _may_replace(face, target):
        face.screen.notice(f"{target} is as it was")
        return
    write_document(target, text)
    face.screen.notice(f"written to {target}")


def _may_replace(face: Face, target: Path) -> bool:
    if target.is_dir():
        raise UsageError(f"{target} is a directory", ":export md|html|json PATH")
    question = f"replace {harmless(str(target))}? [y/N]"
    return face.answers is not None and face.answers.choose(question, "yn") == "y"


def write_document(target: Path, text: str) -> None:
    """Put a file there whole, readable by its owner.

    Raises: StoreError.
    """
    fresh = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text)
        fresh.replace(target)
    except OSError as error:
        fresh.unlink(missing_ok=True)
        raise StoreError(f"{target} cannot be written: {error.strerror}") from error
