"""One sitting at the prompt: a conversation and the screen it is shown on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from aish.config.schema import EMBEDDED
from aish.core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Generator

    from aish.core.context.window import Context
    from aish.core.events import Event
    from aish.core.messages import ExecResult
    from aish.journal.recording import Recorder
    from aish.memory.remembering import Remembering
    from aish.project.surroundings import Surroundings
    from aish.session.session import Session
    from aish.shell.command_reader import CommandReader
    from aish.tools.toolset import Toolset
    from aish.ui.answers import Answers
    from aish.ui.careful import CarefulShell
    from aish.ui.history import StoredHistory
    from aish.ui.ports import Facilities, ModelPresets, Permissions, PromptShell
    from aish.ui.project_overlay import ProjectOverlay
    from aish.ui.screen import Screen


class Face:
    """What a line at the prompt can act on."""

    def __init__(
        self,
        conversation: Session,
        *,
        models: ModelPresets,
        shell: PromptShell,
        screen: Screen,
        journal: Recorder,
        memory: Remembering,
        facilities: Facilities,
        permissions: Permissions,
        answers: Answers | None = None,
        configuration: ProjectOverlay | None = None,
        careful: CarefulShell | None = None,
        judge: CommandReader | None = None,
    ) -> None:
        self.conversation = conversation
        self.models = models
        self.shell = shell
        self.screen = screen
        self.journal = journal
        self.memory = memory
        self._facilities = facilities
        self.answers = answers
        self.configuration = configuration  # in force, and the user's file
        self.draft = ""  # what the next line begins with
        self.leaving = False
        self.typed_lines: StoredHistory | None = None  # where a line editor keeps them
        self._permissions = permissions
        self.judge = judge  # what reads commands
        self.careful = careful  # what tries commands and takes them back
        self._watchers: list[Callable[[Event], None]] = [self._draft_unanswered]

    def also_tell(self, consumer: Callable[[Event], None]) -> None:
        """Hand every event that is shown to one more consumer."""
        self._watchers.append(consumer)

    @property
    def surroundings(self) -> Surroundings:
        """Raises: UsageError, where a session has none."""
        known = self._facilities.surroundings
        if known is None:
            raise UsageError("nothing is known of the directory here")
        return known

    def tools(self) -> Toolset:
        """The tools of other programs.

        Raises: UsageError, where a session has none.
        """
        tools = self._facilities.tools
        if tools is None:
            raise UsageError("there are no tools here")
        return tools

    def remembered(self) -> Sequence[tuple[str, str]]:
        """What the user let run without a question, and where."""
        return self._permissions.remembered

    @property
    def _asks(self) -> bool:
        return self._permissions is not None and self._permissions.asks

    @property
    def _markdown(self) -> bool:
        """As the configuration in force has it."""
        return self.configuration is None or self.configuration.loaded.config.ui.highlight

    @property
    def context(self) -> Context:
        return self.conversation.context

    @property
    def is_asked(self) -> bool:
        """Whether the model's last words, with nothing run since, are a question to the user."""
        from aish.core.classify import ends_with_question

        context = self.context
        if not context.turns or context.pending_output:
            return False
        last = context.turns[-1]
        return last.role == "assistant" and ends_with_question(last.content)

    def seen_context(self) -> Context:
        """The conversation as the model in use sees it, as far as that is known without asking."""
        return self.conversation.seen_context()

    def play(
        self,
        events: Generator[Event, None, None],
        *,
        private: bool = False,
        word: str = "",
        alone: bool = False,
    ) -> bool:
        """Show what happens, a word until something does; True if nothing failed or was stopped.

        `alone`: commands run by themselves, and are shown when they do.

        Raises: AishError.
        """
        from aish.ui.keys import unechoed
        from aish.ui.playing import play
        from aish.ui.view import View

        hides = self._asks or alone or self.conversation.planning
        view = View(self.screen, markdown=self._markdown, asks=hides and not private)
        try:
            with unechoed(0):
                if word:
                    view.begin(word)
                return play(events, view, *self._watchers)
        finally:
            view.close()

    def ask(self, text: str, *, private: bool = False) -> bool:
        """Put a question; show its answer and offer its commands. True when it was answered.

        Raises: StoreError, when an approved command could not be logged and so did not run.
        """
        turn = self.conversation.ask(text, private=private)
        return self.play(turn, private=private, word=self._first_word())

    def _first_word(self) -> str:
        """What is going on before the first piece of an answer."""
        embedded = self.models.current == EMBEDDED
        return "starting the model" if embedded else f"asking {self.models.current}"

    def execute(self, command: str) -> ExecResult:
        """Run a command of the user's; the model sees it with the next question.

        Raises: ShellError.
        """
        from aish.core.events import Ran
        from aish.ui.view import View

        view, results = View(self.screen, markdown=self._markdown), []
        for event in self.conversation.run(command):
            if isinstance(event, Ran):
                results.append(event.result)
            view(event)
        return results[0]

    def _draft_unanswered(self, event: Event) -> None:
        """A question that never got its answer stands in the next line."""
        from aish.core.events import Resumed

        run = event.transcript.run if isinstance(event, Resumed) else None
        if run is not None and run.open:
            return  # what got no answer there was no question of the user's
        if isinstance(event, Resumed) and event.transcript.unanswered:
            self.draft = f"?{event.transcript.unanswered}"
