"""What Tab offers at the prompt."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

from aish.ui import meta
from aish.ui.style import harmless
from aish.ui.unseen_marks import marks

if TYPE_CHECKING:
    from aish.project.completion import FileNames
    from aish.shell.user_shell import UserShell
    from aish.ui.face import Face


class MentionNames:
    """What Tab offers after an `@`; loaded with the first one."""

    def __init__(self, environ: Mapping[str, str], shell: UserShell) -> None:
        self._environ = environ
        self._shell = shell

    @cached_property
    def _names(self) -> FileNames:
        from aish.project.completion import FileNames

        return FileNames(self._environ)

    def matching(self, word: str) -> list[str]:
        return self._names.matching(word, self._shell.cwd)


class Sought(CompleteEvent):
    """A completion that somebody waits for; any thread may give it up."""

    def __init__(self) -> None:
        super().__init__(completion_requested=True)
        self.given_up = False

    def give_up(self) -> None:
        self.given_up = True


class LineCompleter(Completer):
    """Meta commands and their arguments after a colon; elsewhere what the shell itself offers."""

    def __init__(self, face: Face, shell: UserShell, mentions: MentionNames) -> None:
        self._session = face
        self._shell = shell
        self._named = mentions

    def get_completions(
        self, document: Document, complete_event: CompleteEvent
    ) -> Iterable[Completion]:
        from aish.core.mentions import mentioned_word

        text = document.text_before_cursor
        if text.startswith(":"):
            yield from self._meta(text)
        elif (word := mentioned_word(text)) is not None:
            yield from self._mentions(word)
        else:
            yield from self._from_shell(text, lambda: getattr(complete_event, "given_up", False))

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
                    yield Completion(choice, -len(argument), marks(choice))

    def _mentions(self, word: str) -> Iterable[Completion]:
        """What an `@` may stand for, best first."""
        from aish.project.completion import as_typed

        typed = len(as_typed(word))
        for path in self._named.matching(word):
            yield Completion(as_typed(path), -typed, display=harmless(path))

    def _from_shell(self, text: str, given_up: Callable[[], bool]) -> Iterable[Completion]:
        offered = self._shell.complete(text, given_up)
        if offered is None:
            return
        found = list(offered.candidates)
        for candidate in found:
            # A finished word gets its blank only when it is the one possibility.
            suffix = candidate.suffix if len(found) == 1 or candidate.suffix == "/" else ""
            word, shown = candidate.text + suffix, marks(candidate.display)
            yield Completion(word, offered.start - len(text), shown)
