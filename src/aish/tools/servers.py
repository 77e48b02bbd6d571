"""The MCP servers of a session, for code that is not asynchronous: one thread runs them all."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, TypeVar

from aish.core.errors import ToolError, UsageError
from aish.core.tools import Tool, ToolResult

if TYPE_CHECKING:
    from anyio.from_thread import BlockingPortal

    from aish.tools.server import McpServer, ServerSettings

Notice = Callable[[str], None]
_T = TypeVar("_T")
_STEP = 0.1  # seconds between looks at the keyboard while a call runs


class ToolServers:
    """Connects servers in the background and asks them; nothing is loaded before the first."""

    def __init__(self, notice: Notice) -> None:
        self._notice = notice
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

        portal = self._loop()
        server = portal.call(lambda: McpServer(settings, self._notice))
        self._servers[settings.name] = server
        self._running[settings.name] = portal.start_task_soon(server.run)

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

    def tools(self) -> list[Tool]:
        """Every tool of every server that is connected now."""
        return [
            tool for server in self.servers() if server.state == "ready" for tool in server.tools
        ]

    def call(
        self, tool: Tool, arguments: dict[str, Any], progress: Notice = lambda _: None
    ) -> ToolResult:
        """Call a tool; Ctrl-C cancels it.

        Raises: ToolError.
        """
        server = self._find(tool.server)
        task = self._loop().start_task_soon(server.call, tool.name, arguments, progress)
        result: ToolResult = self._result(task)
        return result

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
