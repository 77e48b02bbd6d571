"""A stream of events played to whoever shows or counts them: what every face does with one."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import closing

from aish.core.events import Event, RolledBack, Stopped


def play(events: Generator[Event, None, None], *consumers: Callable[[Event], None]) -> bool:
    """Hand every event to its consumers in order; True if nothing failed or was stopped.

    Ctrl-C while a consumer is at work belongs to the question, so it is thrown into it there.
    """
    answered = True
    with closing(events):
        try:
            event = next(events)
            while True:
                answered = answered and not isinstance(event, RolledBack | Stopped)
                try:
                    for consume in consumers:
                        consume(event)
                except KeyboardInterrupt as interrupt:
                    event = events.throw(interrupt)
                else:
                    event = next(events)
        except StopIteration:
            return answered
