"""An MCP server that dies, hangs, floods and lies: that call fails, and aish lives."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import support
from aish.core.tools import Tool, ToolResult
from aish.tools.server import ServerSettings
from aish.tools.servers import ToolServers

PROGRAM = (sys.executable, str(Path(support.__file__).with_name("hostile_mcp.py")))
PATIENCE = 120.0
MORE_MEMORY = 96 * 1024  # kilobytes


class Notices(list[str]):
    """What the user would be told."""

    def __call__(self, text: str) -> None:
        self.append(text)


@pytest.fixture
def notices() -> Notices:
    return Notices()


@pytest.fixture
def servers(notices: Notices) -> Iterator[ToolServers]:
    connected = ToolServers(notices)
    connected.connect(ServerSettings("bad", PROGRAM, timeout=PATIENCE))
    connected.wait(PATIENCE)
    assert connected.servers()[0].state == "ready", connected.servers()[0].error
    yield connected
    connected.close()


def call(servers: ToolServers, name: str) -> ToolResult:
    return servers.call_all([(Tool("bad", name), {})])[0]


def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def most_memory() -> int:
    """Kilobytes this process has had at most."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0])


def children() -> list[int]:
    """The processes of servers that run now."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdecimal():
            continue
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0")
            parent = (entry / "stat").read_text().rpartition(")")[2].split()[1]
        except OSError:
            continue
        if PROGRAM[1].encode() in words and int(parent) == os.getpid():
            found.append(int(entry.name))
    return found


def test_a_result_of_100_megabytes_fails_in_bounds_and_the_server_stays(
    servers: ToolServers,
) -> None:
    before = most_memory()
    result = call(servers, "huge")
    assert result.is_error
    assert "too many to be read" in result.text
    assert most_memory() - before < MORE_MEMORY
    assert call(servers, "plain").text == "plain done"


def test_a_line_without_end_costs_its_call_and_no_memory(notices: Notices) -> None:
    servers = ToolServers(notices)
    servers.connect(ServerSettings("bad", PROGRAM, timeout=3))
    servers.wait(PATIENCE)
    before = most_memory()
    assert "did not answer within 3 s" in call(servers, "endless").text
    assert most_memory() - before < MORE_MEMORY
    servers.close()


def test_it_dies_is_noticed_at_once_and_comes_back(servers: ToolServers) -> None:
    server, first = servers.servers()[0], children()
    assert call(servers, "die").is_error
    until(lambda: children() not in ([], first) and server.state == "ready")
    os.kill(children()[0], 9)  # while nobody calls it
    until(lambda: servers.servers()[0].state != "ready")
    until(lambda: servers.servers()[0].state == "ready")
    assert call(servers, "plain").text == "plain done"


def test_a_flood_of_its_log_disturbs_nobody_much(servers: ToolServers, notices: Notices) -> None:
    assert call(servers, "chatter").text == "chatter done"
    assert len(notices) < 20
    assert call(servers, "complain").text == "complain done"
    assert call(servers, "plain").text == "plain done"


@pytest.mark.parametrize("name", ["garbage", "nonsense", "escapes", "plain"])
def test_what_makes_no_sense_never_ends_the_connection(servers: ToolServers, name: str) -> None:
    call(servers, name)
    assert call(servers, "plain").text == "plain done"


def test_pictures_and_structured_results_are_noted(servers: ToolServers) -> None:
    assert call(servers, "picture").text == "[image/png, 300 bytes]"
    assert call(servers, "both").text == 'a note\n[structured] {"warm": true}'


def test_one_that_will_not_end_is_ended(servers: ToolServers) -> None:
    assert children()
    servers.close()
    assert children() == []
