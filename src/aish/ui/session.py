"""One sitting at the prompt: the conversation, the model, the shell and the screen together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aish.core.context import Context
    from aish.core.events import Event
    from aish.core.messages import ExecResult
    from aish.engine.ports import Approver
    from aish.ui.ports import Models, Setting, UserShell
    from aish.ui.screen import Screen


class Session:
    """What a line at the prompt can act on; what only a question needs is made with the first."""

    def __init__(
        self,
        *,
        new_context: Callable[[], Context],
        models: Models,
        shell: UserShell,
        approver: Approver,
        screen: Screen,
        markdown: bool = True,
        consumers: Sequence[Callable[[Event], None]] = (),
    ) -> None:
        self._new_context = new_context
        self._markdown = markdown
        self._consumers = list(consumers)  # of every event, before the screen
        self.models = models
        self.shell = shell
        self.approver = approver
        self.screen = screen
        self.settings: Callable[[], Iterable[Setting]] = tuple  # the configuration in force
        self.leaving = False

    def also_tell(self, consumer: Callable[[Event], None]) -> None:
        """Hand every event to one more consumer."""
        self._consumers.append(consumer)

    @cached_property
    def context(self) -> Context:
        return self._new_context()

    def ask(self, text: str) -> bool:
        """Put a question; show its answer and offer its commands. True when it was answered."""
        from aish.engine.delegated import Delegated
        from aish.engine.turn import play, run_turn
        from aish.ui.keys import unechoed
        from aish.ui.view import View

        view = View(self.screen, markdown=self._markdown)
        delegated = Delegated()
        turn = run_turn(text, self.context, self.models, self.approver, self.shell)
        try:
            with unechoed(0):
                answered = play(turn, *self._consumers, delegated, view)
        except KeyboardInterrupt:
            view.close()
            self.screen.notice("stopped; the question is taken back")
            return False
        finally:
            view.close()
        for asked in delegated:
            self.delegate(asked.preset, asked.prompt)
        return answered

    def delegate(self, preset: str, prompt: str) -> None:
        """Ask another model; its answer is output that the next question shows.

        Raises: AishError.
        """
        from aish.core.events import Replied, Said
        from aish.core.messages import Reply
        from aish.ui.keys import unechoed
        from aish.ui.view import View

        view, parts = View(self.screen, markdown=self._markdown), []
        self.screen.notice(f"asking {preset}")
        try:
            with unechoed(0):
                for delta in self.models.delegate(preset, prompt):
                    parts.append(delta.text)
                    view(Said(delta.text))
        except KeyboardInterrupt:
            view(Replied(Reply("", finish="interrupted")))
        finally:
            view.close()
        if answer := "".join(parts).strip():
            self.context.add_exec_output(f"DELEGATE: {preset} {prompt}\n{answer}")

    def execute(self, command: str) -> ExecResult:
        """Run a command of the user's; the model sees it with the next question.

        Raises: ShellError.
        """
        from aish.engine.turn import exec_block

        private = command[:1].isspace()
        result = self.shell.run(command)
        if not private:
            self.context.add_exec_output(exec_block(result))
        return result
