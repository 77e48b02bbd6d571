"""The line editor on a terminal: history, completion, and a prompt that shows what a line is."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncGenerator, Callable, Iterable
from copy import copy
from typing import Protocol

from prompt_toolkit import PromptSession
from prompt_toolkit.application import Application, get_app, run_in_terminal
from prompt_toolkit.auto_suggest import AutoSuggestFromHistory
from prompt_toolkit.completion import Completer
from prompt_toolkit.enums import EditingMode
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.history import History
from prompt_toolkit.input.typeahead import store_typeahead
from prompt_toolkit.input.vt100_parser import Vt100Parser
from prompt_toolkit.key_binding import KeyBindings, KeyPress, KeyPressEvent
from prompt_toolkit.lexers import Lexer
from prompt_toolkit.output.color_depth import ColorDepth
from prompt_toolkit.styles import Style

from aish.core.errors import StoreError
from aish.ui.prompt import PromptTemplate, remember
from aish.ui.style import BLUE, BOLD, CYAN, GREEN, MAGENTA, paint

STYLE = Style.from_dict(
    {
        "prompt": "",
        "prompt.model": "ansicyan",
        "prompt.cwd": "ansiblue bold",
        "prompt.git": "ansimagenta",
        "prompt.shell": "ansigreen bold",
        "prompt.ask": "ansimagenta bold",
        "prompt.meta": "ansiyellow bold",
        "prompt.doubt": "ansibrightblack",
        "auto-suggestion": "ansibrightblack",
        "line.ask": "italic",
        "line.command": "ansigreen",
        "line.unknown": "ansired",
        "line.keyword": "ansimagenta",
        "line.option": "ansicyan",
        "line.path": "underline",
        "line.assignment": "ansicyan",
        "line.string": "ansiyellow",
        "line.heredoc": "ansiyellow",
        "line.variable": "ansicyan",
        "line.operator": "bold",
        "line.comment": "ansibrightblack",
    }
)

A_MOMENT = 0.02  # seconds; keys typed while aish started come first

# The same colours for the instant prompt, which knows no line editor.
INSTANT = {
    "class:prompt.model": (CYAN,),
    "class:prompt.cwd": (BOLD, BLUE),
    "class:prompt.git": (MAGENTA,),
    "class:prompt.shell": (BOLD, GREEN),
}


class LineStore(Protocol):
    """Where typed lines are remembered."""

    def add(self, line: str, by: str = "") -> None: ...

    def newest_first(self) -> list[str]: ...


class Background(Protocol):
    """What goes on while a line is edited: the shell's start, and the output of its jobs."""

    def begin(self) -> None:
        """The first prompt is on the screen: what it did not need may start now."""
        ...

    def fileno(self) -> int:
        """Readable when there is output; -1 where there is nothing to watch."""
        ...

    def output(self) -> bytes: ...

    def show(self, output: bytes) -> None: ...


class StoredHistory(History):
    """The editor's view of the stored lines, read in a thread while the prompt is already up."""

    def __init__(self, lines: LineStore, warn: Callable[[str], None]) -> None:
        super().__init__()
        self._lines = lines
        self._warn = warn
        self._waiting: list[Callable[[], None]] = []
        self.read = False

    async def load(self) -> AsyncGenerator[str, None]:
        """The lines, newest first; what waited for them follows."""
        if not self.read:
            loop = asyncio.get_running_loop()
            stored = await loop.run_in_executor(None, self._lines.newest_first)
            typed = self._loaded_strings  # lines entered while the file was read
            self._loaded_strings = [*typed, *(line for line in stored if line not in typed)]
            self._loaded = self.read = True
            for action in self._waiting:
                loop.call_soon(action)
        for line in self._loaded_strings:
            yield line

    def when_read(self, action: Callable[[], None]) -> None:
        """Do this once the lines are there: a key may be faster than the disk."""
        self._waiting.append(action)

    def remember(self, line: str, by: str) -> None:
        """A command that somebody else ran here: found by Up-arrow, and marked in the file."""
        try:
            self._lines.add(line, by)
        except StoreError as error:
            self._warn(error.message)
            return
        self._loaded_strings.insert(0, line)

    def load_history_strings(self) -> Iterable[str]:
        return self._lines.newest_first()

    def store_string(self, string: str) -> None:
        try:
            self._lines.add(string)
        except StoreError as error:
            self._warn(error.message)

    def append_string(self, string: str) -> None:
        """Private lines stay out of Up-arrow as they stay out of the file."""
        if string.strip() and not string[0].isspace():
            super().append_string(string)


