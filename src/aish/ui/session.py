"""One sitting at the prompt: the conversation, the model, the shell and the screen together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Protocol

from aish.core.context import Context
from aish.core.messages import ExecResult
from aish.engine.ports import Approver, Model, Shell
from aish.engine.turn import exec_block, play, run_turn
from aish.ui.screen import Screen
from aish.ui.view import View


@dataclass(frozen=True, slots=True)
class ModelRow:
    """One preset as `:models` shows it."""

    name: str
    model: str
    ok: bool
    window: int = 0
    detail: str = ""


class Models(Model, Protocol):
    """The presets, one of which is in use."""

    current: str

    @property
    def known_window(self) -> int:
        """The window of the model in use, as far as it is known without asking; else 0."""
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


class UserShell(Shell, Protocol):
    """The shell as the prompt sees it."""

    @property
    def cwd(self) -> str: ...

    @property
    def status(self) -> int: ...


@dataclass
class Session:
    context: Context
    models: Models
    shell: UserShell
    approver: Approver
    screen: Screen
    markdown: bool = True
    leaving: bool = field(default=False)

    def ask(self, text: str) -> bool:
        """Put a question; show its answer and offer its commands. True when it was answered."""
        view = View(self.screen, markdown=self.markdown)
        try:
            return play(run_turn(text, self.context, self.models, self.approver, self.shell), view)
        except KeyboardInterrupt:
            view.close()
            self.screen.notice("stopped; the question is taken back")
            return False
        finally:
            view.close()

    def execute(self, command: str) -> ExecResult:
        """Run a command of the user's; the model sees it with the next question.

        Raises: ShellError.
        """
        private = command[:1].isspace()
        result = self.shell.run(command)
        if not private:
            self.context.add_exec_output(exec_block(result))
        return result
