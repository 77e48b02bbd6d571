"""The line editor on a terminal: history, completion, and a prompt that shows what a line is."""

from __future__ import annotations

import asyncio
import gc
import os
import sys
import termios
import time
from collections.abc import Callable, Iterable
from copy import copy
from functools import cached_property
from typing import TYPE_CHECKING

from prompt_toolkit import PromptSession
from prompt_toolkit.application import Application, get_app, run_in_terminal
from prompt_toolkit.completion import Completer
from prompt_toolkit.document import Document
from prompt_toolkit.enums import EditingMode
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input.ansi_escape_sequences import ANSI_SEQUENCES
from prompt_toolkit.input.typeahead import get_typeahead, store_typeahead
from prompt_toolkit.input.vt100_parser import Vt100Parser
from prompt_toolkit.key_binding import KeyPress, merge_key_bindings
from prompt_toolkit.key_binding.vi_state import InputMode
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import BufferControl, Layout, UIControl
from prompt_toolkit.lexers import Lexer
from prompt_toolkit.output import Output
from prompt_toolkit.output.color_depth import ColorDepth
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.styles import Attrs

from aish.ui.colours import INSTANT, STYLE, style_for
from aish.ui.history import StoredHistory, SuggestFromHistory
from aish.ui.line_keys import FindInHistory, line_keys
from aish.ui.line_loop import LineLoop
from aish.ui.macros import MacroKeys
from aish.ui.near_cursor import NearCursor
from aish.ui.prompt import PromptTemplate, ShellPrompt, remember
from aish.ui.readline_keys import readline_keys
from aish.ui.reflow import follow_reflow, reflows
from aish.ui.style import paint
from aish.ui.unseen_marks import UnseenMarks, visible
from aish.ui.waiting_keys import WaitingKeys

if TYPE_CHECKING:
    from aish.ui.background import Background
    from aish.ui.finder import Finder
    from aish.ui.kinds import LineKinds
    from aish.ui.prompt import PromptValues

WIDE = 70  # columns from which a doubt is put in words
A_MOMENT = 0.02  # seconds; keys typed while aish started come first
LOOKED_AT = 0.4  # seconds; before that nobody can have read a text put into the line
A_LOOK = 0.05  # seconds between looks at a shell that starts
ESCAPE_TIME = 0.05  # seconds; after that an escape is the key, not the beginning of another
_OF_THE_MOMENT = ("venv", "git", "jobs", "status")  # not for the next session's first prompt
# A program that died may have asked the terminal to tell when its window is left or entered.
ANSI_SEQUENCES.update({"\x1b[I": Keys.Ignore, "\x1b[O": Keys.Ignore})
_END_OF_PROMPT = ("[ZeroWidthEscape]", "\x1b]133;B\x1b\\")


class _ShellAsks(BaseException):
    """The user's start file waits for keys."""


class _StillLayout(Layout):
    """One whose controls stay the same: they are looked for twice for every key."""

    @cached_property
    def _controls(self) -> tuple[UIControl, ...]:
        return tuple(super().find_all_controls())

    def find_all_controls(self) -> Iterable[UIControl]:
        return self._controls


class _Session(PromptSession[str]):
    """One that measures its prompt once for a line: a long one has hundreds of rows, and the
    prefix of each would be made from the prompt anew, several times for every key.

    A row that only wraps has the whole width, as in readline, and no mark: it is no new line.
    Nothing is searched for within it: the history is a list of its own.
    """

    _continuation: StyleAndTextTuples | None = None

    def _create_layout(self) -> Layout:
        made = super()._create_layout()
        for control in made.find_all_controls():
            if isinstance(control, BufferControl):
                control._search_buffer_control = None
        return _StillLayout(made.container, made.current_window)

    def _get_line_prefix(
        self,
        line_number: int,
        wrap_count: int,
        get_prompt_text_2: Callable[[], StyleAndTextTuples],
    ) -> StyleAndTextTuples:
        if wrap_count:
            return []
        if not line_number:
            self._continuation = None
            return super()._get_line_prefix(0, 0, get_prompt_text_2)
        if self._continuation is None:
            found = super()._get_line_prefix(line_number, wrap_count, get_prompt_text_2)
            self._continuation = found
        return self._continuation


