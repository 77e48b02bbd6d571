"""The editor's view of the stored lines: Up-arrow, suggestions, and what Ctrl-R searches."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import AsyncGenerator, Callable, Iterable, Sequence
from typing import TYPE_CHECKING, cast, overload

from prompt_toolkit.auto_suggest import AutoSuggest, Suggestion
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.document import Document
from prompt_toolkit.history import History

from aish.core.errors import StoreError
from aish.core.private import is_private

if TYPE_CHECKING:
    from aish.core.events import Event
    from aish.store.history import LineHistory


BETWEEN = "\0"  # lines; none has one


class _Backwards(Sequence[str]):
    """Lines from the last to the first, without a copy."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines

    def __len__(self) -> int:
        return len(self._lines)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> list[str]: ...
    def __getitem__(self, place: int | slice) -> str | list[str]:
        if isinstance(place, slice):
            return self._lines[::-1][place]
        return self._lines[-1 - place]


class StoredHistory(History):
    """The stored lines, read in a thread while the prompt is already up.

    A buffer gets them with the first key that wants them: copying a long history for every line
    would be felt.
    """

    def __init__(self, lines: LineHistory, warn: Callable[[str], None]) -> None:
        super().__init__()
        self._lines = lines
        self._warn = warn
        self._waiting: list[Callable[[], None]] = []
        self._stored: list[str] | None = None  # read from the file and not taken yet
        self._joined = ""
        self._old = 0
        self._reading = False
        self.read = False
        self.older = ""  # what the file held, newest first, each line between two marks
        self.is_command: Callable[[str], bool] = lambda _: True

    @property
    def lines(self) -> list[str]:
        """The lines, newest first."""
        return self._loaded_strings

    @property
    def fresh(self) -> int:
        """How many of the lines, the newest, were not in the file when it was read."""
        return len(self._loaded_strings) - self._old

    async def load(self) -> AsyncGenerator[str, None]:
        """Have the file read, once; the buffer itself gets nothing yet.

        In a thread of its own: the event loop of a prompt would wait for it when a line is entered.
        """
        if not self._reading:
            self._reading = True
            loop = asyncio.get_running_loop()
            threading.Thread(target=self._read_file, args=(loop,), daemon=True).start()
        self._take()
        for nothing in list[str]():
            yield nothing

    def _read_file(self, loop: asyncio.AbstractEventLoop) -> None:
        stored = self._lines.newest_first()
        self._joined = BETWEEN.join(["", *stored, ""])
        self._stored = stored
        with contextlib.suppress(RuntimeError):  # between two prompts; the next one takes it
            loop.call_soon_threadsafe(self._take)

    def _take(self) -> None:
        """Put what was read behind what was typed meanwhile; what waited for it follows."""
        stored, self._stored = self._stored, None
        if stored is None:
            return
        typed = self._loaded_strings
        known = set(typed)
        self._loaded_strings = [*typed, *(line for line in stored if line not in known)]
        self.older, self._old = self._joined, len(self._loaded_strings) - len(typed)
        self._loaded = self.read = True
        for action in self._waiting:
            action()

    def when_read(self, action: Callable[[], None]) -> None:
        """Do this once the lines are there: a key may be faster than the disk."""
        if self.read:
            action()
        else:
            self._waiting.append(action)

    def fill(self, buffer: Buffer) -> None:
        """Let the buffer walk through the lines, its own text last."""
        if len(buffer._working_lines) > 1 or not self._loaded_strings:
            return
        position = buffer.cursor_position
        buffer._working_lines.extendleft(self._loaded_strings)
        buffer.working_index = len(self._loaded_strings)
        buffer.cursor_position = position

    def original(self, buffer: Buffer) -> str:
        """The line that is edited, as it is stored; "" for a new one."""
        below = len(buffer._working_lines) - 1 - buffer.working_index  # the newest is the last
        return self._loaded_strings[below - 1] if below else ""

    def after(self, line: str) -> str:
        """The line that was entered after this one; "" when it is the newest or unknown."""
        try:
            place = self._loaded_strings.index(line)
        except ValueError:
            return ""
        return self._loaded_strings[place - 1] if place else ""

    def remember(self, line: str, by: str) -> None:
        """A command that somebody else ran here: found by Up-arrow, and marked in the file."""
        try:
            self._lines.add(line, by)
        except StoreError as error:
            self._warn(error.message)
            return
        self._loaded_strings.insert(0, line)

    def hear(self, event: Event) -> None:
        """A command the model proposed and the user approved is part of the history, and marked."""
        from aish.core.events import Approved

        if isinstance(event, Approved) and not event.place:  # a run would bury what was typed
            self.remember(event.command, "ai")

    def get_strings(self) -> list[str]:
        """The lines, oldest first; asked for with every Enter, to look at the last of them."""
        return cast("list[str]", _Backwards(self._loaded_strings))

    def load_history_strings(self) -> Iterable[str]:
        return self._lines.newest_first()

    def store_string(self, string: str) -> None:
        try:
            self._lines.add(string, "" if self.is_command(string) else "asked")
        except StoreError as error:
            self._warn(error.message)

    def append_string(self, string: str) -> None:
        """Private lines stay out of Up-arrow as they stay out of the file; so do repeats."""
        if string.strip() and not is_private(string) and string not in self._loaded_strings[:1]:
            super().append_string(string)


LONGEST = 400  # characters; a suggestion is read in passing


def _suggests(line: str, beginning: str) -> bool:
    """Whether to offer a line: one row or a few, never a script that was pasted."""
    return line.startswith(beginning) and len(line) <= LONGEST and "\n" not in line


class SuggestFromHistory(AutoSuggest):
    """The newest line that begins like this one; a longer beginning is looked for further on."""

    def __init__(self, history: StoredHistory) -> None:
        self._history = history
        self._seen = ("", 0)  # a beginning, and where in the older lines it was found

    def get_suggestion(self, buffer: Buffer, document: Document) -> Suggestion | None:
        del buffer
        text = document.text
        if not text.strip() or "\n" in text:
            return None
        line = self._newer(text) or self._older(text)
        return Suggestion(line[len(text) :]) if line else None

    def _newer(self, text: str) -> str:
        """Among the lines of this session."""
        lines = self._history.lines[: self._history.fresh]
        return next((line for line in lines if _suggests(line, text)), "")

    def _older(self, text: str) -> str:
        """In the text of all others: one search of the machine, not one for each line."""
        older, (beginning, at) = self._history.older, self._seen
        wanted = BETWEEN + text
        if not beginning or not text.startswith(beginning):
            at = 0
        while (at := older.find(wanted, at)) >= 0:
            self._seen = (text, at)
            end = older.find(BETWEEN, at + 1)
            line = older[at + 1 : end]
            if _suggests(line, text):
                return line
            at = end
        self._seen = (text, len(older))
        return ""
