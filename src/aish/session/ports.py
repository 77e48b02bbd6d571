"""What a session needs from the parts beside it, as Protocols."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Protocol

from aish.engine.ports import Model, Shell

if TYPE_CHECKING:
    from aish.core.context.window import Context
    from aish.core.events import Event
    from aish.core.messages import ExecResult, ModelSpec
    from aish.engine.notes import BackgroundNotes
    from aish.engine.ports import Tools
    from aish.engine.proposing import Around
    from aish.project.surroundings import Surroundings


class QuestionModel(Model, Protocol):
    """The model of one question."""

    @property
    def prompt(self) -> str:
        """Instead of the usual system prompt; "" is the usual one."""
        ...

    def expected(self) -> ModelSpec:
        """What is known of it without asking."""
        ...

    def others(self) -> list[str]:
        """Presets that its answer may ask, where it is told of them."""
        ...


class Models(Protocol):
    """The presets, one of which is in use."""

    @property
    def current(self) -> str: ...

    def choose(self, text: str) -> QuestionModel:
        """The model a question goes to."""
        ...

    def delegate(self, name: str, prompt: str, *, for_model: bool) -> tuple[Model, str]:
        """Another preset, and what it may be asked; what a model wants asked needs a yes.

        Raises: UsageError, when there is none of that name, or no yes.
        """
        ...

    def expected(self) -> ModelSpec:
        """The model in use, as far as it is known without asking."""
        ...


class Workplace(Shell, Protocol):
    """A shell that is somewhere, and takes the user's own lines."""

    def enter(self, line: str) -> ExecResult:
        """Run what the user typed, as a shell understands it.

        Raises: ShellError.
        """
        ...

    @property
    def cwd(self) -> str: ...


class Bash(Workplace, Protocol):
    """A bash, which may know words of its own."""

    def defines(self, word: str) -> bool:
        """Whether a word is an alias or a function, which a program beside it has not."""
        ...


class Supplies(Protocol):
    """What only a question needs, made when one comes; None where there is nothing of the kind."""

    def new_context(self) -> Context:
        """An empty conversation."""
        ...

    @property
    def notes(self) -> BackgroundNotes | None:
        """Who has notes written on what leaves the prompt."""
        ...

    def offered_tools(self) -> Tools | None: ...

    def look_through(self, text: str) -> None:
        """Know the secrets of a text before it is shortened: a part of it may show them again."""
        ...

    def around(self) -> Around | None:
        """What the proposals of a small model are compared with."""
        ...

    @property
    def surroundings(self) -> Surroundings | None:
        """What a question can name, and what is told of the place."""
        ...


class Memory(Protocol):
    """What is remembered across sessions."""

    def background(self, question: str) -> str:
        """The `[background]` block: chosen with the first question, then the same until changed."""
        ...


class Project(Protocol):
    """What is known of the working directory."""

    def entered(self, directory: str) -> Iterable[Event]:
        """The user went there: what changes with it."""
        ...
