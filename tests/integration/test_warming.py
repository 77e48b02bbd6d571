"""Reading ahead, on the real server."""

from __future__ import annotations

from aish.core.proposal.wording import Surroundings, command_messages
from aish.local.supervisor import Endpoint
from aish.local.warming import distribution, read_ahead
from support.embedded import server


def test_reading_ahead_is_harmless_and_a_dead_server_no_trouble() -> None:
    messages = command_messages("list", Surroundings(distribution()))
    with server(n_ctx=512) as endpoint:
        read_ahead(endpoint, messages, {"temperature": 0.0})
    read_ahead(Endpoint("http://127.0.0.1:9", "", 512, "none"), messages, {})
    assert distribution()
