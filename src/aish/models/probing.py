"""What a server says of itself, as advice: asked seldom, never waited for long, never needed."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from aish.models.secrecy import on_this_machine

if TYPE_CHECKING:
    from aish.broker.probe import Probe
    from aish.core.messages import ModelSpec
    from aish.core.user import User
    from aish.models.server_cache import KnownServers
    from aish.models.servers import Connection

ASSUMED_WINDOW = 4096  # for a server that does not say
NOT_AGAIN = 60.0  # seconds before a server is asked again by the same process


class Probing:
    """Asks the servers, and remembers what they said."""

    def __init__(
        self,
        connection: Connection,
        known: KnownServers,
        user: User,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._connection = connection
        self._known = known
        self._user = user
        self._clock = clock
        self._asked: dict[tuple[str, str], float] = {}
        self._told: set[str] = set()

    def window(self, spec: ModelSpec) -> int:
        """The window of a model: what its server says or once said, else an assumption."""
        if not self._is_fresh(spec):
            self._ask(spec)
        found = self._known.entry(spec).window
        if not found and spec.name not in self._told:
            self._told.add(spec.name)
            self._user.tell(
                f"{spec.name} does not say how large its window is: {ASSUMED_WINDOW:,} tokens are "
                f"assumed (set window under [models.{spec.name}])"
            )
        return found or ASSUMED_WINDOW

    def find_price(self, spec: ModelSpec) -> None:
        """Ask a server that nobody asked today: its list may say what its models cost."""
        if not (self._just_asked(spec) or self._known.is_fresh(spec)):
            self._ask(spec)

    def _ask(self, spec: ModelSpec) -> None:
        self.look(spec)
        self._asked[spec.endpoint, spec.model] = self._clock()  # Ctrl-C on the way: nobody asked

    def look(self, spec: ModelSpec, *, count: bool = False) -> Probe:
        """Ask now; what was said is kept, a failure is not."""
        from aish.broker.probe import probe

        found = probe(self._connection.http, spec, count=count)
        if found.error is None or found.window:
            self._known.saw(spec, found)
        return found

    def _just_asked(self, spec: ModelSpec) -> bool:
        asked = self._asked.get((spec.endpoint, spec.model))
        return asked is not None and self._clock() - asked < NOT_AGAIN

    def _is_fresh(self, spec: ModelSpec) -> bool:
        if self._just_asked(spec):
            return True
        if on_this_machine(spec.endpoint):
            return False  # it may have been restarted with another window, and asking costs nothing
        return bool(self._known.entry(spec).window) and self._known.is_fresh(spec)
