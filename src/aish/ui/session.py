"""One sitting at the prompt: the conversation, the model, the shell and the screen together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aish.config.settings import Setting
    from aish.core.context.window import Context
    from aish.core.events import Event
    from aish.core.messages import ExecResult
    from aish.engine.ports import Approver
    from aish.engine.prompts import Summarise
    from aish.ui.kept import Answers, Journal, Memories
    from aish.ui.ports import Models, UserShell
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
        journal: Journal | None = None,
        memory: Memories | None = None,
        answers: Answers | None = None,
        summarise: Summarise | None = None,
    ) -> None:
        self._new_context = new_context
        self._markdown = markdown
        self._consumers = list(consumers)  # of every event, before the screen
        self.models = models
        self.shell = shell
        self.approver = approver
        self.screen = screen
        self.journal = journal
        self.memory = memory
        self.answers = answers
        self.draft = ""  # what the next line begins with
        self.summarise = summarise
        self.failed = ""  # the question that got no answer, if it was the last one
        self.settings: Callable[[], Iterable[Setting]] = tuple  # the configuration in force
        self.leaving = False
        self._usual_prompt: str | None = None  # while a class of questions has its own

    def also_tell(self, consumer: Callable[[Event], None]) -> None:
        """Hand every event to one more consumer."""
        self._consumers.append(consumer)

    def tell(self, event: Event) -> None:
        """Hand on what happened without a question."""
        for consume in self._told(private=False):
            consume(event)

    @cached_property
    def context(self) -> Context:
        return self._new_context()

    def seen_context(self) -> Context:
        """The conversation as the model in use sees it, as far as that is known without asking."""
        from aish.engine.turn import route_for

        if self.context.route.key != self.models.current:
            self.context.use(route_for(self.models.expected()))
        return self.context

    def ask(self, text: str, *, private: bool = False) -> bool:
        """Put a question; show its answer and offer its commands. True when it was answered.

        A private one is taken out of the conversation again, and its commands are not offered:
        what they print would tell.

        Raises: StoreError, when an approved command could not be logged and so did not run.
        """
        from aish.engine.delegated import Delegated
        from aish.engine.statistics import UsageFeed
        from aish.engine.turn import play, run_turn
        from aish.ui.confirm import NeverRun
        from aish.ui.keys import unechoed
        from aish.ui.view import View

        if self.memory is not None:
            self.context.set_block("background", self.memory.background(text))
        self.settle()
        before = len(self.context.log)
        model = self.models.choose(text)
        self._use_prompt(model.prompt)
        turn = run_turn(
            text,
            self.context,
            model,
            NeverRun() if private else self.approver,
            self.shell,
            summarise=self.summarise,
        )
        view = View(self.screen, markdown=self._markdown)
        delegated = Delegated()
        try:
            with unechoed(0):
                answered = play(turn, *self._told(private=private), delegated, view, UsageFeed())
        except KeyboardInterrupt:  # while a command was offered or ran
            view.close()
            self.screen.notice("stopped")
            return False
        finally:
            view.close()
            self.settle()
            self.failed = "" if len(self.context.log) > before or private else text
            while private and len(self.context.log) > before:
                self.context.rollback()
        for asked in () if private else delegated:
            self.delegate(asked.preset, asked.prompt)
        return answered

    def _use_prompt(self, prompt: str) -> None:
        """The system prompt of a class of questions, or the usual one again."""
        if self._usual_prompt is None and prompt:
            self._usual_prompt = self.context.blocks.get("base", "")
        if self._usual_prompt is not None:
            self.context.set_block("base", prompt or self._usual_prompt)

    def _told(self, *, private: bool) -> list[Callable[[Event], None]]:
        """Who hears of a question besides the screen: of a private one, nobody.

        The journal comes first: an approval is on the disk before the command runs.
        """
        if private:
            return []
        return [*([self.journal] if self.journal else []), *self._consumers]

    def settle(self) -> None:
        """Let the journal know what a command did to the conversation."""
        if self.journal is not None and "context" in vars(self):  # without one nothing was said
            self.journal.settle(self.context)

    def delegate(self, preset: str, prompt: str) -> None:
        """Ask another model; its answer is output that the next question shows.

        Raises: AishError.
        """
        from aish.core.events import Replied, Said
        from aish.core.messages import Reply
        from aish.engine.prompts import Excerpt
        from aish.engine.step import step
        from aish.ui.keys import unechoed
        from aish.ui.view import View

        view = View(self.screen, markdown=self._markdown)
        self.screen.notice(f"asking {preset}")
        model = self.models.delegate(preset)
        spec = model.spec()
        asked = Excerpt(prompt, lambda text: [{"role": "user", "content": text}], spec)
        parts: list[str] = []
        try:
            with unechoed(0):
                for event in step(model, spec, asked, "delegate"):
                    if isinstance(event, Said):
                        parts.append(event.text)
                    view(event)
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
            if self.journal is not None:
                self.journal.ran(result)
        return result
