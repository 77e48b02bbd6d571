"""A word after the first bad answer of the built-in model: what it is, and what helps."""

from __future__ import annotations

from aish.config.schema import EMBEDDED
from aish.core.events import Asked, Event, Ran, Replied, Warned
from aish.core.messages import Reply
from aish.core.proposal.wording import LOOK_TWICE

LINE = "the built-in model is small and can be wrong; :models tells of better ones"
FAILED = 2  # status; with 1 many programs only say no
STOPPED = 128  # by a signal, mostly the user's


class Excuse:
    """Hears what happens in a conversation, and has something to say once."""

    def __init__(self) -> None:
        self._built_in = self._bad = self._told = False

    def __call__(self, event: Event) -> None:
        match event:
            case Asked(_, spec):
                self._built_in = spec.name == EMBEDDED
            case Warned(text) if text.startswith(LOOK_TWICE):
                self._bad = self._bad or self._built_in
            case Replied(reply=Reply(finish="repeating")):
                self._bad = self._bad or self._built_in
            case Ran(result, by="ai") if FAILED <= result.status < STOPPED:
                self._bad = self._bad or self._built_in
            case _:
                pass

    def take(self) -> str:
        """What to say after an answer; "" where it was not bad, or it was said before."""
        if not self._bad or self._told:
            return ""
        self._told = True
        return LINE
