"""One MCP server: started or reached, kept connected, asked with a time limit.

Everything here runs in the event loop of a portal thread; `ToolServers` is the blocking side.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import IO, Any, Literal

import anyio
import httpx2
import mcp_types as types
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.sse import sse_client
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client

from aish.core.errors import ToolError
from aish.core.tools import Tool, ToolResult
from aish.tools.results import result_text

State = Literal["connecting", "ready", "failed", "closed"]
MOST_TOOLS = 500
MOST_PAGES = 50
BACK_OFF = (0.5, 1.0, 2.0, 5.0, 15.0, 30.0)  # seconds between tries
_STDERR_KEPT = 2000  # characters of what a server said before it failed


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """How a server is started or reached."""

    name: str
    command: tuple[str, ...] = ()
    url: str = ""
    env: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    timeout: float = 60.0
    connect_timeout: float = 30.0
    directory: str = ""

    @property
    def address(self) -> str:
        return self.url or " ".join(self.command)


class McpServer:
    """A connection that is kept; what failed is tried again, less and less often."""

    def __init__(self, settings: ServerSettings, notice: Callable[[str], None]) -> None:
        self.settings = settings
        self.state: State = "connecting"
        self.error = ""
        self.tools: tuple[Tool, ...] = ()
        self.resources: tuple[types.Resource, ...] = ()
        self.prompts: tuple[types.Prompt, ...] = ()
        self._notice = notice
        self._client: Client | None = None
        self.settled = anyio.Event()  # the first try is over, well or badly
        self._broken = anyio.Event()
        self._last_words = ""  # what a process wrote on standard error before it ended

    async def run(self) -> None:
        """Connect and stay connected until cancelled."""
        tries = 0
        while True:
            try:
                async with self._connected() as client:
                    tries = 0
                    await self._serve(client)
            except* (OSError, MCPError, ValueError, RuntimeError, httpx2.HTTPError) as group:
                self._failed(group)
            except* TimeoutError:
                self._fail(f"no answer within {self.settings.connect_timeout:.0f} s")
            self._client = None
            self.settled.set()
            await anyio.sleep(BACK_OFF[min(tries, len(BACK_OFF) - 1)])
            tries += 1

    async def _serve(self, client: Client) -> None:
        self._client = client
        await self.refresh()
        self.state, self.error = "ready", ""
        self._broken = anyio.Event()
        self.settled.set()
        await self._broken.wait()
        self._fail("the connection broke")

    @asynccontextmanager
    async def _connected(self) -> AsyncIterator[Client]:
        async with self._transport() as transport:
            client = Client(
                transport,
                read_timeout_seconds=self.settings.timeout,
                message_handler=self._heard,
                logging_callback=self._logged,
                cache=None,
            )
            with anyio.fail_after(self.settings.connect_timeout) as limit:
                async with client:
                    limit.deadline = float("inf")
                    yield client

    @asynccontextmanager
    async def _transport(self) -> AsyncIterator[Any]:
        settings = self.settings
        if not settings.url:
            with tempfile.TemporaryFile("w+", errors="replace") as log:
                try:
                    yield stdio_client(_process(settings), errlog=log)
                finally:
                    self._last_words = _last_line(log)
        elif settings.url.rstrip("/").endswith("/sse"):
            yield sse_client(settings.url, headers=dict(settings.headers))
        else:
            async with create_mcp_http_client(headers=dict(settings.headers)) as http:
                yield streamable_http_client(settings.url, http_client=http)

    # What the server offers

    async def refresh(self) -> None:
        """Ask for the lists anew."""
        client = self._live()
        offers = client.server_capabilities
        if offers.tools is not None:
            self.tools = tuple([_tool(self.settings.name, tool) async for tool in _tools(client)])
        if offers.resources is not None:
            self.resources = tuple((await client.list_resources()).resources[:MOST_TOOLS])
        if offers.prompts is not None:
            self.prompts = tuple((await client.list_prompts()).prompts[:MOST_TOOLS])

    async def call(
        self, name: str, arguments: dict[str, Any], heard: Callable[[str], None]
    ) -> ToolResult:
        """Raises: ToolError."""

        async def tell(progress: float, total: float | None, message: str | None) -> None:
            share = f"{100 * progress / total:.0f} %" if total else f"{progress:g}"
            heard(f"{message} ({share})" if message else share)

        result = await self._ask(
            lambda client: client.call_tool(name, arguments, progress_callback=tell)
        )
        return ToolResult(result_text(result), bool(result.is_error))

    async def read(self, uri: str) -> str:
        """A resource as text.

        Raises: ToolError.
        """
        result = await self._ask(lambda client: client.read_resource(uri))
        return "\n".join(_resource_text(part) for part in result.contents)

    async def prompt(self, name: str, arguments: dict[str, str]) -> str:
        """A prompt of the server, as the text it stands for.

        Raises: ToolError.
        """
        result = await self._ask(lambda client: client.get_prompt(name, arguments))
        texts = [getattr(message.content, "text", "") for message in result.messages]
        return "\n\n".join(text for text in texts if text)

    async def _ask(self, request: Callable[[Client], Any]) -> Any:
        """One request within the server's time limit.

        Raises: ToolError.
        """
        client, name = self._live(), self.settings.name
        try:
            with anyio.fail_after(self.settings.timeout):
                return await request(client)
        except TimeoutError:
            raise ToolError(
                f"{name} did not answer within {self.settings.timeout:g} s",
                f"raise mcp.servers.{name}.timeout_ms if it needs longer",
            ) from None
        except MCPError as error:
            if "closed" in str(error).lower():
                self._broken.set()
            raise ToolError(f"{name}: {error}"[:500]) from None
        except (
            OSError,
            RuntimeError,
            ValueError,
            httpx2.HTTPError,
            anyio.ClosedResourceError,
        ) as error:
            self._broken.set()
            raise ToolError(f"{name}: {error or type(error).__name__}"[:500]) from None

    def _live(self) -> Client:
        if self._client is None:
            raise ToolError(
                f"{self.settings.name} is not connected: {self.error or self.state}",
                "`:mcp list` shows how the servers are",
            )
        return self._client

    async def _heard(self, message: object) -> None:
        if isinstance(message, types.ToolListChangedNotification):
            await self.refresh()
            self._notice(f"{self.settings.name} changed its tools")

    async def _logged(self, params: types.LoggingMessageNotificationParams) -> None:
        if params.level in ("error", "critical", "alert", "emergency"):
            self._notice(f"{self.settings.name}: {str(params.data)[:200]}")

    def _failed(self, group: BaseExceptionGroup[BaseException]) -> None:
        first: BaseException = group
        while isinstance(first, BaseExceptionGroup):
            first = first.exceptions[0]
        self._fail(str(first) or type(first).__name__)

    def _fail(self, why: str) -> None:
        said, self._last_words = self._last_words, ""
        self.state, self.error = "failed", f"{why}: {said}" if said else why


def _process(settings: ServerSettings) -> StdioServerParameters:
    """The server's process; it inherits no secrets, only what is harmless and what it is given."""
    program, *arguments = settings.command
    return StdioServerParameters(
        command=program,
        args=arguments,
        env={"PATH": os.environ.get("PATH", os.defpath), **settings.env},
        cwd=settings.directory or None,
    )


def _last_line(log: IO[str]) -> str:
    """The newest line of a server's standard error: most often what went wrong."""
    size = log.seek(0, os.SEEK_END)
    log.seek(max(0, size - _STDERR_KEPT))
    lines = log.read().strip().splitlines()
    return lines[-1] if lines else ""


async def _tools(client: Client) -> AsyncIterator[types.Tool]:
    cursor, found = None, 0
    for _ in range(MOST_PAGES):
        page = await client.list_tools(cursor=cursor)
        for tool in page.tools:
            found += 1
            if found > MOST_TOOLS:
                return
            yield tool
        cursor = page.next_cursor
        if not cursor:
            return


def _tool(server: str, tool: types.Tool) -> Tool:
    hints = (
        tool.annotations.model_dump(by_alias=True, exclude_none=True) if tool.annotations else {}
    )
    return Tool(server, tool.name, tool.description or "", tool.input_schema, hints)


def _resource_text(part: object) -> str:
    text = getattr(part, "text", None)
    if isinstance(text, str):
        return text
    blob = getattr(part, "blob", "")
    return f"[{getattr(part, 'mime_type', None) or 'data'}, {len(blob) * 3 // 4:,} bytes]"
