"""The tools of a session, put together from the configuration; made with the first need of them."""

from __future__ import annotations

import os
import re
import threading
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from functools import cached_property
from typing import TYPE_CHECKING, Any

from aish.config.places import data_dir
from aish.core.errors import AishError, ConfigError, UsageError

if TYPE_CHECKING:
    from aish.config.schema import Config, McpServerConfig
    from aish.core.safety.verdict import Verdict
    from aish.core.tools import Tool
    from aish.engine.ports import Judge
    from aish.tools.server import ServerSettings
    from aish.tools.servers import ToolServers
    from aish.tools.toolbox import CallApprover, Toolbox

MOST_NOTICES = 5  # of servers that wait to be told; the newest
AFTER_PROMPT = 0.5  # seconds; the first keys are echoed meanwhile
PATIENCE = 15.0  # seconds the first question waits for servers that are still starting
_VARIABLE = re.compile(r"\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))")


class ToolParts:
    """The servers of the configuration and what may be called of them.

    Nothing of the protocol is loaded while no server is configured or connected by hand.
    """

    def __init__(
        self,
        config: Config,
        approver: Callable[[], CallApprover],
        judge: Callable[[], Judge],
        cwd: Callable[[], str],
        *,
        notice: Callable[[str], None],
        calling: Callable[[str], AbstractContextManager[Callable[[str], None]]],
    ) -> None:
        self._configured = dict(config.mcp.servers)
        self._deepest = config.mcp.max_tool_depth
        self._calling = calling
        self._heard: deque[str] = deque(maxlen=MOST_NOTICES)  # told when nobody types
        self._approver = approver
        self._judge = judge
        self._cwd = cwd
        self._notice = notice
        self._begun = threading.Lock()
        self._connected = not self._configured
        self._waited = False

    @cached_property
    def servers(self) -> ToolServers:
        from aish.store.logins import LoginFile
        from aish.tools.servers import ToolServers

        return ToolServers(self._heard.append, LoginFile(data_dir() / "logins.json"))

    @cached_property
    def toolbox(self) -> Toolbox:
        from aish.store.tool_definitions import ToolDefinitions
        from aish.tools.toolbox import Toolbox

        return Toolbox(
            self.servers,
            ToolDefinitions(data_dir() / "tools.jsonl"),
            self._approver(),
            auto_approve=self._auto(),
            deepest=self._deepest,
            read=self._read,
            calling=self._calling,
        )

    def offered(self) -> Toolbox | None:
        """What the model may call in the next question; None where there are no servers."""
        self.connect()
        if "servers" not in vars(self) or not self.servers.names():
            return None
        if not self._waited:
            self._waited = True
            self.servers.wait(PATIENCE)
            for server in self.servers.servers():
                if server.state != "ready":
                    self._notice(f"{server.settings.name}: {server.error or server.state}")
        self.tell()
        self.toolbox.begin()
        return self.toolbox

    def tell(self) -> None:
        """Say what servers had to say; between lines, so that it disturbs nobody who types."""
        while self._heard:
            self._notice(self._heard.popleft())

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
            for name, chosen in self._configured.items():
                try:
                    self.servers.connect(self._settings(name, chosen))
                except AishError as error:
                    self._notice(f"{name}: {error.message}")

    def connect_to(self, name: str, address: str) -> None:
        """One more server: an address, or a command that starts one.

        Raises: UsageError, ConfigError.
        """
        import shlex

        from aish.tools.server import ServerSettings

        self.connect()
        if address.startswith(("http://", "https://")):
            _check_reach(address)
            self.servers.connect(ServerSettings(name, url=address))
        else:
            command = tuple(shlex.split(address))
            self.servers.connect(ServerSettings(name, command, directory=self._cwd()))

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
        return known | set(self._configured)

    def _auto(self) -> list[str]:
        return [
            name if tool == "*" else f"{name}__{tool}"
            for name, chosen in self._configured.items()
            for tool in chosen.auto_approve
        ]

    def _read(self, tool: Tool, arguments: Mapping[str, Any]) -> Verdict:
        from aish.core.safety.tool_calls import read_call

        cwd = self._cwd()
        return read_call(tool, arguments, lambda text: self._judge().judge(text, cwd), _Files(cwd))

    def _settings(self, name: str, chosen: McpServerConfig) -> ServerSettings:
        from aish.tools.server import ServerSettings

        if not (chosen.command or chosen.url):
            raise ConfigError("has neither a command nor a url", key=f"mcp.servers.{name}")
        if chosen.url:
            _check_reach(chosen.url)
        headers = _filled(chosen.headers, f"mcp.servers.{name}.headers")
        if chosen.token_env:
            token = _variable(chosen.token_env, f"mcp.servers.{name}.token_env")
            headers["Authorization"] = f"Bearer {token}"
        return ServerSettings(
            name,
            tuple(os.path.expanduser(word) for word in chosen.command),  # noqa: PTH111
            chosen.url,
            _filled(chosen.env, f"mcp.servers.{name}.env"),
            headers,
            chosen.timeout_ms / 1000,
            directory=self._cwd(),
        )


class _Files:
    """What is on the disk, seen from the working directory."""

    def __init__(self, cwd: str) -> None:
        self._cwd = cwd

    def exists(self, path: str) -> bool:
        try:
            return os.path.lexists(os.path.join(self._cwd, os.path.expanduser(path)))  # noqa: PTH111, PTH118
        except ValueError:  # no path at all
            return False

    def count_below(self, path: str) -> int | None:
        del path
        return None

    def ignored(self, path: str) -> bool:
        del path
        return False

    def matching(self, pattern: str) -> int | None:
        del pattern
        return None


def _check_reach(url: str) -> None:
    """Raises: UsageError for an address beyond this machine where nothing there is contacted."""
    from aish.broker.http import OFFLINE, is_loopback

    if os.environ.get(OFFLINE) and not is_loopback(url):
        raise UsageError(f"{url} is not contacted: {OFFLINE} is set")


def _filled(texts: Mapping[str, str], key: str) -> dict[str, str]:
    """Raises: ConfigError for a variable that is not set."""
    return {
        name: _VARIABLE.sub(lambda found: _variable(found[1] or found[2], key), text)
        for name, text in texts.items()
    }


def _variable(name: str, key: str) -> str:
    if name not in os.environ:
        raise ConfigError(f"the variable {name} is not set", f"export {name}=…", key=key)
    return os.environ[name]
