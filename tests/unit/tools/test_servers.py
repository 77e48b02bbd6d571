"""Real MCP servers, over their own pipes and over HTTP, and how they fail."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import support
from aish.core.errors import ToolError, UsageError
from aish.core.tools import Tool, ToolResult
from aish.tools.server import ServerSettings
from aish.tools.servers import ToolServers
from support.users import ScriptedUser

PROGRAM = (sys.executable, str(Path(support.__file__).with_name("mcp_server.py")))
PATIENCE = 60.0


@pytest.fixture
def servers() -> Iterator[ToolServers]:
    connected = ToolServers(user)
    user.told.clear()
    yield connected
    connected.close()


user = ScriptedUser()


@pytest.fixture
def demo(servers: ToolServers) -> ToolServers:
    servers.connect(ServerSettings("demo", PROGRAM, timeout=PATIENCE))
    servers.wait(PATIENCE)
    return servers


def call(servers: ToolServers, wanted: Tool, arguments: dict[str, Any]) -> ToolResult:
    return servers.call_all([(wanted, arguments)])[0]


def tool(servers: ToolServers, name: str) -> Tool:
    return next(found for found in servers.tools() if found.name == name)


def until(condition: object) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():  # type: ignore[operator]
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_a_tool_is_listed_called_and_answers(demo: ToolServers) -> None:
    assert {"add", "slow"} <= {found.name for found in demo.tools()}
    result = call(demo, tool(demo, "add"), {"a": 1, "b": 2})
    assert (result.text, result.is_error) == ("3", False)
    assert call(demo, tool(demo, "add"), {"a": "x"}).is_error


def test_resources_and_prompts_are_read(demo: ToolServers) -> None:
    assert [str(found.uri) for found in demo.servers()[0].resources] == ["demo://hello"]
    assert demo.read("demo", "demo://hello") == "hello from a resource"
    assert "Say hello to Ada" in demo.prompt("demo", "greet", {"name": "Ada"})
    with pytest.raises(ToolError):
        demo.read("demo", "demo://nowhere")


def test_progress_is_heard(demo: ToolServers) -> None:
    heard: list[str] = []
    assert demo.call_all([(tool(demo, "slow"), {"seconds": 0.2})], heard.append)[0].text == "done"
    assert "step (100 %)" in heard


def test_a_server_inherits_no_secrets(
    servers: ToolServers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    servers.connect(ServerSettings("demo", PROGRAM, env={"GIVEN": "1"}, timeout=PATIENCE))
    servers.wait(PATIENCE)
    names = call(servers, tool(servers, "environment"), {}).text.split()
    assert "GIVEN" in names
    assert "OPENAI_API_KEY" not in names


def test_a_call_that_takes_too_long_fails_and_the_next_one_works(servers: ToolServers) -> None:
    servers.connect(ServerSettings("demo", PROGRAM, timeout=2))
    until(servers.tools)
    late = call(servers, tool(servers, "slow"), {"seconds": 600})
    assert late.is_error
    assert "did not answer within 2 s" in late.text
    assert call(servers, tool(servers, "add"), {"a": 1, "b": 1}).text == "2"


def test_a_server_that_dies_fails_that_call_and_comes_back(demo: ToolServers) -> None:
    add = tool(demo, "add")
    assert call(demo, tool(demo, "die"), {}).is_error
    until(lambda: demo.servers()[0].state != "ready")
    until(lambda: demo.servers()[0].state == "ready")
    assert call(demo, add, {"a": 2, "b": 2}).text == "4"


def test_ctrl_c_cancels_a_call(demo: ToolServers) -> None:
    main = threading.main_thread().ident
    assert main is not None
    timer = threading.Timer(0.5, lambda: signal.pthread_kill(main, signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        call(demo, tool(demo, "slow"), {"seconds": 600})
    assert call(demo, tool(demo, "add"), {"a": 1, "b": 1}).text == "2"


def test_calls_run_at_the_same_time(demo: ToolServers) -> None:
    meet = tool(demo, "meet")
    results = demo.call_all([(meet, {"others": 3})] * 3)
    assert [result.text for result in results] == ["met"] * 3  # each waits for the others


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        (("/nowhere/server",), "No such file"),
        (("sh", "-c", "echo it is broken >&2; exit 1"), "it is broken"),
        (("sh", "-c", "echo not json; sleep 60"), "no answer within 3 s"),
    ],
)
def test_a_server_that_cannot_be_used_says_why_and_harms_no_other(
    servers: ToolServers, command: tuple[str, ...], expected: str
) -> None:
    servers.connect(ServerSettings("bad", command, connect_timeout=3))
    servers.connect(ServerSettings("demo", PROGRAM, timeout=PATIENCE))
    servers.wait(PATIENCE)
    bad, good = servers.servers()
    assert bad.state == "failed"
    assert expected in bad.error
    assert good.state == "ready"
    assert "not connected" in call(servers, Tool("bad", "x"), {}).text


def test_connecting_never_waits_and_names_are_unique(servers: ToolServers) -> None:
    servers.connect(ServerSettings("hangs", ("sleep", "600")))
    assert servers.names() == ["hangs"]
    with pytest.raises(UsageError):
        servers.connect(ServerSettings("hangs", ("sleep", "600")))
    servers.disconnect("hangs")
    with pytest.raises(UsageError):
        servers.disconnect("hangs")


def test_a_server_over_http(servers: ToolServers) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen(
        [*PROGRAM, "streamable-http", str(port)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        servers.connect(ServerSettings("web", url=f"http://127.0.0.1:{port}/mcp", timeout=PATIENCE))
        until(lambda: servers.servers()[0].state == "ready")  # it is tried again until it is up
        assert call(servers, tool(servers, "add"), {"a": 20, "b": 22}).text == "42"
    finally:
        process.kill()
        process.wait()


def test_a_tool_added_later_is_found_without_asking(demo: ToolServers) -> None:
    call(demo, tool(demo, "grow"), {})
    until(lambda: "extra" in {found.name for found in demo.tools()})
    assert call(demo, tool(demo, "extra"), {}).text == "extra"
    until(lambda: any("changed its tools" in notice for notice in user.told))
