"""The shell's requests in the usage statistics, as a consumer of a question's events."""

from __future__ import annotations

from aish.core.context.usage_stats import record_request
from aish.core.events import Asked, Event, Evicted, Replied


class UsageFeed:
    """Notes how full each answered request was, and whether room had to be made for it."""

    def __init__(self) -> None:
        self._limit = 0
        self._trimmed = False

    def __call__(self, event: Event) -> None:
        match event:
            case Asked(spec=spec):
                room = spec.window - spec.reserve
                self._limit = min(room, spec.token_budget or room)
                self._trimmed = False
            case Evicted():
                self._trimmed = True
            case Replied(reply=reply, estimated=estimated):
                tokens = reply.usage.prompt_tokens or estimated
                record_request(tokens, self._limit, trimmed=self._trimmed)
            case _:
                pass
