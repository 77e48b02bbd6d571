"""What Tab offers at the prompt."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from prompt_toolkit.completion import CompleteEvent, Completer, Completion, PathCompleter
from prompt_toolkit.document import Document

from aish.ui import meta

if TYPE_CHECKING:
    from aish.ui.session import Session


class LineCompleter(Completer):
    """Meta commands and their arguments after a colon, paths elsewhere."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._paths = PathCompleter(expanduser=True)

    def get_completions(self, document: Document, event: CompleteEvent) -> Iterable[Completion]:
        text = document.text_before_cursor
        if text.startswith(":"):
            yield from self._meta(text)
        else:
            word = text.rpartition(" ")[2]
            yield from self._paths.get_completions(Document(word, len(word)), event)

    def _meta(self, text: str) -> Iterable[Completion]:
        name, space, argument = text[1:].partition(" ")
        if not space:
            for command in meta.commands():
                if command.name.startswith(name):
                    yield Completion(command.name, -len(name), f":{command.name}", command.summary)
            return
        choices = next((found.choices for found in meta.commands() if found.name == name), None)
        if choices:
            for choice in choices(self._session):
                if choice.startswith(argument):
                    yield Completion(choice, -len(argument))
