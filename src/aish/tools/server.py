"""One MCP server: started or reached, kept connected, asked with a time limit.

Everything here runs in the event loop of a portal thread; `ToolServers` is the blocking side.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from concurrent.futures import Future
from contextlib import asynccontextmanager, suppress
from typing import Any, Literal

import anyio
import httpx2
import mcp_types as types
from mcp import Client, MCPError
from mcp.client.auth import OAuthFlowError
from mcp.client.subscriptions import ListenNotSupportedError, SubscriptionLost

from aish.core.context.clamp import line_head
from aish.core.errors import ToolError
from aish.core.tools import Tool, ToolResult
from aish.core.user import User
from aish.core.values import dataclass, field
from aish.tools.child import Child, child_streams
from aish.tools.lines import NewSpillFile
from aish.tools.oversize import has_failed
from aish.tools.results import result_text
from aish.tools.sieve import Sieve
from aish.tools.web import NeedsLogin, Web

ConnectionState = Literal["connecting", "ready", "failed"]
MOST_TOOLS = 500
MOST_PAGES = 50
STARTING, REACHING = 180.0, 30.0  # seconds
BACK_OFF = (0.5, 1.0, 2.0, 5.0, 15.0, 30.0)  # seconds between tries
SETTLING = 0.5  # seconds between two looks at lists that keep changing
TOLD = 5  # names of what was left out
LONGEST_REASON = 300  # characters
QUIET = 10.0  # seconds between two complaints of a server that are told
LOUD = ("error", "critical", "alert", "emergency")  # levels of a log that are told
FAILURES = (
    OSError,
    MCPError,
    NeedsLogin,
    OAuthFlowError,
    ValueError,
    RuntimeError,
    httpx2.HTTPError,
    anyio.BrokenResourceError,
    anyio.ClosedResourceError,
)


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """How a server is started or reached."""

    name: str
    command: tuple[str, ...] = ()
    url: str = ""
    env: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    timeout: float = 60.0
    connect_timeout: float = 0.0  # 0: as long as makes sense
    directory: str = ""

    @property
    def patience(self) -> float:
        """Seconds it may take to be there; a program may have to be fetched first."""
        return self.connect_timeout or (STARTING if self.command else REACHING)

    @property
    def address(self) -> str:
        return self.url or " ".join(self.command)


class McpServer:
    """A connection that is kept; what failed is tried again, less and less often."""

    def __init__(
        self,
        settings: ServerSettings,
        user: User,
        web: Web | None = None,
        spill: NewSpillFile = lambda: None,
    ) -> None:
        """`web`: how it is reached, where it is no process of ours.

        `spill` opens a file for a result that is too long.
        """
        self.settings = settings
        self.state: ConnectionState = "connecting"
        self.error = ""
        self.said = ""  # the newest line of its log
        self.tools: tuple[Tool, ...] = ()
        self.resources: tuple[types.Resource, ...] = ()
        self.prompts: tuple[types.Prompt, ...] = ()
        self.left_out: tuple[str, ...] = ()  # of these, what cannot be used
        self._sieve = Sieve()
        self._user = user
        self._web = web
        self._spill = spill
        self._client: Client | None = None
        self.settled = anyio.Event()  # the first try is over, well or badly
        self._broken = anyio.Event()
        self._changed = anyio.Event()  # what it offers
        self._again = anyio.Event()  # set: try now
        self._child = Child(lambda: None)
        self._quiet_until = 0.0
        self._listeners: list[Callable[[str], None]] = []  # of calls under way

    async def run(self) -> None:
        """Connect and stay connected until cancelled."""
        tries = 0
        while True:
            self._broken, self._again = anyio.Event(), anyio.Event()
            try:
                async with self._connected() as client:
                    tries = 0
                    await self._serve(client)
            except* TimeoutError:  # an OSError too, but it has no words of its own
                self._fail(f"no answer within {self.settings.patience:g} s")
            except* FAILURES as group:
                self._failed(group)
            self._client = None
            self.settled.set()
            with anyio.move_on_after(BACK_OFF[min(tries, len(BACK_OFF) - 1)]):
                await self._again.wait()
            tries += 1

    def ended(self, task: Future[None]) -> None:
        """No longer tried: disconnected, or for a reason nobody foresaw."""
        if task.cancelled():
            return
        error, self._client = task.exception(), None
        self._fail(f"a defect of aish: {type(error).__name__}: {error}")
        self.settled.set()

    def reconnect(self) -> None:
        """Try now, whatever the state is."""
        self.settled = anyio.Event()
        self.state = "connecting"
        self._broken.set()
        self._again.set()

    def log_in(self) -> bool:
        """Begin to log in; False where the server wants none, or has a token of its own."""
        if self._web is None or not self._web.login.possible or self.state == "ready":
            return False
        self._web.login.wanted = True
        self.reconnect()
        return True

    async def _serve(self, client: Client) -> None:
        self._client = client
        with anyio.fail_after(self.settings.patience):
            await self.refresh()
        self.state, self.error = "ready", ""
        self.settled.set()
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._listen, client)
            tasks.start_soon(self._keep_fresh)
            await self._broken.wait()
            tasks.cancel_scope.cancel()
        self._fail("the connection broke")

    @asynccontextmanager
    async def _connected(self) -> AsyncIterator[Client]:
        settings = self.settings
        with anyio.fail_after(settings.patience) as limit:
            if self._web is not None:
                transport: Any = self._web.streams(limit)
            else:
                self._child = Child(self._broken.set, self._spill)
                transport = child_streams(settings, self._child)
            client = Client(
                self._sieve.streams(transport),
                read_timeout_seconds=settings.timeout,
                message_handler=self._heard,
                logging_callback=self._logged,
                log_level="info",
                cache=None,
            )
            async with client:
                limit.deadline = float("inf")
                yield client

    # What the server offers

    async def refresh(self) -> None:
        """Ask for the lists anew."""
        client = self._live()
        self._sieve.left_out.clear()
        offers = client.server_capabilities
        if offers.tools is not None:
            self.tools = tuple([_tool(self.settings.name, tool) async for tool in _tools(client)])
        if offers.resources is not None:
            self.resources = tuple((await client.list_resources()).resources[:MOST_TOOLS])
        if offers.prompts is not None:
            self.prompts = tuple((await client.list_prompts()).prompts[:MOST_TOOLS])
        self._tell_left_out(tuple(self._sieve.left_out[:MOST_TOOLS]))

    def _tell_left_out(self, names: tuple[str, ...]) -> None:
        if names and names != self.left_out:
            shown = ", ".join(names[:TOLD]) + (", …" if len(names) > TOLD else "")
            why = "is described in a way that is not valid, and left out"
            self._user.tell(f"{self.settings.name}: {shown} {why}")
        self.left_out = names

    async def call(
        self, name: str, arguments: dict[str, Any], heard: Callable[[str], None]
    ) -> ToolResult:
        """Raises: ToolError."""

        async def tell(progress: float, total: float | None, message: str | None) -> None:
            share = f"{100 * progress / total:.0f} %" if total else f"{progress:g}"
            heard(f"{message} ({share})" if message else share)

        self._listeners.append(heard)
        try:
            result = await self._ask(
                lambda client: client.call_tool(name, arguments, progress_callback=tell)
            )
        finally:
            self._listeners.remove(heard)
        return ToolResult(result_text(result), has_failed(result))

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
            raise ToolError(f"{name}: {_said(error)}") from None
        except (ValueError, RuntimeError) as error:  # an answer that is none
            raise ToolError(f"{name}: {_said(error)}") from None
        except FAILURES as error:
            self._broken.set()
            raise ToolError(f"{name}: {_said(error)}") from None

    def _live(self) -> Client:
        if self._client is None:
            raise ToolError(
                f"{self.settings.name} is not connected: {self.error or self.state}",
                "`:mcp list` shows how the servers are",
            )
        return self._client

    async def _listen(self, client: Client) -> None:
        """Hear of changes, where the protocol is new enough to ask for that."""
        with suppress(ListenNotSupportedError, SubscriptionLost, MCPError, TimeoutError):
            async with client.listen(
                tools_list_changed=True, prompts_list_changed=True, resources_list_changed=True
            ) as events:
                async for _ in events:
                    self._changed.set()

    async def _keep_fresh(self) -> None:
        """Look at the lists again when they changed; not more often than makes sense."""
        while True:
            await self._changed.wait()
            self._changed = anyio.Event()
            before = self.tools
            with suppress(ToolError, MCPError):
                await self.refresh()
            if self.tools != before:
                self._user.tell(f"{self.settings.name} changed its tools (`:mcp tools` shows them)")
            await anyio.sleep(SETTLING)

    async def _heard(self, message: object) -> None:
        if isinstance(
            message,
            types.ToolListChangedNotification
            | types.PromptListChangedNotification
            | types.ResourceListChangedNotification,
        ):
            self._changed.set()

    async def _logged(self, params: types.LoggingMessageNotificationParams) -> None:
        """Its log is shown where a call waits anyway; only what is bad is told."""
        said = str(params.data)[:200]
        for tell in self._listeners:
            tell(said)
        now = anyio.current_time()
        if params.level in LOUD and now >= self._quiet_until:
            self._quiet_until = now + QUIET
            self._user.tell(f"{self.settings.name}: {said}")
        self.said = said

    def _failed(self, group: BaseExceptionGroup[BaseException]) -> None:
        first: BaseException = group
        while isinstance(first, BaseExceptionGroup):
            first = first.exceptions[0]
        why = _said(first)
        self._fail(self._web.learned(first, why) if self._web is not None else why)

    def _fail(self, why: str) -> None:
        said = self._child.last_words
        self.state, self.error = "failed", f"{why}: {said}" if said else why


def _said(error: BaseException) -> str:
    """What went wrong, in one line."""
    return line_head(" ".join(str(error).split()), LONGEST_REASON) or type(error).__name__


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
