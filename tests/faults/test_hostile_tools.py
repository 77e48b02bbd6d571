"""An MCP server that dies, hangs, floods and lies: that call fails, and aish lives."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import support
from aish.core.tools import Tool, ToolResult
from aish.store.spill import LARGEST, SpillFolder
from aish.tools.server import ServerSettings
from aish.tools.servers import ToolServers
from support.hostile_web import hostile_web
from support.masks import WordMask
from support.users import ScriptedUser

PROGRAM = (sys.executable, str(Path(support.__file__).with_name("hostile_mcp.py")))
PATIENCE = 120.0
BAD_TOOLS = (
    {"name": "text", "inputSchema": "none"},
    {"name": "odd", "inputSchema": {"type": "strange"}},
    {"name": "typeless"},
    {"name": "loud", "description": 7, "inputSchema": {"type": "object"}},
    {"name": "nested", "inputSchema": {"type": "object", "properties": {"a": {"type": "int"}}}},
    {"name": "wanting", "inputSchema": {"type": "object", "required": "a"}},
    {"inputSchema": {"type": "object"}},
    "a word",
    None,
)
MORE_MEMORY = 96 * 1024  # kilobytes


@pytest.fixture
def user() -> ScriptedUser:
    return ScriptedUser()


@pytest.fixture
def results(tmp_path: Path) -> SpillFolder:
    return SpillFolder(tmp_path / "results", WordMask(shown="[hidden]"), size=2 * LARGEST)


@pytest.fixture
def servers(user: ScriptedUser, results: SpillFolder) -> Iterator[ToolServers]:
    connected = ToolServers(user, spill=results.begin)
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


def test_of_a_result_of_100_megabytes_the_ends_are_told_and_all_is_in_a_file(
    servers: ToolServers, tmp_path: Path
) -> None:
    before = most_memory()
    result = call(servers, "huge")
    assert most_memory() - before < MORE_MEMORY
    (kept,) = (tmp_path / "results").iterdir()
    assert not result.is_error
    assert result.text.startswith("[a result of 104,857,")
    assert f"all of it is in {kept}; here are its ends]\nfirst line\nxxx" in result.text
    assert result.text.endswith("xxx\nlast line: \N{SNOWMAN} hunter2")  # hidden on its way out
    assert len(result.text) < 5000
    with kept.open(encoding="utf-8") as lines:
        found = [line for line in lines if "line" in line]
    assert found[-1].startswith("last line: \N{SNOWMAN} [hidden]")
    assert kept.stat().st_mode & 0o777 == 0o600
    assert call(servers, "plain").text == "plain done"


@pytest.mark.parametrize("name", ["body", "events", "spread"])
def test_a_long_result_over_http_is_in_bounds_too(
    user: ScriptedUser, results: SpillFolder, tmp_path: Path, name: str
) -> None:
    """One line, one event, or a body of a hundred thousand lines."""
    servers = ToolServers(user, spill=results.begin)
    with hostile_web() as url:
        servers.connect(ServerSettings("bad", url=url, timeout=PATIENCE))
        servers.wait(PATIENCE)
        before = most_memory()
        result = call(servers, name)
        assert most_memory() - before < MORE_MEMORY
        servers.close()
    (kept,) = (tmp_path / "results").iterdir()
    assert f"all of it is in {kept}" in result.text
    assert result.text.endswith("last")
    assert kept.stat().st_size > 40 << 20


def test_where_no_file_can_be_kept_a_long_result_fails_in_one_line(user: ScriptedUser) -> None:
    servers = ToolServers(user)
    servers.connect(ServerSettings("bad", PROGRAM, timeout=PATIENCE))
    servers.wait(PATIENCE)
    result = call(servers, "huge")
    assert result.is_error
    assert "too many to be read; ask for less" in result.text
    servers.close()


def test_a_line_without_end_costs_its_call_and_no_memory(user: ScriptedUser) -> None:
    servers = ToolServers(user)
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


def test_a_flood_of_its_log_disturbs_nobody_much(servers: ToolServers, user: ScriptedUser) -> None:
    assert call(servers, "chatter").text == "chatter done"
    assert len(user.told) < 20
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


def test_a_change_is_heard_of_in_the_older_protocol_too(user: ScriptedUser, tmp_path: Path) -> None:
    words = tmp_path / "words"
    words.write_text("Do it.")
    servers = ToolServers(user)
    servers.connect(ServerSettings("bad", (*PROGRAM, str(words)), timeout=PATIENCE))
    servers.wait(PATIENCE)
    words.write_text("Do it differently.")
    assert call(servers, "announce").text == "announce done"
    until(lambda: "Do it differently." in {tool.description for tool in servers.tools()})
    until(lambda: any("changed its tools" in notice for notice in user.told))
    servers.close()


def test_tools_that_are_not_valid_are_left_out_and_said_and_the_others_stay(
    user: ScriptedUser, tmp_path: Path
) -> None:
    fine = {"name": "fine", "inputSchema": {"type": "object", "properties": {"a": {}}}}
    listed = tmp_path / "tools.json"
    listed.write_text(json.dumps([*BAD_TOOLS, fine]))
    servers = ToolServers(user)
    servers.connect(ServerSettings("bad", (*PROGRAM, str(listed)), timeout=PATIENCE))
    servers.wait(PATIENCE)
    (server,) = servers.servers()
    assert server.state == "ready", server.error
    names = {tool.name for tool in servers.tools()}
    assert {"plain", "die", "fine"} <= names
    assert not names & {"text", "odd", "typeless", "loud", "nested", "wanting"}
    assert len(server.left_out) == len(BAD_TOOLS)
    assert any("odd (tools)" in notice and "left out" in notice for notice in user.told)
    assert call(servers, "plain").text == "plain done"
    listed.write_text(json.dumps([fine]))
    call(servers, "announce")
    until(lambda: server.left_out == ())
    servers.close()
