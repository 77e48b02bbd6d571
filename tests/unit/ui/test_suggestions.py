"""What is suggested while a line is typed."""

from __future__ import annotations

import asyncio
from pathlib import Path

from prompt_toolkit.buffer import Buffer
from prompt_toolkit.document import Document

from aish.store.history import LineHistory
from aish.ui.history import StoredHistory, SuggestFromHistory
from aish.ui.screen import Screen


def suggested(history: StoredHistory, *typed: str) -> list[str]:
    suggest = SuggestFromHistory(history)
    found = (suggest.get_suggestion(Buffer(), Document(text)) for text in typed)
    return [one.text if one else "" for one in found]


async def read(history: StoredHistory) -> None:
    async for _ in history.load():
        pass
    while not history.read:
        await asyncio.sleep(0.01)


def enter(history: StoredHistory, line: str, *, once: bool = False) -> None:
    history.append_string(line)
    history.bash_keeps(line, line, once=once)


def history_of(folder: Path, *lines: str) -> StoredHistory:
    file = LineHistory(folder / "history.jsonl")
    for line in lines:
        file.add(line)
    history = StoredHistory(file, Screen())
    asyncio.run(read(history))
    return history


def test_the_newest_line_that_begins_so_is_suggested_key_by_key(tmp_path: Path) -> None:
    history = history_of(tmp_path, "git pull", "git push origin", "git push", "make")
    assert suggested(history, "g", "git", "git push ", "git pull", "x", "m") == [
        "it push",
        " push",
        "origin",
        "",
        "",
        "ake",
    ]
    enter(history, "git stash")
    assert suggested(history, "git", "git p") == [" stash", "ush"]


def test_a_pasted_script_and_a_very_long_line_are_not_suggested(tmp_path: Path) -> None:
    history = history_of(tmp_path, "for x", "for a\ndo b\ndone", "for " + "y" * 500)
    assert suggested(history, "fo") == ["r x"]
