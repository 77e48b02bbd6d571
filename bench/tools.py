"""Tools: what a call costs over the bare SDK, and whether configured servers delay the prompt.

    python bench/tools.py [--calls N] [--runs N]

Runs are interleaved and medians compared, so that a busy machine disturbs both alike.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import anyio
from anyio.from_thread import start_blocking_portal
from mcp import Client, StdioServerParameters

from aish.core.tools import Tool
from aish.core.user import Nobody
from aish.tools.server import ServerSettings
from aish.tools.servers import ToolServers

sys.path.insert(0, str(Path(__file__).parent))
from startup import usable

SERVER = str(Path(__file__).parents[1] / "tests/support/mcp_server.py")
MOST_OVERHEAD = 0.002  # seconds
MOST_DELAY = 1.15  # times the prompt without servers
WAIT = 120.0


class Bare:
    """The SDK alone: its client in a thread of its own, as any synchronous program has it."""

    def __init__(self) -> None:
        self._context = start_blocking_portal()
        self._portal = self._context.__enter__()
        self._done = self._portal.call(anyio.Event)
        self._ready = self._portal.call(anyio.Event)
        self._task = self._portal.start_task_soon(self._run)
        self._portal.call(self._ready.wait)

    async def _run(self) -> None:
        parameters = StdioServerParameters(command=sys.executable, args=[SERVER])
        async with Client(parameters) as self._client:
            self._ready.set()
            await self._done.wait()

    def call(self) -> None:
        self._portal.call(self._client.call_tool, "add", {"a": 1, "b": 2})

    def close(self) -> None:
        self._portal.call(self._done.set)
        self._task.result()
        self._context.__exit__(None, None, None)


def overhead(calls: int) -> tuple[float, float]:
    """Median seconds of a call: by the SDK alone, and through aish."""
    bare, servers = Bare(), ToolServers(Nobody())
    servers.connect(ServerSettings("demo", (sys.executable, SERVER)))
    servers.wait(WAIT)
    add = Tool("demo", "add")
    spent: dict[bool, list[float]] = {True: [], False: []}
    for number in range(2 * calls):
        ours = bool(number % 2)
        began = time.perf_counter()
        if ours:
            servers.call_all([(add, {"a": 1, "b": 2})])
        else:
            bare.call()
        spent[ours].append(time.perf_counter() - began)
    servers.close()
    bare.close()
    return statistics.median(spent[False]), statistics.median(spent[True])


def prompt(runs: int) -> tuple[float, float]:
    """Median seconds to a usable prompt: without servers, and with three of them."""
    aish = str(Path(sys.executable).with_name("aish"))
    with tempfile.TemporaryDirectory() as plain, tempfile.TemporaryDirectory() as served:
        config = Path(served) / ".config/aish/config.toml"
        config.parent.mkdir(parents=True)
        command = json.dumps([sys.executable, SERVER])
        config.write_text("".join(f"[mcp.servers.s{n}]\ncommand = {command}\n" for n in range(3)))
        started: Callable[[str], float] = lambda home: usable(  # noqa: E731
            [aish], {**_environment(), "HOME": home}
        )[0]
        pairs = [(started(plain), started(served)) for _ in range(runs + 1)][1:]
    return tuple(statistics.median(side) for side in zip(*pairs, strict=True))  # type: ignore[return-value]


def _environment() -> dict[str, str]:
    return {"PATH": os.environ["PATH"], "TERM": "xterm-256color", "LANG": "C.UTF-8"}


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--calls", type=int, default=300)
    parser.add_argument("--runs", type=int, default=9)
    options = parser.parse_args()
    bare, ours = overhead(options.calls)
    without, with_servers = prompt(options.runs)
    print(f"a stdio call, SDK alone       {bare * 1000:8.2f} ms")
    print(f"the same through aish         {ours * 1000:8.2f} ms")
    print(f"overhead                      {(ours - bare) * 1000:8.2f} ms   (at most 2 ms)")
    print(f"usable prompt, no servers     {without * 1000:8.0f} ms")
    print(f"the same with three servers   {with_servers * 1000:8.0f} ms")
    print(
        f"ratio                         {with_servers / without:8.2f}      (at most {MOST_DELAY})"
    )
    slow = ours - bare > MOST_OVERHEAD or with_servers / without > MOST_DELAY
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
