"""Events to screen: the answer as it arrives, and one line for everything else."""

from __future__ import annotations

from aish.core.events import (
    Approved,
    Asked,
    BrokeOff,
    Declined,
    Delegated,
    Delegating,
    Event,
    NotDelegated,
    Noticed,
    Permitted,
    Proposed,
    Ran,
    Replied,
    Retried,
    Returned,
    RolledBack,
    Said,
    StepBegan,
    Stopped,
    Thinking,
)
from aish.core.messages import Reply
from aish.ui.event_text import Told, told
from aish.ui.markdown import MarkdownStream
from aish.ui.proposals import WithoutProposals
from aish.ui.screen import Screen
from aish.ui.spinner import Spinner
from aish.ui.style import CYAN, DIM, escaped
from aish.ui.wrapping import WrappedStream

LAID_OUT = 500_000  # characters of an answer; nobody reads on, and what follows may be endless
AS_IT_COMES = "a very long answer: from here on it is shown as it comes, without layout"


class View:
    """Shows one question's events.

    Markdown where colours are on, wrapped text on other terminals, the bare text in a file.
    """

    def __init__(self, screen: Screen, *, markdown: bool = True, asks: bool = False) -> None:
        """`asks`: proposed commands are shown by the question that follows, so not here."""
        self._screen = screen
        self._rich = markdown and screen.colours
        self._layout: MarkdownStream | WrappedStream | None = None
        self._ends_line = True
        self._laid_out = 0  # characters
        self._asks = asks
        self._other = False  # another model is speaking: what it proposes, no question follows up
        self._unproposed: WithoutProposals | None = None
        self._waiting = Spinner(screen)

    def __call__(self, event: Event) -> None:
        match event:
            case Said(text):
                self._say(text)
            case Asked() | Thinking():
                self.begin("thinking")
            case Replied(reply=reply):
                self._finish(reply)
            case RolledBack(error) | BrokeOff(error) | NotDelegated(_, error):
                self._finish(None)
                self._screen.error(error)
            case Stopped() | Delegated():
                self._finish(None)
                self._tell(event)
            case Delegating():
                self.pause()
                self._tell(event)
                self._other = True
            case Noticed():
                self._end_text(complete=False)
                self._tell(event)
            case Proposed():
                self.pause()
            case StepBegan():
                self.pause()
                self._tell(event)
                self.begin("thinking")
            case Approved(command, _, _, place) if place:
                self._step(command, place)
            case Declined() | Approved() | Permitted() | Ran() | Returned() | Retried():
                pass
            case _:
                self.pause()
                self._tell(event)

    def _step(self, command: str, place: str) -> None:
        """A command of an autonomous run, which no question has shown."""
        self.pause()
        where = "" if place == "shell" else f"  [{place}]"
        shown = self._screen.paint(f"$ {escaped(command)}", CYAN)
        self._screen.line(shown + self._screen.paint(where, DIM))

    def _tell(self, event: Told) -> None:
        for line in told(event):
            self._screen.notice(line)

    def begin(self, word: str) -> None:
        """Show a sign of life that says what is going on."""
        self._waiting.word = word
        self._waiting.start()

    def pause(self) -> None:
        """Stop the sign of life; something else is about to use the screen."""
        self._waiting.stop()

    def close(self) -> None:
        """The question is over, also when it was cut short."""
        self._finish(None)

    def _say(self, text: str) -> None:
        self._waiting.stop()
        if self._asks and not self._other:
            self._unproposed = self._unproposed or WithoutProposals()
            text = self._unproposed.feed(text)
        self._show(text)

    def _show(self, text: str) -> None:
        if not text:
            return
        if self._screen.terminal and self._laid_out <= LAID_OUT:
            kind = MarkdownStream if self._rich else WrappedStream
            self._layout = self._layout or kind(self._screen.width)
            self._laid_out += len(text)
            if shown := self._layout.feed(text):
                self._screen.write(shown)
                self._ends_line = shown.endswith("\n")
            return
        if self._layout is not None:
            self._end_layout(self._layout)
            self._screen.notice(AS_IT_COMES)
        self._screen.plain(text)
        self._ends_line = text.endswith("\n")

    def _end_layout(self, layout: MarkdownStream | WrappedStream) -> None:
        self._screen.write(layout.close())
        self._layout, self._ends_line = None, True

    def _end_text(self, *, complete: bool) -> None:
        """Show what is held back of the text so far; what follows begins on a line of its own."""
        self._waiting.stop()
        if self._unproposed is not None:
            self._show(self._unproposed.close(complete=complete))
            self._unproposed = None
        if self._layout is not None:
            self._end_layout(self._layout)
        elif not self._ends_line:
            self._screen.write("\n")
        self._ends_line = True

    def _finish(self, reply: Reply | None) -> None:
        self._other = False
        self._end_text(complete=reply is not None and reply.complete)
        self._laid_out = 0
        if reply is None:
            return
        if reply.finish == "interrupted":
            self._screen.notice("stopped; what had arrived is kept")
        elif reply.finish == "repeating":
            self._screen.notice("stopped: the model was repeating itself")
        elif reply.finish == "length":
            self._screen.notice("the answer reached its length limit (reserve in the config)")
        elif reply.finish == "content_filter":
            self._screen.notice("the provider's content filter ended the answer here")
