"""Events to screen: the answer as it arrives, and one line for everything else."""

from __future__ import annotations

from typing import assert_never

from aish.core.events import (
    Approved,
    Asked,
    BrokeOff,
    Called,
    Declined,
    Event,
    Evicted,
    FellBack,
    Proposed,
    Ran,
    Replied,
    Returned,
    RolledBack,
    Said,
    Stopped,
    Thinking,
    Warned,
)
from aish.core.messages import Reply
from aish.ui.markdown import MarkdownStream
from aish.ui.screen import Screen
from aish.ui.style import harmless
from aish.ui.waiting import Waiting


class View:
    """Shows one question's events; Markdown where colours are on, the bare text elsewhere."""

    def __init__(self, screen: Screen, *, markdown: bool = True) -> None:
        self._screen = screen
        self._rich = markdown and screen.colours
        self._markdown: MarkdownStream | None = None
        self._ends_line = True
        self._waiting = Waiting(screen)

    def __call__(self, event: Event) -> None:
        match event:
            case Said(text):
                self._say(text)
            case Asked():
                self._waiting.start()
            case Evicted(eviction):
                self.pause()
                self._screen.notice(eviction.message)
            case Warned(text) | FellBack(text):
                self.pause()
                self._screen.notice(text)
            case Called(call):
                self.pause()
                self._screen.notice(f"calls {call.name}")
            case Stopped(kept):
                self._finish(None)
                self._screen.notice("stopped" if kept else "stopped; the question is taken back")
            case Thinking():
                self._waiting.start()
            case Replied(reply=reply):
                self._finish(reply)
            case RolledBack(error) | BrokeOff(error):
                self._finish(None)
                self._screen.error(error)
            case Proposed():
                self.pause()
            case Declined() | Approved() | Ran() | Returned():
                pass
            case _:
                assert_never(event)

    def pause(self) -> None:
        """Stop the sign of life; something else is about to use the screen."""
        self._waiting.stop()

    def close(self) -> None:
        """The question is over, also when it was cut short."""
        self._finish(None)

    def _say(self, text: str) -> None:
        self._waiting.stop()
        if not self._rich:
            shown = harmless(text) if self._screen.terminal else text
        else:
            self._markdown = self._markdown or MarkdownStream(self._screen.width)
            shown = self._markdown.feed(text)
        if shown:
            self._screen.write(shown)
            self._ends_line = shown.endswith("\n")

    def _finish(self, reply: Reply | None) -> None:
        self._waiting.stop()
        if self._markdown is not None:
            self._screen.write(self._markdown.close())
            self._markdown = None
        elif not self._ends_line:
            self._screen.write("\n")
        self._ends_line = True
        if reply is None:
            return
        if reply.finish == "interrupted":
            self._screen.notice("stopped; what had arrived is kept")
        elif reply.finish == "length":
            self._screen.notice("the answer reached its length limit (reserve in the config)")
