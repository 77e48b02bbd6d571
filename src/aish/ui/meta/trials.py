"""Trying commands, seeing what commands of the model changed, and taking it back."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from aish.core.errors import UsageError
from aish.ui.meta.registry import meta
from aish.ui.style import BOLD, DIM, escaped
from aish.ui.trial_view import painted_difference, shown_path

if TYPE_CHECKING:
    from aish.sandbox.trials import Trials
    from aish.sandbox.undo_store import UndoRecord
    from aish.ui.face import Face

MOST_NAMED = 12  # paths listed before the question
MOST_RECORDS = 20


@meta("try", "[--network] COMMAND")
def try_out(face: Face, argument: str) -> None:
    """See what a command would change, then make it real or not.

    It has no network inside unless `--network` is said; what it sends then is real.
    """
    option, _, rest = argument.partition(" ")
    network = option == "--network"
    command = rest.strip() if network else argument
    if not command:
        raise UsageError("there is nothing to try", ":try rm -r build")
    face.play(face.conversation.try_out(command, network=network))


@meta("changes", "[all]", choices=lambda _: ["all"])
def changes(face: Face, argument: str) -> None:
    """Show what the commands aish ran changed in this session, as a diff.

    `:changes all` also shows what earlier sessions changed and can still be taken back.
    """
    if argument not in ("", "all"):
        raise UsageError(f"{argument!r} is not `all`", ":changes")
    records = _trials(face).records(everywhere=argument == "all")
    if not records:
        more = "" if argument else "; `:changes all` looks at earlier sessions too"
        face.screen.notice(f"nothing was changed{more}")
    for record in reversed(records[:MOST_RECORDS]):
        _show(face, record)


def undo_files(face: Face) -> None:
    """Take back the last change, after a look at it.

    Raises: UsageError when there is none.
    """
    trials = _trials(face)
    records = trials.records() or trials.records(everywhere=True)
    if not records:
        raise UsageError("there is nothing to take back", "only commands that aish ran are kept")
    record, screen = records[0], face.screen
    _headline(face, record)
    for step in record.steps[:MOST_NAMED]:
        screen.line(f"  {shown_path(step.path, face.shell.cwd)}")
    if len(record.steps) > MOST_NAMED:
        screen.line(f"  … and {len(record.steps) - MOST_NAMED} more")
    answers = face.answers
    if answers is not None and answers.choose("put these back as they were? [y/N]", "yn") != "y":
        screen.notice("nothing is changed")
        return
    undone = trials.undo(record)
    for path, reason in undone.refused:
        screen.notice(f"left alone: {shown_path(path, face.shell.cwd)}: {reason}")
    screen.notice(f"{len(undone.restored)} put back")


def _trials(face: Face) -> Trials:
    if face.careful is None:
        raise UsageError("there are no trials here")
    return face.careful.trials


def _headline(face: Face, record: UndoRecord) -> None:
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(record.when))
    about = f"{when}  {shown_path(record.cwd, '/nowhere')}  {record.name}"
    face.screen.line(face.screen.paint(f"$ {escaped(record.command)}", BOLD))
    face.screen.line(face.screen.paint(about, DIM))


def _show(face: Face, record: UndoRecord) -> None:
    from aish.sandbox.trials import lines_since

    _headline(face, record)
    for step in record.steps:
        name = shown_path(step.path, face.shell.cwd)
        if step.op in ("delete", "folder", "meta") or step.was not in ("", "file", "link"):
            word = {"delete": "deleted", "meta": "mode, owner or times of"}.get(step.op, "made")
            face.screen.line(f"{word} {name}")
            continue
        for line in painted_difference(face.screen, lines_since(record, step, name)):
            face.screen.line(line)
