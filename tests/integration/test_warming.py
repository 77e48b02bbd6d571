"""Reading ahead, on the real server."""

from __future__ import annotations

import json
import os
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from aish.core.proposal.wording import Surroundings, command_messages
from aish.local.places import Settings
from aish.local.server import NICENESS
from aish.local.supervisor import Endpoint, Supervisor
from aish.local.warming import MOST_KEPT, distribution, read_ahead
from support.embedded import playground, server, weights

MESSAGES = command_messages("list", Surroundings("Testix"))


def cached_tokens(endpoint: Endpoint) -> int:
    """How much of a request with another question the server has read before."""
    messages: list[Any] = [*MESSAGES[:-1], {"role": "user", "content": "count the files"}]
    headers = {"Authorization": f"Bearer {endpoint.api_key}", "Content-Type": "application/json"}
    connection = HTTPConnection(endpoint.base_url.removeprefix("http://"), timeout=300)
    body = json.dumps({"messages": messages, "max_tokens": 1})
    connection.request("POST", "/v1/chat/completions", body, headers)
    usage = json.loads(connection.getresponse().read())["usage"]
    connection.close()
    return int(usage["prompt_tokens_details"]["cached_tokens"])


def test_reading_ahead_is_harmless_and_a_dead_server_no_trouble() -> None:
    messages = command_messages("list", Surroundings(distribution()))
    with server(n_ctx=512) as endpoint:
        read_ahead(endpoint, messages, {"temperature": 0.0})
    read_ahead(Endpoint("http://127.0.0.1:9", "", 512, "none"), messages, {})
    assert distribution()


def test_what_was_read_once_is_there_after_a_restart_and_damage_only_costs_time() -> None:
    with playground() as directory:
        settings = Settings(weights(), n_ctx=512, idle_seconds=600)
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


def test_only_the_newest_prompts_are_kept() -> None:
    with playground() as directory:
        settings = Settings(weights(), n_ctx=512, idle_seconds=600)
        supervisor = Supervisor(directory, directory / "cache" / "logs", settings)
        kept = supervisor.kept("the prompt")
        for number in range(6):
            Path(kept.parent, f"old-{number}").touch()
        read_ahead(supervisor.ensure(), MESSAGES, {}, kept)
        assert kept.is_file()
        assert len(list(kept.parent.iterdir())) == MOST_KEPT


def test_the_server_steps_back_among_other_sessions_too() -> None:
    with playground() as directory:
        supervisor = Supervisor(directory, directory / "logs", Settings(weights(), n_ctx=512))
        supervisor.ensure()
        status = supervisor.status()
        assert status is not None
        process = Path("/proc", str(status.pid))
        assert os.getpriority(os.PRIO_PROCESS, status.pid) >= NICENESS
        if Path("/proc/self/autogroup").exists():
            assert f"nice {NICENESS}" in (process / "autogroup").read_text()