class LineEditor:
    """The prompt on a terminal."""

    def __init__(
        self,
        template: PromptTemplate,
        *,
        values: Callable[[], dict[str, str]],
        kind_of: Callable[[str], str],
        is_doubtful: Callable[[str], bool],
        expect_question: Callable[[], None],
        is_command: Callable[[str], bool],
        is_complete: Callable[[str], bool],
        background: Background,
        completer: Completer,
        lexer: Lexer,
        history: StoredHistory,
        colours: bool,
    ) -> None:
        self._template = template
        self._values = values
        self._kind_of = kind_of
        self._is_doubtful = is_doubtful
        self._expect_question = expect_question
        self._is_command = is_command
        self._is_complete = is_complete
        self._background = background
        self._history = history
        self._shown: dict[str, str] = {}
        self._forced = ""
        self._colours = colours
        self._remembered = False
        self._session: PromptSession[str] = PromptSession(
            self._message,
            history=history,
            completer=completer,
            complete_while_typing=False,
            complete_in_thread=True,
            lexer=lexer,
            multiline=True,
            auto_suggest=AutoSuggestFromHistory(),
            style=STYLE,
            color_depth=None if colours else ColorDepth.DEPTH_1_BIT,
            key_bindings=self._keys(),
            enable_open_in_editor=True,
            rprompt=self._doubt,
            editing_mode=EditingMode.EMACS,
            prompt_continuation=lambda width, *_: "… ".rjust(width),
        )

    def read(self, default: str = "", typed: str = "") -> tuple[str, str]:
        """A line, and the kind the user forced on it ("" when none).

        `default` stands in the line to be edited; `typed` counts as keys pressed now.
        Raises: EOFError (Ctrl-D), KeyboardInterrupt (Ctrl-C).
        """
        self._forced = ""
        self._shown = self._values()  # once per line, not once per key
        if typed:
            keys: list[KeyPress] = []
            parser = Vt100Parser(keys.append)
            parser.feed(typed)
            parser.flush()
            store_typeahead(self._session.app.input, keys)
        line = self._session.prompt(default=default, pre_run=self._on_start)
        return line, self._forced

    def _on_start(self) -> None:
        """The prompt comes up: listen to the shell's jobs, and at first get things ready."""
        app = self._session.app
        if not self._remembered:
            self._remembered = True
            app.after_render += self._after_first_paint
        else:
            self._listen()

    def _after_first_paint(self, app: Application[str]) -> None:
        """The user can type now; the rest starts in a thread, a moment later."""
        app.after_render -= self._after_first_paint
        asyncio.get_running_loop().call_later(A_MOMENT, self._begin)

    def _begin(self) -> None:
        gc.enable()
        loop = asyncio.get_running_loop()
        loop.run_in_executor(None, self._background.begin).add_done_callback(self._begun)
        remember(self._template.fragments(self._shown | {"mark": "shell"}), self._painted)

    def _begun(self, _: object) -> None:
        """What a line is can be told now: show it for what was typed meanwhile."""
        self._listen()
        self._session.lexer = copy(self._session.lexer)  # a new one, so that nothing is cached
        self._session.app.invalidate()

    def _listen(self) -> None:
        """Show what background jobs print above the line, while it is edited."""
        descriptor = self._background.fileno()
        if descriptor < 0:
            return
        loop = asyncio.get_running_loop()
        loop.add_reader(descriptor, self._hear, descriptor)
        app = self._session.app
        if app.future is not None:
            app.future.add_done_callback(lambda _: loop.remove_reader(descriptor))

    def _hear(self, descriptor: int) -> None:
        output = self._background.output()
        if self._background.fileno() != descriptor:  # the shell is gone
            asyncio.get_running_loop().remove_reader(descriptor)
            if not self._session.app.is_done:
                self._session.app.exit(exception=EOFError)
        elif output:
            run_in_terminal(lambda: self._background.show(output))

    def _painted(self, style: str, text: str) -> str:
        codes = INSTANT.get(style, ()) if self._colours else ()
        return paint(text, *codes, on=bool(codes))

    def _message(self) -> StyleAndTextTuples:
        text = get_app().current_buffer.text
        kind = self._forced or (self._kind_of(text) if text.strip() else "shell")
        if kind == "ask":
            self._expect_question()
        return list(self._template.fragments(self._shown | {"mark": kind}))

    def _doubt(self) -> StyleAndTextTuples:
        """What stands at the right edge while the kind of the line is a guess; gone on Enter."""
        app = get_app()
        text = app.current_buffer.text
        if self._forced or app.is_done or not text.strip() or not self._is_doubtful(text):
            return []
        taken, other = ("asks", "runs") if self._kind_of(text) == "ask" else ("runs", "asks")
        return [("class:prompt.doubt", f"? {taken}, Ctrl-T {other}")]

    def _runs(self, text: str) -> bool:
        """Whether Enter would run this as a command."""
        return self._forced == "shell" if self._forced else self._is_command(text)

    def _keys(self) -> KeyBindings:
        keys = KeyBindings()

        @keys.add("c-t")
        def flip(event: KeyPressEvent) -> None:
            """Take the line as the other kind: a question becomes a command, and back."""
            text = event.current_buffer.text
            kind = self._forced or self._kind_of(text)
            self._forced = "shell" if kind == "ask" else "ask"

        @keys.add("enter")
        def accept(event: KeyPressEvent) -> None:
            """Take the line; a command that is not finished goes on in the next one."""
            buffer = event.current_buffer
            at_end = buffer.document.is_cursor_at_the_end
            if at_end and self._runs(buffer.text) and not self._is_complete(buffer.text):
                buffer.insert_text("\n")
            else:
                buffer.validate_and_handle()

        @keys.add("up", filter=Condition(lambda: not self._history.read))
        def later(event: KeyPressEvent) -> None:
            self._history.when_read(event.current_buffer.auto_up)

        @keys.add("escape", "enter")
        def newline(event: KeyPressEvent) -> None:
            event.current_buffer.insert_text("\n")

        return keys
