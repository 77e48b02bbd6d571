"""MCP servers other people wrote, as they come from the registries."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from aish.core.tools import Tool, ToolResult
from aish.core.user import Nobody
from aish.tools.server import McpServer, ServerSettings
from aish.tools.servers import ToolServers
from support.npm import EVERYTHING, FILES, GIT
from support.serving import free_port, served

PATIENCE = 120.0


@pytest.fixture
def servers() -> Iterator[ToolServers]:
    connected = ToolServers(Nobody())
    yield connected
    connected.close()


def connected(servers: ToolServers, settings: ServerSettings) -> McpServer:
    servers.connect(settings)
    servers.wait(PATIENCE)
    server = servers.servers()[-1]
    assert server.state == "ready", server.error
    return server


def call(servers: ToolServers, server: str, name: str, **arguments: object) -> ToolResult:
    return servers.call_all([(Tool(server, name), dict(arguments))])[0]


@pytest.mark.needs("node")
def test_the_filesystem_server_reads_writes_and_keeps_to_its_folder(
    servers: ToolServers, tmp_path: Path
) -> None:
    (tmp_path / "a.txt").write_text("alpha")
    connected(servers, ServerSettings("files", (FILES, str(tmp_path)), timeout=PATIENCE))
    read = call(servers, "files", "read_text_file", path=str(tmp_path / "a.txt"))
    assert read.text == "alpha"  # once, though the server says it in two ways
    call(servers, "files", "write_file", path=str(tmp_path / "b.txt"), content="beta")
    assert (tmp_path / "b.txt").read_text() == "beta"
    assert call(servers, "files", "read_text_file", path="/etc/passwd").is_error


def test_the_git_server_tells_of_a_repository(servers: ToolServers, tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    (tmp_path / "new.txt").write_text("x")
    connected(servers, ServerSettings("git", (GIT,), timeout=PATIENCE))
    assert "new.txt" in call(servers, "git", "git_status", repo_path=str(tmp_path)).text


@pytest.mark.needs("node")
def test_the_server_of_everything_over_its_pipes(servers: ToolServers) -> None:
    server = connected(servers, ServerSettings("all", (EVERYTHING,), timeout=PATIENCE))
    assert call(servers, "all", "echo", message="hi").text == "Echo: hi"
    assert "[image/png, " in call(servers, "all", "get-tiny-image").text
    heard: list[str] = []
    wanted = (Tool("all", "trigger-long-running-operation"), {"duration": 0.4, "steps": 2})
    assert "completed" in servers.call_all([wanted], heard.append)[0].text
    assert "100 %" in heard
    assert "architecture" in servers.read("all", str(server.resources[0].uri)).lower()
    assert servers.prompt("all", "simple-prompt", {})


@pytest.mark.needs("node")
@pytest.mark.parametrize(
    ("mode", "path"), [("streamableHttp", "/mcp"), ("sse", "/sse"), ("sse", "/sse?")]
)
def test_the_server_of_everything_over_http_in_both_protocols(
    servers: ToolServers, mode: str, path: str
) -> None:
    port = free_port()
    with served(EVERYTHING, mode, port=port, env={**os.environ, "PORT": str(port)}):
        url = f"http://127.0.0.1:{port}{path}"
        servers.connect(ServerSettings("web", url=url, timeout=PATIENCE))
        servers.wait(PATIENCE)
        deadline = time.monotonic() + PATIENCE
        while servers.servers()[0].state != "ready":  # the second try speaks the old protocol
            assert time.monotonic() < deadline, servers.servers()[0].error
            time.sleep(0.1)
        assert call(servers, "web", "echo", message="far").text == "Echo: far"
