"""Keys of readline that the line editor lacks, or understands in another way."""

from __future__ import annotations

from collections.abc import Callable

from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document
from prompt_toolkit.filters import emacs_insert_mode, emacs_mode, vi_insert_mode
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.key_binding.bindings.named_commands import get_by_name
from prompt_toolkit.keys import Keys

from aish.ui.history import StoredHistory
from aish.ui.word_bounds import turned_words, word_after, word_before

Expand = Callable[[str, str, int], tuple[str, int] | None]
"""How (one of EXPANSIONS), the line and the cursor: the line and cursor after it."""

EXPANSIONS = {"word": ("c-x", "*"), "line": ("escape", "c-e"), "history": ("escape", "^")}


def readline_keys(expand: Expand, history: StoredHistory) -> KeyBindings:
    """The bindings; what the shell alone can do is asked of it."""
    keys = KeyBindings()
    _typing(keys)
    _motions(keys)
    _kills(keys)
    _changes(keys, history)
    _expansions(keys, expand)
    keys.add("c-v", filter=emacs_insert_mode | vi_insert_mode)(get_by_name("quoted-insert"))

    @keys.add("escape", Keys.Any, filter=emacs_mode)
    def unknown(event: KeyPressEvent) -> None:
        """A key with Meta that means nothing types nothing."""
        event.app.output.bell()

    return keys


def _motions(keys: KeyBindings) -> None:
    @keys.add("escape", "f", filter=emacs_mode)
    @keys.add("c-right")
    def forward(event: KeyPressEvent) -> None:
        event.current_buffer.cursor_position = _place(event)

    @keys.add("escape", "b", filter=emacs_mode)
    @keys.add("c-left")
    def backward(event: KeyPressEvent) -> None:
        event.current_buffer.cursor_position = _place(event, back=True)


def _kills(keys: KeyBindings) -> None:
    @keys.add("escape", "d", filter=emacs_insert_mode)
    def kill_word(event: KeyPressEvent) -> None:
        _kill(event, _place(event))

    @keys.add("escape", "backspace", filter=emacs_insert_mode)
    @keys.add("escape", "c-h", filter=emacs_insert_mode)
    def kill_word_before(event: KeyPressEvent) -> None:
        _kill(event, _place(event, back=True))

    @keys.add("c-u", filter=emacs_insert_mode | vi_insert_mode)  # all rows, as readline does
    @keys.add("c-x", "backspace", filter=emacs_insert_mode)
    @keys.add("c-x", "c-h", filter=emacs_insert_mode)
    def kill_to_beginning(event: KeyPressEvent) -> None:
        _kill(event, 0)


def _typing(keys: KeyBindings) -> None:
    """Typed and erased characters, so that undoing takes back a word and not a letter; the
    library means to, but loses on the way when to begin a new step."""
    insert, erase = get_by_name("self-insert"), get_by_name("backward-delete-char")

    @keys.add(Keys.Any, filter=emacs_insert_mode | vi_insert_mode, save_before=_begins_a_word)
    def typed(event: KeyPressEvent) -> None:
        insert.call(event)

    @keys.add("backspace", filter=emacs_insert_mode | vi_insert_mode, save_before=_is_first)
    def erased(event: KeyPressEvent) -> None:
        erase.call(event)


def _is_first(event: KeyPressEvent) -> bool:
    return not event.is_repeat


def _begins_a_word(event: KeyPressEvent) -> bool:
    after_blank = event.current_buffer.document.char_before_cursor.isspace()
    return not event.is_repeat or (after_blank and not event.data.isspace())


def _changes(keys: KeyBindings, history: StoredHistory) -> None:
    for key, change in (("u", str.upper), ("l", str.lower), ("c", str.capitalize)):
        keys.add("escape", key, filter=emacs_insert_mode)(_changing(change))

    @keys.add("escape", "t", filter=emacs_insert_mode)
    def transpose_words(event: KeyPressEvent) -> None:
        buffer = event.current_buffer
        buffer.document = Document(*turned_words(buffer.text, buffer.cursor_position))

    @keys.add("escape", "r", filter=emacs_insert_mode)
    def revert(event: KeyPressEvent) -> None:
        """The line as it was before it was edited: empty, or as the history has it."""
        text = history.original(event.current_buffer)
        event.current_buffer.document = Document(text, len(text))

    @keys.add("escape", "*", filter=emacs_insert_mode)
    def insert_all_completions(event: KeyPressEvent) -> None:
        buffer = event.current_buffer
        found = list(buffer.completer.get_completions(buffer.document, CompleteEvent()))
        if found:
            buffer.delete_before_cursor(-found[0].start_position)
            buffer.insert_text("".join(f"{each.text.rstrip(' ')} " for each in found))


def _changing(change: Callable[[str], str]) -> Callable[[KeyPressEvent], None]:
    """A key that writes the next word anew."""

    def rewrite(event: KeyPressEvent) -> None:
        buffer = event.current_buffer
        begin, end = sorted((buffer.cursor_position, _place(event)))
        word = buffer.text[begin:end]
        lead = len(word) - len(word.lstrip("".join(ch for ch in word if not ch.isalnum())))
        text = buffer.text[:begin] + word[:lead] + change(word[lead:]) + buffer.text[end:]
        buffer.document = Document(text, end)

    return rewrite


def _expansions(keys: KeyBindings, expand: Expand) -> None:
    for how, pressed in EXPANSIONS.items():
        keys.add(*pressed, filter=emacs_insert_mode)(_expanding(how, expand))


def _expanding(how: str, expand: Expand) -> Callable[[KeyPressEvent], None]:
    def replace(event: KeyPressEvent) -> None:
        buffer = event.current_buffer
        found = expand(how, buffer.text, buffer.cursor_position)
        if found is None:
            event.app.output.bell()
        else:
            buffer.document = Document(*found)

    return replace


def _place(event: KeyPressEvent, *, back: bool = False) -> int:
    """Where the word after the cursor ends, or the one before it begins; a negative argument
    turns that round."""
    text, place = event.current_buffer.text, event.current_buffer.cursor_position
    back = back != (event.arg < 0)
    for _ in range(abs(event.arg)):
        place = word_before(text, place).start if back else word_after(text, place).end
    return place


def _kill(event: KeyPressEvent, other: int) -> None:
    """Take out the text from the cursor to another place and remember it; kills that follow each
    other are remembered as one."""
    buffer = event.current_buffer
    start, end = sorted((buffer.cursor_position, other))
    killed = buffer.text[start:end]
    if event.is_repeat:
        kept = event.app.clipboard.get_data().text
        killed = killed + kept if other == start else kept + killed
    buffer.document = Document(buffer.text[:start] + buffer.text[end:], start)
    event.app.clipboard.set_text(killed)
