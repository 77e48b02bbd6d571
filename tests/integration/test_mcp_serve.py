"""`aish mcp serve`, used as editors and agents do: with the official client of the protocol."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, MCPError, StdioServerParameters
from mcp_types import CallToolResult, TextContent

from support.home import Home
from support.person import INSTALLED
from support.scripted import scripted_server, stream

PATIENCE = 120.0
DESTRUCTIVE = (
    "rm -rf notes.txt",
    "> notes.txt",
    "find . -delete",
    "sh -c 'rm notes.txt'",
    "echo cm0gbm90ZXMudHh0 | base64 -d | sh",
    "truncate -s 0 notes.txt",
    "mv /dev/null notes.txt",
    'eval "r"m notes.txt',
    "echo ok; rm notes.txt",
    "ls $(rm notes.txt)",
)


@asynccontextmanager
async def client_in(home: Home, folder: Path) -> AsyncIterator[Client]:
    parameters = StdioServerParameters(
        command=str(INSTALLED), args=["mcp", "serve"], env=home.env, cwd=folder
    )
    async with Client(parameters, read_timeout_seconds=PATIENCE) as client:
        yield client


def using(home: Home, folder: Path, work: Callable[[Client], Coroutine[Any, Any, None]]) -> None:
    async def main() -> None:
        async with client_in(home, folder) as client:
            await work(client)

    anyio.run(main)


def said(result: CallToolResult) -> str:
    return "\n".join(part.text for part in result.content if isinstance(part, TextContent))


def found(result: CallToolResult) -> Any:
    assert not result.is_error, said(result)
    return json.loads(said(result))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "work"
    place.mkdir()
    (place / "notes.txt").write_text("one\n")
    return place


def test_it_offers_six_tools_and_says_what_they_do(home: Home, folder: Path) -> None:
    async def work(client: Client) -> None:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert set(tools) == {
            *("ask", "run_command", "try_command"),
            *("memory_search", "session_search", "fit_messages"),
        }
        assert "refused" in (tools["run_command"].description or "")
        assert tools["run_command"].input_schema["required"] == ["command"]

    using(home, folder, work)


def test_what_is_harmless_runs_and_what_destroys_is_refused(home: Home, folder: Path) -> None:
    async def work(client: Client) -> None:
        ran = found(await client.call_tool("run_command", {"command": "cat notes.txt; exit 3"}))
        assert (ran["status"], ran["output"].strip(), ran["verdict"]) == (3, "one", "harmless")
        for command in DESTRUCTIVE:
            refused = await client.call_tool("run_command", {"command": command})
            assert refused.is_error or found(refused).get("applied") is False, command
            assert (folder / "notes.txt").read_text() == "one\n", command
        outside = await client.call_tool("run_command", {"command": "ls", "directory": "/"})
        assert outside.is_error

    using(home, folder, work)
    assert (folder / "notes.txt").read_text() == "one\n"


def test_what_is_unknown_only_adds(home: Home, folder: Path) -> None:
    tool = folder / "frob"
    tool.write_text('#!/bin/sh\necho new >made.txt\n[ -z "$1" ] || echo two >>notes.txt\n')
    tool.chmod(0o755)

    async def work(client: Client) -> None:
        changed = found(await client.call_tool("run_command", {"command": "./frob x"}))
        assert changed["applied"] is False
        assert not (folder / "made.txt").exists()
        (folder / "hook").write_text("mkdir -p .git/hooks; echo x >.git/hooks/pre-commit\n")
        obeyed = found(await client.call_tool("run_command", {"command": "bash hook"}))
        assert obeyed["applied"] is False
        assert not (folder / ".git").exists()
        added = found(await client.call_tool("run_command", {"command": "./frob"}))
        assert added["applied"] is True

    using(home, folder, work)
    assert (folder / "made.txt").read_text() == "new\n"
    assert (folder / "notes.txt").read_text() == "one\n"


def test_a_command_is_tried_without_changing_anything(home: Home, folder: Path) -> None:
    async def work(client: Client) -> None:
        command = "echo two >> notes.txt; rm -f gone; ls"
        tried = found(await client.call_tool("try_command", {"command": command}))
        assert "notes.txt" in tried["output"]
        change = next(one for one in tried["changes"] if one["path"].endswith("notes.txt"))
        assert "+two" in change["difference"]

    using(home, folder, work)
    assert (folder / "notes.txt").read_text() == "one\n"


def test_no_secret_is_in_what_it_answers(home: Home, folder: Path) -> None:
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2
    (folder / "deploy.env").write_text(f"GITHUB_TOKEN={token}\n")
    asked = (
        ("run_command", {"command": "cat deploy.env"}),
        ("try_command", {"command": "cat deploy.env; cp deploy.env copy.env"}),
        ("run_command", {"command": "bash -c 'cp deploy.env other.env; cat other.env'"}),
        ("memory_search", {"words": "github"}),
        ("session_search", {"words": "github"}),
    )
    (home.data / "memory.jsonl").parent.mkdir(parents=True, exist_ok=True)
    item = {"id": 1, "ts": "2026-01-01T00:00:00Z", "kind": "fact", "content": f"github {token}"}
    (home.data / "memory.jsonl").write_text(json.dumps(item) + "\n")

    async def work(client: Client) -> None:
        for name, arguments in asked:
            answer = said(await client.call_tool(name, arguments))
            assert token not in answer, name
            assert name == "session_search" or "GITHUB" in answer.upper(), name

    using(home, folder, work)


def test_what_one_part_of_an_answer_names_is_in_no_other(home: Home, folder: Path) -> None:
    home.run("memory", "add", "moon-fish-tango9 is needed to deploy")
    named = '{"id":2,"kind":"fact","content":"deploy: DB_PASSWORD=moon-fish-tango9"}\n'
    with (home.data / "memory.jsonl").open("a") as file:
        file.write(named)

    async def work(client: Client) -> None:
        command = "echo DB_PASSWORD=moon-fish-tango9; echo the moon-fish-tango9 swims > new.txt"
        tried = await client.call_tool("try_command", {"command": command})
        assert "+the [secret] swims" in said(tried)
        items = await client.call_tool("memory_search", {"words": "deploy"})
        assert said(items).count("[secret]") == 2
        assert "tango9" not in said(tried) + said(items)

    using(home, folder, work)


def test_no_secret_is_in_its_lists_and_errors(home: Home, tmp_path: Path) -> None:
    folder = tmp_path / "red-elephant-78"
    folder.mkdir()
    vault = home.config.parent / "vault"
    vault.parent.mkdir(parents=True)
    vault.write_text("pw = red-elephant-78\n")
    vault.chmod(0o600)
    home.data.mkdir(parents=True)
    item = {"id": 1, "ts": "2026-01-01T00:00:00Z", "kind": "fact", "content": "github"}
    line = json.dumps({**item, "tags": ["red-elephant-78"]})
    (home.data / "memory.jsonl").write_text(f"{line}\n")

    async def work(client: Client) -> None:
        answer = await client.call_tool("memory_search", {"words": "github"})
        assert "[secret]" in said(answer) and "elephant" not in said(answer)
        refused = await client.call_tool("run_command", {"command": "ls", "directory": "none"})
        assert refused.is_error
        assert "[secret]" in said(refused) and "elephant" not in said(refused)

    using(home, folder, work)


def test_a_command_that_never_ends_is_ended(home: Home, folder: Path) -> None:
    async def work(client: Client) -> None:
        wanted = {"command": "echo begun; sleep 600", "timeout_seconds": 1}
        ran = found(await client.call_tool("run_command", wanted))
        assert (ran["status"], ran["output"].strip()) == (124, "begun")
        much = found(await client.call_tool("run_command", {"command": "seq 1000000"}))
        assert "bytes cut" in much["output"]

    using(home, folder, work)


def test_memory_sessions_and_messages(home: Home, folder: Path) -> None:
    assert home.run("memory", "add", "the database listens on 5433").returncode == 0

    async def work(client: Client) -> None:
        items = await client.call_tool("memory_search", {"words": "database"})
        assert "5433" in said(items)
        assert not (await client.call_tool("session_search", {"words": "nowhere"})).is_error
        messages = [
            {"role": "user", "content": f"question {n} " + "word " * 200} for n in range(40)
        ]
        pairs = [
            message
            for asked in messages
            for message in (asked, {"role": "assistant", "content": "yes"})
        ]
        wanted = {"messages": [*pairs, {"role": "user", "content": "the last one"}], "window": 2048}
        fitted = found(await client.call_tool("fit_messages", wanted))
        assert fitted["messages"][-1]["content"] == "the last one"
        assert fitted["token_count"] <= 2048 - 1024
        assert (
            await client.call_tool("fit_messages", {"messages": [{"role": "x"}], "window": 9})
        ).is_error

    using(home, folder, work)


def test_a_question_goes_to_the_configured_model_and_nothing_runs(home: Home, folder: Path) -> None:
    with scripted_server(stream("List them.\nCMD: ls -l\n")) as server:
        home.configure(
            f'model = "fast"\n[models.fast]\nendpoint = "{server.url}"\nwindow = 8192\n'
            '[mcp.servers.self]\ncommand = ["aish", "mcp", "serve"]\n'
        )

        async def work(client: Client) -> None:
            wanted = {"question": "how do I list files?", "shown": "a listing"}
            answer = found(await client.call_tool("ask", wanted))
            assert answer["commands"] == ["ls -l"]
            assert "List them." in answer["answer"]

        using(home, folder, work)
        sent = server.chats[0].json
        assert "a listing" in sent["messages"][-1]["content"]
        assert "tools" not in sent


@pytest.mark.parametrize("tool", ["run_command", "try_command"])
def test_a_command_ends_when_its_client_cancels_it(home: Home, folder: Path, tool: str) -> None:
    mark = f"60.0{os.getpid()}"  # how its process is found

    async def work(client: Client) -> None:
        with anyio.move_on_after(PATIENCE) as limit:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(client.call_tool, tool, {"command": f"sleep {mark}"})
                while not running(mark):
                    await anyio.sleep(0.1)
                tasks.cancel_scope.cancel()
            while running(mark):
                await anyio.sleep(0.1)
        assert not limit.cancelled_caught
        after = found(await client.call_tool("run_command", {"command": "echo after"}))
        assert after["output"].strip() == "after"

    using(home, folder, work)


def test_a_question_that_its_client_cancelled_holds_up_no_other(home: Home, folder: Path) -> None:
    with scripted_server([PATIENCE]) as silent, scripted_server(stream("ok")) as quick:
        home.configure(
            'model = "quick"\n'
            f'[models.silent]\nendpoint = "{silent.url}"\nwindow = 8192\ntimeout_ms = 600000\n'
            f'[models.quick]\nendpoint = "{quick.url}"\nwindow = 8192\n'
        )

        async def work(client: Client) -> None:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(client.call_tool, "ask", {"question": "a", "model": "silent"})
                while not silent.chats:
                    await anyio.sleep(0.05)
                tasks.cancel_scope.cancel()
            with anyio.fail_after(PATIENCE / 2):
                for question in ("b", "c"):
                    answer = found(await client.call_tool("ask", {"question": question}))
                    assert answer["answer"] == "ok", "and by the model that is usual"

        using(home, folder, work)
    assert len(quick.chats) == 2


def test_what_runs_ends_with_the_server(home: Home, folder: Path) -> None:
    mark = f"61.0{os.getpid()}"

    async def call(client: Client) -> None:
        with suppress(MCPError):
            await client.call_tool("run_command", {"command": f"sleep {mark}"})

    async def work(client: Client) -> None:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(call, client)
            while not running(mark):
                await anyio.sleep(0.1)
            (server,) = (parent_of(one) for one in running(mark))
            os.kill(server, signal.SIGTERM)
            while running(mark):
                await anyio.sleep(0.1)
            tasks.cancel_scope.cancel()

    using(home, folder, work)


def running(mark: str) -> list[int]:
    """The processes that have this word as their last."""
    found = []
    for entry in Path("/proc").iterdir():
        with suppress(OSError):
            if entry.name.isdecimal() and _words(entry)[-2:] == [b"sleep", mark.encode()]:
                found.append(int(entry.name))
    return found


def _words(process: Path) -> list[bytes]:
    return (process / "cmdline").read_bytes().split(b"\0")[:-1]


def parent_of(process: int) -> int:
    return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])


def test_each_question_is_a_conversation_of_its_own(home: Home, folder: Path) -> None:
    more = ", as everybody in the team has known for years and years now" * 3
    for fact in ("The staging database is called heron", "The blog is written in Zola"):
        assert home.run("memory", "add", "fact", fact + more).returncode == 0
    with scripted_server(stream("ok")) as one, scripted_server(stream("ok")) as two:
        home.configure(
            'model = "a"\n[memory]\ninject_max_chars = 400\n'
            f'[models.a]\nendpoint = "{one.url}"\n[models.b]\nendpoint = "{two.url}"\n'
        )

        async def work(client: Client) -> None:
            for wanted in (
                {"question": "which staging database?", "model": "b"},
                {"question": "how is the blog written?"},
            ):
                found(await client.call_tool("ask", wanted))

        using(home, folder, work)
        first, second = two.chats[0].json["messages"], one.chats[0].json["messages"]
    assert "heron" in first[0]["content"]
    assert "Zola" in second[0]["content"]
    assert "heron" not in second[0]["content"]
    assert all("[directory " in messages[-1]["content"] for messages in (first, second))