class LineEditor:
    """The prompt on a terminal."""

    def __init__(
        self,
        template: PromptTemplate | ShellPrompt,
        *,
        values: PromptValues,
        kinds: LineKinds,
        background: Background,
        completer: Completer,
        lexer: Lexer,
        history: StoredHistory,
        colours: bool,
        light: bool = False,
    ) -> None:
        self._template = template
        self._values = values
        self.kinds = kinds
        self._background = background
        self.history = history
        self._shown: dict[str, str] = {}
        self._forced = ""
        self._entered = ("", False)  # the last line that Enter asked about, and whether it runs
        self._colours = colours
        self._remembered = False
        self._guarded = False
        self._looks: dict[str, Attrs] = {}
        self._painted_at = 0.0
        self.next_line = ""  # what Ctrl-O brings after the line it enters
        self._loop = LineLoop()
        self._output = _quiet_output()
        self._session = _Session(
            self._message,
            history=history,
            completer=completer,
            complete_while_typing=False,
            complete_in_thread=True,
            enable_history_search=True,
            lexer=lexer,
            multiline=True,
            auto_suggest=SuggestFromHistory(history),
            style=style_for(light=light),
            color_depth=None if colours else ColorDepth.DEPTH_1_BIT,
            key_bindings=merge_key_bindings(
                [readline_keys(background.expand, history), line_keys(self), MacroKeys(background)]
            ),
            enable_open_in_editor=True,
            rprompt=self._doubt,
            prompt_continuation=lambda width, *_: self._next_row(width),
            output=self._output,
            erase_when_done=self._output is not None,
            input_processors=[NearCursor(), UnseenMarks()],
        )
        app = self._session.app
        app.ttimeoutlen = ESCAPE_TIME
        self.keys = WaitingKeys(app.key_processor._bindings)
        app.key_processor = self.keys
        app.after_render += self._note_paint
        if reflows(os.environ):
            follow_reflow(app)

    def read(self, default: str = "", typed: str = "") -> tuple[str, str]:
        """A line, and the kind the user forced on it ("" when none).

        `default` stands in the line to be edited; `typed` counts as keys pressed now.
        Raises: EOFError (Ctrl-D), KeyboardInterrupt (Ctrl-C).
        """
        self._forced = ""
        self._entered = ("", False)
        self.kinds.begin()
        self._shown = self._values.now()  # once per line, not once per key
        vi = self._background.editing == "vi"
        self._session.editing_mode = EditingMode.VI if vi else EditingMode.EMACS
        self._guarded = bool(default)
        if default:  # somebody is to look at it: no key pressed before that enters it
            termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)
        else:
            self._press(typed)
        default, self.next_line = default or self.next_line, ""
        accept = False
        while True:
            try:
                line = self._loop.run(
                    self._session.prompt_async(
                        default=default, pre_run=self._on_start, accept_default=accept
                    )
                )
            except FindInHistory as wanted:
                default, accept = self._find(wanted.line, wanted.query)
                continue
            except _ShellAsks:
                default = self._session.default_buffer.text
                self._step_aside()
                continue
            except BaseException as end:  # Ctrl-C and Ctrl-D leave what was typed on the screen
                text = self._session.default_buffer.text
                self._leave(text + ("^C" if isinstance(end, KeyboardInterrupt) else ""))
                raise
            self._leave(line)
            if line.strip() and self.runs(line) and (pressed := self._pressed()):
                self._background.type_ahead(pressed)
            return line, self._forced

    def _pressed(self) -> str:
        """Keys that came after Enter; taken away from the next line."""
        return "".join(map(_as_pressed, get_typeahead(self._session.app.input)))

    def _press(self, typed: str) -> None:
        """Keys that were pressed before the prompt stood there."""
        if typed:
            keys: list[KeyPress] = []
            parser = Vt100Parser(keys.append)
            parser.feed(typed)
            parser.flush()
            store_typeahead(self._session.app.input, keys)

    def _step_aside(self) -> None:
        """What is typed now answers the start file; the line goes on after it.

        Raises: EOFError, when that ended the shell.
        """
        typed = self._background.attend()
        if self._background.fileno() < 0:
            raise EOFError
        self._press(typed)
        self._shown = self._values.now()

    def _find(self, line: str, query: str) -> tuple[str, bool]:
        """Let the user search the history; the line that follows, and whether it runs at once."""
        self.history.look()
        found = self._finder.run(self.history.lines, query, self._loop)
        if found.action == "drop":
            return "", False
        return (line, False) if found.action == "cancel" else (found.text, found.action == "run")

    @cached_property
    def _finder(self) -> Finder:
        from aish.ui.finder import Finder

        return Finder(self._output, STYLE, self._session.app.color_depth)

    def _leave(self, line: str) -> None:
        """Leave the line on the screen as plain text that the terminal wraps.

        While it is edited its rows are drawn apart; copied with the mouse they would be lines.
        """
        if self._output is None:
            return
        rows = self._session.lexer.lex_document(Document(line)) if self._session.lexer else None
        shown = self._prompt(line)
        for number, row in enumerate(line.split("\n")):
            shown += [("", "\n")] if number else []
            shown += list(rows(number)) if rows and row else [("", row)]
        left = [(style, _visible(style, text)) for style, text, *_ in shown]
        self._print(self._output, [*left, ("", "\n")])

    def _print(self, output: Output, fragments: list[tuple[str, str]]) -> None:
        """As `print_formatted_text`, which looks up anew what every style means."""
        depth = self._session.app.color_depth
        output.reset_attributes()
        output.enable_autowrap()
        for style, text in fragments:
            attributes = self._looks.get(style)
            if attributes is None:
                attributes = self._looks[style] = STYLE.get_attrs_for_style_str(style)
            output.set_attributes(attributes, depth)
            if "[ZeroWidthEscape]" in style:
                output.write_raw(text)
            else:
                output.write(text.replace("\r", "").replace("\n", "\r\n"))
        output.reset_attributes()
        output.flush()

    def _on_start(self) -> None:
        """The prompt comes up: listen to the shell's jobs, and at first get things ready."""
        app = self._session.app
        self._painted_at = 0.0
        self._background.idle.watch()
        if not self._remembered:
            self._remembered = True
            app.after_render += self._after_first_paint
        else:
            self._listen()

    def _note_paint(self, _: Application[str]) -> None:
        self._painted_at = self._painted_at or time.monotonic()
        self._background.idle.touch()

    def too_early(self) -> bool:
        """Whether a text that was put into the line has not been there long enough to be read."""
        return self._guarded and time.monotonic() - self._painted_at < LOOKED_AT

    def _after_first_paint(self, app: Application[str]) -> None:
        """The user can type now; the rest starts in a thread, a moment later."""
        app.after_render -= self._after_first_paint
        asyncio.get_running_loop().call_later(A_MOMENT, self._begin)

    def _begin(self) -> None:
        gc.enable()
        loop = asyncio.get_running_loop()
        loop.run_in_executor(None, self._background.begin).add_done_callback(self._begun)
        lasting = dict.fromkeys(_OF_THE_MOMENT, "") | {"mark": "shell"}
        remember(self._template.fragments(self._shown | lasting), self._painted)

    def _begun(self, _: object) -> None:
        """What a line is can be told now: show it for what was typed meanwhile."""
        gc.freeze()  # what is loaded stays: no key waits for a look at all of it
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
        self._look_at_start()

    def _look_at_start(self) -> None:
        """A start file that asks something has the keys; until it ends, it may begin to."""
        app = self._session.app
        if app.is_done or not app.is_running or not self._background.starting:
            return
        if self._background.asks:
            app.exit(exception=_ShellAsks)
        else:
            asyncio.get_running_loop().call_later(A_LOOK, self._look_at_start)

    def _hear(self, descriptor: int) -> None:
        output = self._background.output()
        if self._background.fileno() != descriptor:  # the shell is gone
            asyncio.get_running_loop().remove_reader(descriptor)
            if not self._session.app.is_done:
                self._session.app.exit(exception=EOFError)
        elif output:
            run_in_terminal(lambda: self._background.show(output))

    def show_late(self, field: str, value: str) -> None:
        """A part of the prompt that was slow to find is there; any thread may say so."""
        self._shown = self._shown | {field: value}
        self._session.app.invalidate()

    def _painted(self, style: str, text: str) -> str:
        codes = INSTANT.get(style, ()) if self._colours else ()
        return paint(text, *codes, on=bool(codes))

    def _next_row(self, width: int) -> str:
        """What stands before a further line: under the prompt, where that leaves enough room."""
        room = self._session.app.output.get_size().columns
        return "… ".rjust(width if width <= room // 2 else 0)

    def _message(self) -> StyleAndTextTuples:
        return self._prompt(get_app().current_buffer.text)

    def _prompt(self, text: str) -> StyleAndTextTuples:
        kind = self._forced or (self.kinds.steady_kind(text) if text.strip() else "shell")
        if kind == "ask":
            self._background.expect_question()
        app = self._session.app
        commanding = app.vi_state.input_mode == InputMode.NAVIGATION and not app.is_done
        if app.editing_mode == EditingMode.VI and commanding:
            kind = "vi"
        return [*self._template.fragments(self._shown | {"mark": kind}), _END_OF_PROMPT]

    def _doubt(self) -> StyleAndTextTuples:
        """What stands at the right edge while the kind of the line is a guess; gone on Enter."""
        app = get_app()
        text = app.current_buffer.text
        if self._forced or app.is_done or not text.strip():
            return []
        guess = self.kinds.guess(text)
        if not guess:
            return []
        taken, other = ("asks", "runs") if guess == "ask" else ("runs", "asks")
        wide = app.output.get_size().columns >= WIDE
        return [("class:prompt.doubt", f"? {taken}, Ctrl-T {other}" if wide else f"? {taken}")]

    def flip(self, text: str) -> None:
        """Take the line as the other kind: a question becomes a command, and back."""
        kind = self._forced or self.kinds.guess(text) or self.kinds.steady_kind(text)
        self._forced = "shell" if kind == "ask" else "ask"

    def enters(self, text: str) -> None:
        """Enter takes this line: a command as it stands is on its way while we clear up."""
        if self._forced or not text.strip():
            return
        found = self.kinds.entered(text)
        if found.kind == "shell" and found.text == text:
            self._background.expect(text)

    def runs(self, text: str) -> bool:
        """Whether Enter would run this as a command."""
        if self._forced:
            return self._forced == "shell"
        if self._entered[0] != text:
            self._entered = (text, self.kinds.is_command(text))
        return self._entered[1]


def _quiet_output() -> Output | None:
    """The terminal, which is never asked where its cursor is: the answer would come to somebody
    else. None for one that can do nothing; the editor then has a way of its own."""
    if os.environ.get("TERM", "dumb") in ("", "dumb", "unknown"):
        return None
    output = Vt100_Output.from_pty(sys.stdout, os.environ.get("TERM"))
    output.enable_cpr = False
    return output


def _as_pressed(press: KeyPress) -> str:
    """What the terminal sent for a key; nothing for what is none."""
    if press.key == Keys.BracketedPaste:
        return f"\x1b[200~{press.data}\x1b[201~"
    return "" if press.key in (Keys.SIGINT, "?") and len(press.data) > 1 else press.data


def _visible(style: str, text: str) -> str:
    return text if "[ZeroWidthEscape]" in style else visible(text)
