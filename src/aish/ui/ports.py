"""What the prompt needs from the parts below it, as Protocols."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from aish.core.messages import ExecResult, Message
from aish.engine.ports import Shell

if TYPE_CHECKING:
    from aish.core.context.counted import Counted
    from aish.core.money.meter import Row
    from aish.core.routing import QuestionClass
    from aish.core.safety.verdict import Verdict
    from aish.models.reports import ModelRow, SecretsReport
    from aish.tools.servers import ToolServers
    from aish.tools.toolbox import Toolbox


class Used(Protocol):
    """Requests added up."""

    @property
    def calls(self) -> int: ...
    @property
    def unbilled(self) -> int: ...
    @property
    def unknown(self) -> int: ...
    @property
    def prompt(self) -> int: ...
    @property
    def completion(self) -> int: ...
    @property
    def micro_dollars(self) -> int: ...
    @property
    def assumed(self) -> int: ...
    @property
    def holds(self) -> int: ...
    @property
    def held(self) -> int: ...


class Spending(Protocol):
    """What was used and spent."""

    @property
    def micro(self) -> int:
        """Millionths of a dollar of this session."""
        ...

    @property
    def caps(self) -> tuple[float, float]:
        """Dollars of a session and of a day; 0 is no cap."""
        ...

    def rows(self) -> list[Row]: ...

    def capped(self) -> int:
        """Millionths of a dollar that count towards the cap of the session."""
        ...

    def today(self) -> int: ...

    def history(self, group: str, since: str = "") -> Mapping[str, Used]: ...

    def reset(self) -> None: ...


class Secrecy(Protocol):
    """What is hidden from models; never gives a value away."""

    def report(self) -> SecretsReport: ...

    def check(self, text: str) -> list[str]: ...


class Way(Protocol):
    """Where a question goes, and why."""

    @property
    def preset(self) -> str: ...
    @property
    def route(self) -> QuestionClass | None: ...


class Routing(Protocol):
    """Which class of question goes where; `auto` and `fallback` may be switched."""

    auto: bool
    fallback: bool

    @property
    def fallback_model(self) -> str: ...

    def preset_of(self, name: str) -> str: ...

    def prompt_of(self, name: str) -> str: ...

    def checked(self, text: str, current: str) -> Way: ...


class Counts(Protocol):
    """How many tokens something is for the model in use."""

    def text(self, text: str) -> Counted: ...

    def chat(self, messages: Sequence[Message]) -> Counted:
        """A whole request, with what the template adds."""
        ...


class Models(Protocol):
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

    def learn_window(self) -> bool:
        """Ask for the window of the model in use, where it is not known; whether it is now."""
        ...

    def names(self) -> list[str]: ...

    def use(self, name: str) -> None:
        """Raises: UsageError for a name that is no preset."""
        ...

    def look(self) -> Iterable[ModelRow]:
        """Ask every preset's server how it is."""
        ...

    def warm(self) -> None:
        """Get ready for a question in the background; never blocks."""
        ...


class Toolset(Protocol):
    """The servers of tools, and what may be called of them."""

    @property
    def servers(self) -> ToolServers: ...

    @property
    def toolbox(self) -> Toolbox: ...

    def begin(self) -> None:
        """Connect what is configured, in the background."""
        ...

    def connect(self) -> None:
        """Begin to connect what is configured; never waits for a server."""
        ...

    def connect_to(self, name: str, address: str) -> None:
        """Raises: UsageError."""
        ...

    def tell(self) -> None:
        """Say what servers had to say meanwhile."""
        ...


class UserShell(Shell, Protocol):
    """The shell as the prompt sees it."""

    def enter(self, line: str) -> ExecResult:
        """Run what the user typed, as a shell understands it.

        Raises: ShellError.
        """
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
    def ended(self) -> object | None:
        """How the shell itself ended; None while it lives."""
        ...


class Judges(Protocol):
    """Reads commands, by its own rules and the user's."""

    @property
    def rules(self) -> Sequence[object]: ...

    def judge(self, command: str, cwd: str) -> Verdict:
        """What a command would do in this directory."""
        ...
