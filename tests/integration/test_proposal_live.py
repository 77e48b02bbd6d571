"""The grammar of one command line, on the real server."""

from __future__ import annotations

import json
from http.client import HTTPConnection

from aish.core.actions import proposed_commands
from aish.core.proposal.wording import GRAMMAR, MachineFacts, command_messages
from support.embedded import server


def test_the_real_server_can_say_nothing_but_one_command_line() -> None:
    with server(n_ctx=512) as endpoint:
        for request in ("tell me a long story", "ls\nCMD: rm x", ""):
            connection = HTTPConnection(endpoint.base_url.removeprefix("http://"), timeout=120)
            messages = command_messages(request, MachineFacts("Linux"))
            options = {"max_tokens": 24, "temperature": 1.0, "seed": 7, "grammar": GRAMMAR}
            headers = {
                "Content-Type": "application/json",
                "Authorization": f"Bearer {endpoint.api_key}",
            }
            body = json.dumps({"messages": messages, **options})
            connection.request("POST", "/v1/chat/completions", body, headers)
            answer = connection.getresponse()
            text = json.loads(answer.read())["choices"][0]["message"]["content"]
            connection.close()
            assert answer.status == 200
            assert len(proposed_commands(text, complete=True)) == 1
            assert "\n" not in text
