"""What the prompt needs from the parts below it, as Protocols."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Protocol

from aish.core.messages import ExecResult, Message
from aish.engine.ports import Shell

if TYPE_CHECKING:
    from aish.core.context.counted import Counted
    from aish.models.reports import ModelRow
    from aish.models.routes import Routing
    from aish.models.secrecy import Secrecy
    from aish.models.wallet import Spending
    from aish.project.surroundings import Surroundings
    from aish.tools.toolset import Toolset


class Counts(Protocol):
    """How many tokens something is for the model in use."""

    def text(self, text: str) -> Counted: ...

    def chat(self, messages: Sequence[Message]) -> Counted:
        """A whole request, with what the template adds."""
        ...


class ModelPresets(Protocol):
    """The presets, one of which is in use."""

    current: str

    @property
    def spending(self) -> Spending: ...

    @property
    def secrecy(self) -> Secrecy: ...

    @property
    def routing(self) -> Routing: ...

    @property
    def counts(self) -> Counts: ...

    @property
    def known_window(self) -> int:
        """The window of the model in use, as far as it is known without asking; else 0."""
        ...

    @property
    def learned_window(self) -> int:
        """The same where its server named it in a refusal; else 0."""
        ...

    def learn_window(self) -> bool:
        """Ask for the window of the model in use, where it is not known; whether it is now."""
        ...

    def names(self) -> list[str]: ...

    @property
    def current_label(self) -> str:
        """The model in use, as it is told."""
        ...

    def choices(self) -> list[str]:
        """What `use` takes: the presets, and the built-in models that are here."""
        ...

    def use(self, name: str) -> None:
        """Raises: UsageError for a name that is neither."""
        ...

    def look(self) -> Iterable[ModelRow]:
        """Ask every preset's server how it is."""
        ...

    def warm(self) -> None:
        """Get ready for a question in the background; never blocks."""
        ...

    def idle(self) -> float:
        """Get ready while nobody types; in how many seconds it is worth calling again."""
        ...


class Facilities(Protocol):
    """What only some lines need, made when one does; None where there is nothing of the kind."""

    @property
    def surroundings(self) -> Surroundings | None:
        """What is known of the directory."""
        ...

    @property
    def tools(self) -> Toolset | None:
        """The tools of other programs."""
        ...


class Permissions(Protocol):
    """What the user has allowed."""

    @property
    def remembered(self) -> Sequence[tuple[str, str]]:
        """Commands that run without a question for the rest of this session, and where."""
        ...

    @property
    def asks(self) -> bool:
        """Whether the approver shows the commands it asks about, so the answer does not."""
        ...


class PromptShell(Shell, Protocol):
    """The shell as the prompt sees it."""

    def enter(self, line: str) -> ExecResult:
        """Run what the user typed, as a shell understands it.

        Raises: ShellError.
        """
        ...

    def interrupt(self) -> None:
        """Somebody pressed Ctrl-C at the prompt."""
        ...

    @property
    def cwd(self) -> str: ...

    @property
    def status(self) -> int: ...

    @property
    def environment(self) -> str:
        """The virtual environment in force."""
        ...

    @property
    def job_count(self) -> int: ...

    @property
    def ignored_ends(self) -> int:
        """How often in a row Ctrl-D at an empty prompt is only warned of."""
        ...

    @property
    def ended(self) -> object | None:
        """How the shell itself ended; None while it lives."""
        ...
