"""The tools of a session: its servers, connected behind the prompt, and what they offer."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from aish.core.errors import AishError
from aish.core.user import User

if TYPE_CHECKING:
    from aish.tools.lines import NewSpillFile
    from aish.tools.login import Logins
    from aish.tools.server import ServerSettings
    from aish.tools.servers import ToolServers
    from aish.tools.toolbox import Toolbox, WaitingSign

MOST_NOTICES = 5  # of servers that wait to be told; the newest
AFTER_PROMPT = 0.5  # seconds; the first keys are echoed meanwhile
PATIENCE = 15.0  # seconds the first question waits for servers that are still starting


class ChosenServers(Protocol):
    """The servers that the user chose."""

    def names(self) -> list[str]: ...

    def settings(self, name: str) -> ServerSettings:
        """Raises: ConfigError, UsageError."""
        ...

    def settings_for(self, name: str, address: str) -> ServerSettings:
        """Of one that was named by hand. Raises: UsageError."""
        ...


class ToldLater:
    """A user who hears the newest words of servers when nobody types, and the rest never."""

    def __init__(self, user: User) -> None:
        self._user = user
        self._heard: deque[str] = deque(maxlen=MOST_NOTICES)

    @property
    def present(self) -> bool:
        return self._user.present

    def tell(self, text: str) -> None:
        self._heard.append(text)

    def confirm(self, question: str) -> bool:
        return self._user.confirm(question)

    def now(self) -> None:
        while self._heard:
            self._user.tell(self._heard.popleft())


class Toolset:
    """The servers of a session and what may be called of them.

    Nothing of the protocol is loaded while no server is configured or connected by hand.
    """

    def __init__(
        self,
        chosen: ChosenServers,
        logins: Logins,
        new_toolbox: Callable[[ToolServers], Toolbox],
        user: User,
        *,
        sign: WaitingSign | None = None,
        spill: NewSpillFile = lambda: None,
    ) -> None:
        """`sign` shows words while something is waited for; `spill` keeps what is too long."""
        self._sign = sign
        self._spill = spill
        self._chosen = chosen
        self._logins = logins
        self._new_toolbox = new_toolbox
        self._user = user
        self._later = ToldLater(user)
        self._begun = threading.Lock()
        self._connected = not chosen.names()
        self._waited = False

    @cached_property
    def servers(self) -> ToolServers:
        from aish.tools.servers import ToolServers

        return ToolServers(self._later, self._logins, self._spill)

    @cached_property
    def toolbox(self) -> Toolbox:
        return self._new_toolbox(self.servers)

    def offered(self) -> Toolbox | None:
        """What the model may call in the next question; None where there are no servers."""
        if not self._waited and self._chosen.names():  # a thread may be at it; loading takes long
            with self._turning("connecting tools"):
                self.connect()
        if "servers" not in vars(self) or not self.servers.names():
            return None
        if not self._waited:
            self._waited = True
            self.wait(PATIENCE)
            for server in self.servers.servers():
                if server.state != "ready":
                    why = server.error or "it is still starting"
                    self._user.tell(f"without the tools of {server.settings.name}: {why}")
        self.tell()
        return self.toolbox

    def wait(self, seconds: float, *names: str) -> None:
        """Give those that are still starting, or all, a while; Ctrl-C goes on without them."""
        until = time.monotonic() + seconds
        try:
            for name in names or self.servers.names():
                with self._turning(f"waiting for the tools of {name} (Ctrl-C goes on without)"):
                    while not self.servers.settled(name) and time.monotonic() < until:
                        pass  # `settled` waits a moment itself
        except KeyboardInterrupt:
            return

    def _turning(self, words: str) -> AbstractContextManager[object]:
        return self._sign.turning(words) if self._sign is not None else nullcontext()

    def tell(self) -> None:
        """Say what servers had to say; between lines, so that it disturbs nobody who types."""
        self._later.now()

    def begin(self) -> None:
        """Connect behind the prompt, once it stands: loading the protocol takes a while."""
        if not self._connected:
            timer = threading.Timer(AFTER_PROMPT, self.connect)
            timer.daemon = True
            timer.start()

    def connect(self) -> None:
        """Begin to connect what is configured; never waits for a server."""
        with self._begun:
            if self._connected:
                return
            self._connected = True
            for name in self._chosen.names():
                try:
                    self.servers.connect(self._chosen.settings(name))
                except AishError as error:
                    self._user.tell(f"{name}: {error.message}")

    def connect_to(self, name: str, address: str) -> None:
        """One more server: an address, or a command that starts one.

        Raises: UsageError, ConfigError.
        """
        self.connect()
        self.servers.connect(self._chosen.settings_for(name, address))

    def resource(self, words: str) -> str | None:
        """The text of a mention such as `files:demo://hello`; None where it names no server.

        Raises: ToolError.
        """
        name, colon, uri = words.partition(":")
        if not colon or not uri or name not in self._names():
            return None
        self.offered()
        return self.servers.read(name, uri)

    def close(self) -> None:
        if "servers" in vars(self):
            self.servers.close()

    def _names(self) -> set[str]:
        known = set(self.servers.names()) if "servers" in vars(self) else set()
        return known | set(self._chosen.names())
