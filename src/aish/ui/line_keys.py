"""The keys of the line editor that are aish's own; the rest are those of readline."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prompt_toolkit.application import get_app
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.filters import (
    Condition,
    emacs_insert_mode,
    emacs_mode,
    vi_insert_mode,
    vi_navigation_mode,
)
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

from aish.ui.completion import Sought

if TYPE_CHECKING:
    from collections.abc import Callable

    from aish.ui.editor import LineEditor
    from aish.ui.history import StoredHistory

NORRIS = ":norris "


class FindInHistory(BaseException):
    """The user wants to search the history, with this in the line, beginning with a query."""

    def __init__(self, line: str, query: str) -> None:
        super().__init__(line, query)
        self.line, self.query = line, query


def line_keys(editor: LineEditor) -> KeyBindings:
    """The bindings."""
    keys = KeyBindings()

    @keys.add("<vt100-mouse-event>")
    def no_mouse(event: KeyPressEvent) -> None:
        """A colour that was pasted or typed ahead reads like a click, and there are no clicks."""

    @keys.add("c-t")
    def flip(event: KeyPressEvent) -> None:
        editor.flip(event.current_buffer.text)

    @keys.add("enter")
    def accept(event: KeyPressEvent) -> None:
        """Take the line; a command that is not finished goes on in the next one."""
        if editor.too_early():
            return
        buffer = event.current_buffer
        text, at_end = buffer.text, buffer.document.is_cursor_at_the_end
        whole = not editor.runs(text) or editor.kinds.is_complete(text)
        if at_end and not whole:
            buffer.insert_text("\n")
            return
        if whole:
            editor.enters(text)
        buffer.validate_and_handle()

    @keys.add("c-n", filter=Condition(lambda: _on_newest_line(get_app().current_buffer)))
    def pursue(event: KeyPressEvent) -> None:
        """Make a goal of the line, or a line of the goal; Enter begins."""
        buffer = event.current_buffer
        text, place = buffer.text, buffer.cursor_position
        if text.startswith(NORRIS):
            buffer.text, move = text.removeprefix(NORRIS), -len(NORRIS)
        else:
            buffer.text, move = NORRIS + text, len(NORRIS)
        buffer.cursor_position = max(0, place + move)

    @keys.add("c-d", filter=Condition(lambda: _ends_in_an_empty_row(get_app().current_buffer)))
    def end_of_input(event: KeyPressEvent) -> None:
        """No more of an unfinished command will come; the shell says what it lacks."""
        event.current_buffer.validate_and_handle()

    @keys.add("escape", "enter", filter=emacs_mode)
    def newline(event: KeyPressEvent) -> None:
        event.current_buffer.insert_text("\n")

    @keys.add("c-s")
    @keys.add("c-q")
    def flow(event: KeyPressEvent) -> None:
        """Before bash these never come: the terminal takes them to stop and go on."""

    @keys.add("tab", filter=emacs_insert_mode | vi_insert_mode)
    @keys.add("escape", "/", filter=emacs_insert_mode)
    def complete(event: KeyPressEvent) -> None:
        """Complete the word, or go on to the next possibility; keys that follow wait for it."""
        buffer = event.current_buffer
        if buffer.complete_state:
            buffer.complete_next()
        else:
            sought = Sought()
            found = buffer._async_completer(insert_common_part=True, complete_event=sought)
            editor.keys.wait_for(found, sought.give_up)

    @keys.add("c-o", filter=emacs_mode)
    def enter_and_go_on(event: KeyPressEvent) -> None:
        """Enter the line; the one that came after it in the history is next."""
        editor.next_line = editor.history.after(event.current_buffer.text)
        event.current_buffer.validate_and_handle()

    _finding(keys, editor.history)
    _history_keys(keys, editor.history)
    return keys


def _on_newest_line(buffer: Buffer) -> bool:
    """Further up in the history, Ctrl-N goes down again as in readline."""
    return buffer.working_index == len(buffer._working_lines) - 1


def _ends_in_an_empty_row(buffer: Buffer) -> bool:
    return buffer.text.endswith("\n") and buffer.document.is_cursor_at_the_end


def _finding(keys: KeyBindings, history: StoredHistory) -> None:
    """Keys that open the list of the history: for what is in the line, or, in vi, for any."""

    def find(event: KeyPressEvent, query: str) -> None:
        wanted = FindInHistory(event.current_buffer.text, query)
        history.when_read(lambda: event.app.exit(exception=wanted))

    keys.add("c-r")(lambda event: find(event, event.current_buffer.text))
    for key in ("/", "?", "n", "N"):
        keys.add(key, filter=vi_navigation_mode)(lambda event: find(event, ""))


def _history_keys(keys: KeyBindings, history: StoredHistory) -> None:
    """Keys that walk through the history; a buffer gets it with the first of them."""

    @keys.add("up")
    def up(event: KeyPressEvent) -> None:
        _walk(event, history, lambda: event.current_buffer.auto_up(count=event.arg))

    @keys.add("c-p", filter=emacs_mode)
    @keys.add("escape", "p", filter=emacs_mode)
    def previous(event: KeyPressEvent) -> None:
        _walk(event, history, lambda: event.current_buffer.auto_up(count=event.arg))

    @keys.add("escape", "n", filter=emacs_mode)
    def later(event: KeyPressEvent) -> None:
        event.current_buffer.auto_down(count=event.arg)

    @keys.add("k", filter=vi_navigation_mode)
    def vi_up(event: KeyPressEvent) -> None:
        _walk(event, history, lambda: event.current_buffer.auto_up(event.arg, True))

    @keys.add("escape", "<", filter=emacs_mode)
    def first(event: KeyPressEvent) -> None:
        _walk(event, history, lambda: event.current_buffer.go_to_history(0))


def _walk(event: KeyPressEvent, history: StoredHistory, step: Callable[[], None]) -> None:
    def now() -> None:
        history.fill(event.current_buffer)
        step()

    history.when_read(now)
