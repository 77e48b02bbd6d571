"""The first time at the prompt: the bash history can come along, if the user says so."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from aish.config.places import make_private
from aish.core.errors import StoreError
from aish.store.disk import open_regular

if TYPE_CHECKING:
    from aish.store.history import LineHistory
    from aish.ui.answers import Answers
    from aish.ui.screen import Screen


LARGEST = 64 << 20  # bytes of it that are looked at


def offer_bash_history(file: Path, lines: LineHistory, answers: Answers, screen: Screen) -> None:
    """Ask once, while aish has no history of its own; either answer leaves the file behind."""
    if os.path.lexists(file):
        return
    source = Path(os.environ.get("HISTFILE") or Path("~/.bash_history").expanduser())
    try:
        with os.fdopen(open_regular(source, follow=True), "rb") as history:
            text = history.read(LARGEST).decode("utf-8", "replace")
        count = text.count("\n")
        if not count:
            return
        said = answers.choose(f"bring in the {count:,} lines of your bash history? [y/N]", "yn")
        imported = lines.import_bash(text) if said == "y" else 0
        if imported:
            screen.notice(f"{imported:,} lines are in the history")
        else:
            make_private(file.parent)
            file.touch(mode=0o600)
    except (OSError, StoreError):
        return  # nothing to bring in, or nowhere to put it: said when a line is to be kept
