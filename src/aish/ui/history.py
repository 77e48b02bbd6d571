"""The editor's view of the stored lines: Up-arrow, suggestions, and what Ctrl-R searches."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import AsyncGenerator, Callable, Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, cast, overload

from prompt_toolkit.auto_suggest import AutoSuggest, Suggestion
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.document import Document
from prompt_toolkit.history import History

from aish.core.errors import StoreError
from aish.core.private import is_private
from aish.shell.bash_history import plain
from aish.ui.screen import Screen

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

    This session's own lines come first, then those that other sessions entered meanwhile, then
    the file as it was read. A buffer gets them with the first key that wants them: copying a long
    history for every line would be felt.
    """

    def __init__(self, lines: LineHistory, screen: Screen) -> None:
        super().__init__()
        self._lines = lines
        self._screen = screen
        self._waiting: list[Callable[[], None]] = []
        self._stored: list[str] | None = None  # read from the file and not taken yet
        self._joined = ""
        self._own: list[str] = []  # entered here, newest first
        self._others: list[str] = []  # entered elsewhere since the file was read, newest first
        self._old = 0
        self._filed: set[str] = set()  # own lines that are in the file
        self._in_file: set[str] = set()  # those that were when a reading began
        self._entered = ""  # a command of which bash has not said what it keeps
        self._problem = ""  # with keeping the last line, not said yet
        self._told = ""  # the problem that was said; not again until a line was kept
        self._loop: asyncio.AbstractEventLoop | None = None
        self._reading = False
        self.read = False
        self.older = ""  # what the file held, newest first, each line between two marks
        self.is_command: Callable[[str], bool] = lambda _: True
        self.forget_in_shell: Callable[[Collection[str]], None] = lambda _: None

    @property
    def lines(self) -> list[str]:
        """The lines, newest first."""
        return self._loaded_strings

    @property
    def fresh(self) -> int:
        """How many of the lines, the newest, were not in the file when it was read."""
        return len(self._loaded_strings) - self._old

    async def load(self) -> AsyncGenerator[str, None]:
        """Have the file read, once, and look what came since; the buffer itself gets nothing yet.

        In a thread of its own: the event loop of a prompt would wait for it when a line is entered.
        """
        self._enter(self._entered)  # nobody ran it
        self._entered = ""
        if self._loop is None:
            self._loop = asyncio.get_running_loop()
            self._begin_reading()
        self._take()
        self.look()
        for nothing in list[str]():
            yield nothing

    def look(self) -> None:
        """Take in what other sessions entered meanwhile."""
        if not self.read or self._reading:
            return
        appended = self._lines.appended()
        if appended is None:  # a line was forgotten, or the file compacted
            self._begin_reading()
        elif foreign := [line for line in appended if line not in self._own]:
            self._others = list(dict.fromkeys([*foreign, *self._others]))
            self._loaded_strings[: self.fresh] = [*self._own, *self._others]

    def _begin_reading(self) -> None:
        self._reading = True
        self._in_file = set(self._filed)
        threading.Thread(target=self._read_file, daemon=True).start()

    def _read_file(self) -> None:
        stored = self._lines.newest_first(follow=True)
        self._joined = _joined(stored)
        self._stored = stored
        with contextlib.suppress(RuntimeError):  # between two prompts; the next one takes it
            if self._loop is not None:
                self._loop.call_soon_threadsafe(self._take)

    def _take(self) -> None:
        """Put what was read behind what was typed here; what waited for it follows.

        What was in the file and is no more, somebody forgot.
        """
        stored, self._stored = self._stored, None
        if stored is None:
            return
        forgotten = self._in_file.difference(stored)
        self._own = [line for line in self._own if line not in forgotten]
        self._others = []
        known = set(self._own)
        self._loaded_strings = [*self._own, *(line for line in stored if line not in known)]
        self.older, self._old = self._joined, len(self._loaded_strings) - len(self._own)
        self._loaded = self.read = True
        self._reading = False
        waiting, self._waiting = self._waiting, []
        for action in waiting:
            action()

    def when_read(self, action: Callable[[], None]) -> None:
        """Do this once the lines are there: a key may be faster than the disk."""
        if self.read:
            action()
        else:
            self._waiting.append(action)

    def fill(self, buffer: Buffer) -> None:
        """Let the buffer walk through the lines, its own text last."""
        if len(buffer._working_lines) > 1:
            return
        self.look()
        if not self._loaded_strings:
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

    # Entering ----------------------------------------------------------------------------------

    def append_string(self, string: str) -> None:
        """A line was entered; of a command, bash says what is kept when it has read it."""
        if self.is_command(string):
            self._entered = "" if is_private(string) else string
        else:
            self._enter(string, "asked")
            self.line_ended()

    def bash_keeps(self, line: str, kept: str, *, once: bool) -> None:
        """Keep a command as bash expanded it; what made the line a command stays before it."""
        entered, self._entered = self._entered, ""
        if entered and kept:
            self._enter(entered.removesuffix(line) + kept, once=once)

    def line_ended(self) -> None:
        """Say what went wrong when the line was kept."""
        problem, self._problem = self._problem, ""
        if problem:
            self._screen.notice(problem)

    def remember(self, line: str, by: str) -> None:
        """A command that somebody else ran here: found by Up-arrow, and marked in the file."""
        self._enter(line, by)
        self.line_ended()

    def hear(self, event: Event) -> None:
        """A command the model proposed and the user approved is part of the history, and marked."""
        from aish.core.events import Approved

        if isinstance(event, Approved) and not event.place:  # a run would bury what was typed
            self.remember(event.command, "ai")

    def _enter(self, line: str, by: str = "", *, once: bool = False) -> None:
        """Private lines stay out of Up-arrow as they stay out of the file; so do repeats."""
        if not line.strip() or is_private(line) or line in self._loaded_strings[:1]:
            return
        if once and line in self._loaded_strings:
            self._drop({line})
        self._own.insert(0, line)
        self._loaded_strings.insert(0, line)
        try:
            if self._lines.add(line, by):
                self._filed.add(line)
                self._told = ""
        except StoreError as error:
            self._problem = error.message if error.message != self._told else ""
            self._told = error.message

    # Forgetting --------------------------------------------------------------------------------

    def everything(self) -> list[str]:
        """The lines of all sessions, newest first, also those of which no file has a copy."""
        return list(dict.fromkeys([*self._loaded_strings, *self._lines.newest_first()]))

    def forget(self, lines: Collection[str]) -> None:
        """Forget lines for good: here, in the file, in other sessions, in the shell behind.

        Raises: StoreError, ShellError.
        """
        self._lines.forget(lines)
        self._drop(set(lines))
        self.forget_in_shell([_command(line) for line in lines])

    def bash_forgot(self, gone: list[str], *, cleared: bool) -> None:
        """Forget what the user took out of bash's history."""
        wanted = set(map(plain, gone))
        everything = self.everything()
        lines = [line for line in everything if not wanted.isdisjoint(_commands(line))]
        try:
            self._lines.forget(lines)
        except StoreError as error:
            self._screen.notice(error.message)
        self._drop(set(lines))
        if cleared and (left := len(everything) - len(lines)):
            count = f"{left:,} lines" if left > 1 else "1 line"
            self._screen.notice(f"bash did not have {count} of the history: `:history forget all`")

    def _drop(self, gone: set[str]) -> None:
        old = self._loaded_strings[self.fresh :]
        kept = [line for line in old if line not in gone]
        self._own = [line for line in self._own if line not in gone]
        self._others = [line for line in self._others if line not in gone]
        self._filed -= gone
        self._loaded_strings = [*self._own, *self._others, *kept]
        if len(kept) < len(old):
            self.older, self._old = _joined(kept), len(kept)

    # What the library asks for

    def get_strings(self) -> list[str]:
        """The lines, oldest first; asked for with every Enter, to look at the last of them."""
        return cast("list[str]", _Backwards(self._loaded_strings))

    def load_history_strings(self) -> Iterable[str]:
        return self._lines.newest_first()

    def store_string(self, string: str) -> None:
        """Entering a line stores it."""


