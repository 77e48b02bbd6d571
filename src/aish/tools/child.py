"""A server as a child process: messages line by line, and bounds on whatever it writes.

The SDK has a transport of its own for this. It keeps a line of any length, reads as fast as the
server writes, and leaves standard error to a file that grows; a bad server must not be able to
fill memory, disk or processor.
"""

from __future__ import annotations

import subprocess
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing, suppress
from typing import TYPE_CHECKING

import anyio
import mcp_types as types
from anyio.abc import ByteReceiveStream, Process
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.client.stdio import get_default_environment
from mcp.os.posix.utilities import terminate_posix_process_tree
from mcp.shared.message import SessionMessage

from aish.tools.lines import LineSplitter, NewSpillFile, TooLong
from aish.tools.oversize import stand_in

if TYPE_CHECKING:
    from aish.tools.server import ServerSettings

Incoming = MemoryObjectSendStream[SessionMessage | Exception]
Outgoing = MemoryObjectReceiveStream[SessionMessage]
STDERR_KEPT = 2000  # bytes of what a server said before it failed
PATIENCE = 1.0  # seconds it may take to end by itself, and again after a signal
BURST, PACE = 256, 0.1  # messages, and the seconds that so many take at least


class Child:
    """What became of the process, for whoever wants to say it."""

    def __init__(self, ended: Callable[[], None], spill: NewSpillFile = lambda: None) -> None:
        self.ended = ended  # called when it says no more
        self.spill = spill  # where what is too long goes
        self._said = b""

    def heard(self, data: bytes) -> None:
        self._said = (self._said + data)[-STDERR_KEPT:]

    @property
    def last_words(self) -> str:
        """The newest line of its standard error: most often what went wrong."""
        lines = self._said.decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else ""


@asynccontextmanager
async def child_streams(
    settings: ServerSettings, child: Child
) -> AsyncIterator[
    tuple[
        MemoryObjectReceiveStream[SessionMessage | Exception],
        MemoryObjectSendStream[SessionMessage],
    ]
]:
    """Start the server; it inherits no secrets, only what is harmless and what it is given.

    Raises: OSError, ValueError.
    """
    with anyio.CancelScope(shield=True):  # half a start would leave a process nobody ends
        process = await anyio.open_process(
            list(settings.command),
            env=get_default_environment() | dict(settings.env),
            cwd=settings.directory or None,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    to_us, incoming = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    outgoing, from_us = anyio.create_memory_object_stream[SessionMessage](0)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_read, process, to_us, child)
        tasks.start_soon(_write, process, from_us)
        tasks.start_soon(_overhear, process, child)
        try:
            yield incoming, outgoing
        finally:
            with anyio.CancelScope(shield=True):
                await _end(process)
            tasks.cancel_scope.cancel()
            for stream in (to_us, incoming, outgoing, from_us):
                stream.close()


async def _read(process: Process, to_us: Incoming, child: Child) -> None:
    lines, count, begun = LineSplitter(spill=child.spill), 0, anyio.current_time()
    with closing(lines), suppress(anyio.ClosedResourceError, anyio.BrokenResourceError, OSError):
        async with to_us:
            async for data in _pieces(process.stdout):
                for line in lines.feed(data):
                    await to_us.send(_message(line))
                    count += 1
                    if count % BURST == 0:
                        await anyio.sleep(max(0.0, begun + PACE - anyio.current_time()))
                        begun = anyio.current_time()
    child.ended()


async def _pieces(stream: ByteReceiveStream | None) -> AsyncIterator[bytes]:
    while stream is not None:
        try:
            yield await stream.receive(1 << 18)
        except anyio.EndOfStream:
            return


def _message(line: bytes | TooLong) -> SessionMessage | Exception:
    """The message in a line; of one that is too long, its ends."""
    if isinstance(line, TooLong):
        made = stand_in(line)
        return SessionMessage(made) if made else ValueError(f"{line.size:,} bytes were not read")
    try:
        return SessionMessage(types.jsonrpc_message_adapter.validate_json(line, by_name=False))
    except ValueError as error:
        return error


async def _write(process: Process, from_us: Outgoing) -> None:
    with suppress(anyio.ClosedResourceError, anyio.BrokenResourceError, OSError):
        async with from_us:
            async for message in from_us:
                text = message.message.model_dump_json(by_alias=True, exclude_unset=True)
                if process.stdin is not None:
                    await process.stdin.send(text.encode() + b"\n")


async def _overhear(process: Process, child: Child) -> None:
    with suppress(anyio.ClosedResourceError, anyio.BrokenResourceError, OSError):
        async for data in _pieces(process.stderr):
            child.heard(data)
            await anyio.sleep(0.01)  # whoever floods it waits


async def _end(process: Process) -> None:
    """Close its input, wait a while, then end it and all it started."""
    with suppress(anyio.ClosedResourceError, anyio.BrokenResourceError, OSError):
        if process.stdin is not None:
            await process.stdin.aclose()
    deadline = anyio.current_time() + PATIENCE
    while process.returncode is None and anyio.current_time() < deadline:
        await anyio.sleep(0.01)
    if process.returncode is None:
        await terminate_posix_process_tree(process, PATIENCE)
    transport = getattr(getattr(process, "_process", None), "_transport", None)
    with suppress(OSError):
        if transport is not None:
            transport.close()
