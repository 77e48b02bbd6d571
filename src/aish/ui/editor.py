"""The line editor on a terminal: history, completion, and a prompt that shows what a line is."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from prompt_toolkit import PromptSession
from prompt_toolkit.application import get_app
from prompt_toolkit.auto_suggest import AutoSuggestFromHistory
from prompt_toolkit.completion import Completer
from prompt_toolkit.enums import EditingMode
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.history import History
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
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
        "auto-suggestion": "ansibrightblack",
    }
)

# The same colours for the instant prompt, which knows no line editor.
INSTANT = {
    "class:prompt.model": (CYAN,),
    "class:prompt.cwd": (BOLD, BLUE),
    "class:prompt.git": (MAGENTA,),
    "class:prompt.shell": (BOLD, GREEN),
}


class LineStore(Protocol):
    """Where typed lines are remembered."""

    def add(self, line: str) -> None: ...

    def newest_first(self) -> list[str]: ...


class StoredHistory(History):
    """The editor's view of the stored lines."""

    def __init__(self, lines: LineStore, warn: Callable[[str], None]) -> None:
        super().__init__()
        self._lines = lines
        self._warn = warn

    def load_history_strings(self) -> Iterable[str]:
        return self._lines.newest_first()

    def store_string(self, string: str) -> None:
        try:
            self._lines.add(string)
        except StoreError as error:
            self._warn(error.message)

    def append_string(self, string: str) -> None:
        """Lines that are private or a repeat stay out of Up-arrow as they stay out of the file."""
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
        expect_question: Callable[[], None],
        completer: Completer,
        history: History,
        colours: bool,
    ) -> None:
        self._template = template
        self._values = values
        self._kind_of = kind_of
        self._expect_question = expect_question
        self._shown: dict[str, str] = {}
        self._forced = ""
        self._colours = colours
        self._remembered = False
        self._session: PromptSession[str] = PromptSession(
            self._message,
            history=history,
            completer=completer,
            complete_while_typing=False,
            auto_suggest=AutoSuggestFromHistory(),
            style=STYLE,
            color_depth=None if colours else ColorDepth.DEPTH_1_BIT,
            key_bindings=self._keys(),
            enable_open_in_editor=True,
            editing_mode=EditingMode.EMACS,
            prompt_continuation=lambda width, *_: "… ".rjust(width),
        )

    def read(self, default: str = "") -> tuple[str, str]:
        """A line, and the kind the user forced on it ("" when none).

        Raises: EOFError (Ctrl-D), KeyboardInterrupt (Ctrl-C).
        """
        self._forced = ""
        self._shown = self._values()  # once per line, not once per key
        line = self._session.prompt(default=default, pre_run=self._on_shown)
        return line, self._forced

    def _on_shown(self) -> None:
        """The first prompt is up: keep it for the next session's instant one."""
        if not self._remembered:
            self._remembered = True
            remember(self._template.fragments(self._shown | {"mark": "shell"}), self._painted)

    def _painted(self, style: str, text: str) -> str:
        codes = INSTANT.get(style, ()) if self._colours else ()
        return paint(text, *codes, on=bool(codes))

    def _message(self) -> StyleAndTextTuples:
        text = get_app().current_buffer.text
        kind = self._forced or (self._kind_of(text) if text.strip() else "shell")
        if kind == "ask":
            self._expect_question()
        return list(self._template.fragments(self._shown | {"mark": kind}))

    def _keys(self) -> KeyBindings:
        keys = KeyBindings()

        @keys.add("c-t")
        def flip(event: KeyPressEvent) -> None:
            """Take the line as the other kind: a question becomes a command, and back."""
            text = event.current_buffer.text
            kind = self._forced or self._kind_of(text)
            self._forced = "shell" if kind == "ask" else "ask"

        @keys.add("escape", "enter")
        def newline(event: KeyPressEvent) -> None:
            event.current_buffer.insert_text("\n")

        return keys