def _joined(lines: list[str]) -> str:
    return BETWEEN.join(["", *lines, ""])


def _command(line: str) -> str:
    """What of a line goes to bash."""
    return line[1:].lstrip() if line.startswith(("!", "$ ")) else line


def _commands(line: str) -> Iterator[str]:
    """A line as bash may have it in its history: whole, or each of its rows."""
    yield plain(_command(line))
    if "\n" in line:
        yield from map(plain, line.split("\n"))


LONGEST = 400  # characters; a suggestion is read in passing


def _suggests(line: str, beginning: str) -> bool:
    """Whether to offer a line: one row or a few, never a script that was pasted."""
    return line.startswith(beginning) and len(line) <= LONGEST and "\n" not in line


class SuggestFromHistory(AutoSuggest):
    """The newest line that begins like this one; a longer beginning is looked for further on."""

    def __init__(self, history: StoredHistory) -> None:
        self._history = history
        self._seen = ("", 0)  # a beginning, and where in the older lines it was found
        self._older_lines = ""  # those lines

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
        if older is not self._older_lines or not beginning or not text.startswith(beginning):
            self._older_lines, at = older, 0
        while (at := older.find(wanted, at)) >= 0:
            self._seen = (text, at)
            end = older.find(BETWEEN, at + 1)
            line = older[at + 1 : end]
            if _suggests(line, text):
                return line
            at = end
        self._seen = (text, len(older))
        return ""
