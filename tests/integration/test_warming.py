"""Reading ahead, on the real server."""

from __future__ import annotations

import json
import os
import re
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from aish.core.proposal.wording import MachineFacts, command_messages
from aish.local.places import LocalServerSettings
from aish.local.sampling import WITH, WITHOUT
from aish.local.server import NICENESS
from aish.local.supervisor import Endpoint, Supervisor
from aish.local.warming import MOST_KEPT, read_ahead, restore
from aish.shell.release import distribution
from support.adapters import empty_adapter
from support.embedded import playground, server, wait_for, weights

READ = re.compile(r"task 0 \| stop processing: n_tokens = (\d+)")
MESSAGES = command_messages("list", MachineFacts("Testix"))


def begin(endpoint: Endpoint, body: dict[str, Any]) -> HTTPConnection:
    """Ask the server, and do not wait for its answer."""
    headers = {"Authorization": f"Bearer {endpoint.api_key}", "Content-Type": "application/json"}
    connection = HTTPConnection(endpoint.base_url.removeprefix("http://"), timeout=300)
    connection.request("POST", "/v1/chat/completions", json.dumps(body), headers)
    return connection


def usage(endpoint: Endpoint, body: dict[str, Any]) -> dict[str, Any]:
    """What the server says that an answer took."""
    connection = begin(endpoint, {**body, "max_tokens": 1})
    found: dict[str, Any] = json.loads(connection.getresponse().read())["usage"]
    connection.close()
    return found


def cached_tokens(endpoint: Endpoint, options: dict[str, Any] | None = None) -> int:
    """How much of a request with another question the server has read before."""
    messages: list[Any] = [*MESSAGES[:-1], {"role": "user", "content": "count the files"}]
    told = usage(endpoint, {"messages": messages, **(options or {})})
    return int(told["prompt_tokens_details"]["cached_tokens"])


def test_reading_ahead_is_harmless_and_a_dead_server_no_trouble() -> None:
    messages = command_messages("list", MachineFacts(distribution()))
    with server(n_ctx=512) as endpoint:
        read_ahead(endpoint, messages, {"temperature": 0.0})
    read_ahead(Endpoint("http://127.0.0.1:9", "", 512, "none"), messages, {})
    assert distribution()


def test_what_was_read_once_is_there_after_a_restart_and_damage_only_costs_time() -> None:
    with playground() as directory:
        settings = LocalServerSettings(weights(), n_ctx=512, idle_seconds=600)
        supervisor = Supervisor(directory, directory / "cache" / "logs", settings)
        kept = supervisor.kept("the prompt")
        read_ahead(supervisor.ensure(), MESSAGES, {}, kept)
        assert kept.stat().st_mode & 0o077 == 0
        size = kept.stat().st_size
        supervisor.stop()

        again = supervisor.ensure()
        assert cached_tokens(again) == 0
        supervisor.stop()

        restored = supervisor.ensure()
        read_ahead(restored, MESSAGES, {}, kept)
        assert cached_tokens(restored) > 10
        supervisor.stop()

        kept.write_bytes(b"damaged")
        read_ahead(supervisor.ensure(), MESSAGES, {}, kept)
        assert kept.stat().st_size == size


def test_what_was_read_with_an_adapter_is_there_after_a_restart_too() -> None:
    with playground() as directory:
        adapter = empty_adapter(directory / "adapter.gguf")
        settings = LocalServerSettings(weights(), n_ctx=512, idle_seconds=600, adapter=adapter)
        supervisor = Supervisor(directory, directory / "cache" / "logs", settings)
        kept = supervisor.kept("the prompt")
        read_ahead(supervisor.ensure(), MESSAGES, WITH, kept)
        supervisor.stop()

        again = supervisor.ensure()
        assert restore(again, WITH, kept)
        assert cached_tokens(again, WITH) > 10
        assert cached_tokens(again, WITHOUT) == 0  # read by another model, so to speak


def test_only_the_newest_prompts_are_kept() -> None:
    with playground() as directory:
        settings = LocalServerSettings(weights(), n_ctx=512, idle_seconds=600)
        supervisor = Supervisor(directory, directory / "cache" / "logs", settings)
        kept = supervisor.kept("the prompt")
        for number in range(6):
            Path(kept.parent, f"old-{number}").touch()
        read_ahead(supervisor.ensure(), MESSAGES, {}, kept)
        assert kept.is_file()
        assert len(list(kept.parent.iterdir())) == MOST_KEPT


def test_what_was_given_up_is_not_read_to_its_end_before_the_next_is_answered() -> None:
    long = " ".join(f"word{number}" for number in range(1500))
    with playground() as directory:
        settings = LocalServerSettings(weights(), n_ctx=8192, idle_seconds=600)
        supervisor = Supervisor(directory, directory / "logs", settings)
        endpoint = supervisor.ensure()
        given_up = begin(endpoint, {"messages": [{"role": "user", "content": long}]})
        wait_for(lambda: "processing task" in supervisor.log.read_text(), 240)
        given_up.close()
        usage(endpoint, {"messages": [{"role": "user", "content": "hi"}]})
        # What the server says of a request that it lets go of.
        wait_for(lambda: READ.search(supervisor.log.read_text()) is not None, 240)
        read = READ.search(supervisor.log.read_text())
        assert read is not None
        assert int(read[1]) < 1500  # of at least two for each word


def test_the_server_steps_back_among_other_sessions_too() -> None:
    with playground() as directory:
        supervisor = Supervisor(
            directory, directory / "logs", LocalServerSettings(weights(), n_ctx=512)
        )
        supervisor.ensure()
        status = supervisor.status()
        assert status is not None
        process = Path("/proc", str(status.pid))
        assert os.getpriority(os.PRIO_PROCESS, status.pid) >= NICENESS
        if Path("/proc/self/autogroup").exists():
            assert f"nice {NICENESS}" in (process / "autogroup").read_text()
