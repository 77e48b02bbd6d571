"""The MCP servers of a session, for code that is not asynchronous: one thread runs them all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, TypeVar

from aish.core.errors import ToolError, UsageError
from aish.core.tools import Tool, ToolResult

if TYPE_CHECKING:
    from anyio.from_thread import BlockingPortal

    from aish.core.user import User
    from aish.tools.lines import NewSpillFile
    from aish.tools.login import Logins
    from aish.tools.server import McpServer, ServerSettings
    from aish.tools.web import Web

_T = TypeVar("_T")
_STEP = 0.1  # seconds between looks at the keyboard while a call runs


class ToolServers:
    """Connects servers in the background and asks them; nothing is loaded before the first."""

    def __init__(
        self, user: User, logins: Logins | None = None, spill: NewSpillFile = lambda: None
    ) -> None:
        """`spill` opens a file for a result that is too long to be held."""
        self._user = user
        self._logins = logins
        self._spill = spill
        self._stack = ExitStack()
        self._portal: BlockingPortal | None = None
        self._servers: dict[str, McpServer] = {}
        self._running: dict[str, Future[None]] = {}

    def names(self) -> list[str]:
        return list(self._servers)

    def servers(self) -> list[McpServer]:
        return list(self._servers.values())

    def connect(self, settings: ServerSettings) -> None:
        """Begin to connect; never waits.

        Raises: UsageError for a name in use.
        """
        if settings.name in self._servers:
            raise UsageError(f"{settings.name} is connected already", ":mcp disconnect it first")
        from aish.tools.server import McpServer

        portal, web = self._loop(), self._web(settings)
        server = portal.call(lambda: McpServer(settings, self._user, web, self._spill))
        self._servers[settings.name] = server
        running = portal.start_task_soon(server.run)
        running.add_done_callback(server.ended)
        self._running[settings.name] = running

    def _web(self, settings: ServerSettings) -> Web | None:
        """How a server is reached that is no process of ours."""
        if not settings.url:
            return None
        from aish.tools.login import Login
        from aish.tools.web import Web

        has_token = any(name.lower() == "authorization" for name in settings.headers)
        login = Login(settings.url, None if has_token else self._logins, self._user)
        return Web(settings.name, settings.url, settings.headers, login, self._spill)

    def login(self, name: str) -> bool:
        """Begin to log in to a server; False where it wants none, or not in this way.

        Raises: UsageError.
        """
        server = self._find(name)
        return self._loop().call(server.log_in)

    def logout(self, name: str) -> None:
        """Forget a login.

        Raises: UsageError, StoreError.
        """
        server = self._find(name)
        if self._logins is not None and server.settings.url:
            self._logins.save(server.settings.url, {})
            self._loop().call(server.reconnect)

    def disconnect(self, name: str) -> None:
        """Raises: UsageError for an unknown name."""
        self._find(name)
        running = self._running.pop(name)
        del self._servers[name]
        running.cancel()

    def wait(self, seconds: float) -> None:
        """Wait until every server has answered once or failed, but no longer than this."""
        if self._portal is None:
            return

        async def settle() -> None:
            import anyio

            with anyio.move_on_after(seconds):
                for server in self.servers():
                    await server.settled.wait()

        self._portal.call(settle)

    def settled(self, name: str, seconds: float = 0.2) -> bool:
        """Whether a server has answered or failed, after waiting a moment for that.

        Raises: UsageError.
        """
        server = self._find(name)

        async def settle() -> bool:
            import anyio

            with anyio.move_on_after(seconds):
                await server.settled.wait()
            return server.settled.is_set()

        return self._loop().call(settle)

    def tools(self) -> list[Tool]:
        """Every tool of every server that is connected now."""
        return [
            tool for server in self.servers() if server.state == "ready" for tool in server.tools
        ]

    def call_all(
        self,
        calls: Sequence[tuple[Tool, dict[str, Any]]],
        progress: Callable[[str], None] = lambda _: None,
    ) -> list[ToolResult]:
        """Make calls at the same time; a failure is a result too. Ctrl-C cancels them all."""
        tasks: list[Future[ToolResult] | ToolError] = []
        for tool, arguments in calls:
            if tool.server not in self._servers:
                tasks.append(ToolError(f"{tool.server} is not connected any more"))
                continue
            call = self._servers[tool.server].call
            tasks.append(self._loop().start_task_soon(call, tool.name, arguments, progress))
        try:
            return [self._given(task) for task in tasks]
        finally:
            for task in tasks:
                if isinstance(task, Future) and not task.done():
                    task.cancel()

    def _given(self, task: Future[ToolResult] | ToolError) -> ToolResult:
        try:
            if isinstance(task, ToolError):
                raise task
            return self._result(task)
        except ToolError as error:
            return ToolResult(error.message, is_error=True)

    def refresh(self, name: str) -> None:
        """Ask a server for its lists anew.

        Raises: ToolError, UsageError.
        """
        self._result(self._loop().start_task_soon(self._find(name).refresh))

    def read(self, name: str, uri: str) -> str:
        """A resource as text.

        Raises: ToolError, UsageError.
        """
        return self._result(self._loop().start_task_soon(self._find(name).read, uri))

    def prompt(self, name: str, prompt: str, arguments: dict[str, str]) -> str:
        """Raises: ToolError, UsageError."""
        task = self._loop().start_task_soon(self._find(name).prompt, prompt, arguments)
        return self._result(task)

    def close(self) -> None:
        """End every server."""
        for name in self.names():
            self.disconnect(name)
        self._portal = None
        self._stack.close()

    def _result(self, task: Future[_T]) -> _T:
        """What the task gives, waiting so that Ctrl-C is heard; cancelled with the wait."""
        try:
            while True:
                try:
                    return task.result(_STEP)
                except FutureTimeout:
                    if task.done():
                        raise ToolError("the server did not answer in time") from None
        finally:
            if not task.done():
                task.cancel()

    def _find(self, name: str) -> McpServer:
        if name not in self._servers:
            known = ", ".join(self._servers) or "none"
            raise UsageError(f"there is no server {name}", f"connected: {known}")
        return self._servers[name]

    def _loop(self) -> BlockingPortal:
        if self._portal is None:
            from anyio.from_thread import start_blocking_portal

            self._portal = self._stack.enter_context(start_blocking_portal())
        return self._portal
