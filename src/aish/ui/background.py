"""What goes on behind the prompt: what a line needs is loaded, the shell and tool servers start."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aish.ui.idle import Idle

if TYPE_CHECKING:
    from aish.shell.user_shell import UserShell
    from aish.ui.face import Face
    from aish.ui.kinds import LineKinds


class Background:
    """The shell, the models and the tools behind a line; begun when the first prompt stands."""

    def __init__(
        self,
        face: Face,
        shell: UserShell,
        kinds: LineKinds,
        *,
        keys: str = "auto",
        has_tools: bool = False,
    ) -> None:
        """`keys`: as the shell edits ("auto"), or whatever it does."""
        self._models = face.models
        self._tools = face.tools() if has_tools else None
        self.idle = Idle(face.models.idle)
        self._kinds = kinds
        self._shell = shell
        self._keys = keys
        self._careful = face.careful
        self.fileno = shell.fileno  # readable when a job has printed something; -1: nothing there
        self.output = shell.output
        self.show = shell.show
        self.attend = shell.attend
        self.expand = shell.expand  # a line as a key of bash's own editor would leave it
        self.type_ahead = shell.type_ahead  # keys that came after a line are for what it starts

    @property
    def editing(self) -> str:
        """Whether the keys are those of vi or of emacs."""
        return self._shell.editing if self._keys == "auto" else self._keys

    @property
    def macros(self) -> bytes:
        """The user's own keys, as bash lists them."""
        return self._shell.macros

    def expect(self, line: str) -> None:
        """This command is about to be entered; said as early as can be.

        Bash has no line before it was read, where lines are.
        """
        if self._careful is None or not self._careful.reads_typed:
            self._shell.expect(line)

    def expect_question(self) -> None:
        """A question is being typed: get ready for it."""
        self._models.warm()

    @property
    def starting(self) -> bool:
        """Whether the shell still reads its start files."""
        return self._shell.starting

    @property
    def asks(self) -> bool:
        """Whether one of them waits for the user, who is to be let `attend` to it."""
        return self._shell.asks

    def begin(self) -> None:
        """The first prompt is on the screen: what it did not need may start now."""
        self._kinds.load()
        self._shell.begin()
        if self._tools is not None:
            self._tools.begin()
