"""How the changes of a trial are shown: a list that fits the screen, differences on demand."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from aish.ui.style import BOLD, CYAN, DIM, GREEN, RED, YELLOW, escaped

if TYPE_CHECKING:
    from aish.sandbox.applying import Applied
    from aish.sandbox.changes import FileChange, Scan
    from aish.ui.screen import Screen

LEAST_ROWS = 10
COLOURS = {"created": GREEN, "changed": YELLOW, "deleted": RED}


def show_changes(screen: Screen, found: Scan, cwd: str, *, whole: bool = False) -> None:
    """One row per path, and a line that adds them up; on a terminal no more than fit."""
    rows = found.changes if whole else found.changes[: rows_for(screen)]
    digits = len(str(len(found.changes)))
    for number, change in enumerate(rows, 1):
        screen.line(_row(screen, change, cwd, f"{number:>{digits}}"))
    if len(rows) < len(found.changes):
        screen.line(screen.paint(f"… and {len(found.changes) - len(rows)} more", DIM))
    screen.line(screen.paint(summary(found.changes), BOLD))


def rows_for(screen: Screen) -> int:
    """How many changes are listed unasked."""
    return max(LEAST_ROWS, screen.height - 5) if screen.terminal else 10**9


def summary(changes: Iterable[FileChange]) -> str:
    """How much of what, in one line."""
    parts = []
    changes = list(changes)
    for kind in ("created", "changed", "deleted"):
        some = [change for change in changes if change.kind == kind]
        if some:
            count = sum(1 + change.inner for change in some)
            size = sum(change.before if kind == "deleted" else change.after for change in some)
            parts.append(f"{count:,} {kind}" + (f" ({human(size)})" if size else ""))
    return " · ".join(parts) or "nothing is changed"


def _row(screen: Screen, change: FileChange, cwd: str, number: str) -> str:
    kind = screen.paint(f"{change.kind:<7}", COLOURS[change.kind])
    about = _about(change)
    room = max(20, screen.width - len(number) - len(about) - 13)
    name = shortened(shown_path(change.path, cwd) + ("/" if change.what == "folder" else ""), room)
    return f"{screen.paint(number, DIM)} {kind}  {name}  {screen.paint(about, DIM)}"


def _about(change: FileChange) -> str:
    parts = [*change.details]
    if change.what not in ("file", "folder"):
        parts.insert(0, change.what)
    if change.inner:
        parts.append(f"{change.inner:,} inside")
    if change.kind == "changed" and change.op in ("put", "write") and change.what == "file":
        parts.append(f"{human(change.before)} → {human(change.after)}")
    elif change.kind != "changed" and (change.what == "file" or change.inner):
        parts.append(human(change.before if change.kind == "deleted" else change.after))
    return ", ".join(parts)


def shown_path(path: str, cwd: str) -> str:
    """A path as short as it is clear, with nothing in it that a terminal obeys."""
    if path == cwd:
        return "."
    inside = path.startswith(cwd.rstrip("/") + "/")
    text = path[len(cwd.rstrip("/")) + 1 :] if inside else path
    home = os.environ.get("HOME", "")
    if not inside and home and path.startswith(home.rstrip("/") + "/"):
        text = "~" + path[len(home.rstrip("/")) :]
    return escaped(text.encode("utf-8", "surrogateescape").decode("utf-8", "replace"))


def shortened(text: str, room: int) -> str:
    """Head and tail of a text that is too long."""
    if len(text) <= room:
        return text
    tail = room * 2 // 3
    return f"{text[: room - tail - 1]}…{text[-tail:]}"


def human(size: int) -> str:
    """A number of bytes as people say it."""
    amount = float(size)
    for unit in ("B", "KB", "MB", "GB"):
        if amount < 1000:
            return f"{amount:.0f} {unit}" if unit == "B" or amount >= 10 else f"{amount:.1f} {unit}"
        amount /= 1000
    return f"{amount:.1f} TB"


def painted_difference(screen: Screen, lines: Iterable[str]) -> Iterator[str]:
    """A difference in colours."""
    for line in lines:
        text = escaped(line.replace("\t", "    "))
        if line.startswith(("+++", "---")):
            yield screen.paint(text, BOLD)
        elif line.startswith("@@"):
            yield screen.paint(text, CYAN)
        elif line.startswith("+"):
            yield screen.paint(text, GREEN)
        elif line.startswith("-"):
            yield screen.paint(text, RED)
        else:
            yield text


def show_applied(screen: Screen, applied: Applied, cwd: str) -> None:
    """What became real, what did not and why, and whether it can be taken back."""
    for refusal in applied.refused:
        where = shown_path(refusal.change.path, cwd)
        screen.line(f"{screen.paint('not applied', RED)}  {where}: {refusal.reason}")
    screen.line(f"applied: {summary(applied.done)}")
    if applied.not_kept:
        count = len(applied.not_kept)
        screen.notice(f"{count} old files were too big to keep; :undo files leaves those out")
