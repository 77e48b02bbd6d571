"""What leaves the machine to be counted."""

from __future__ import annotations

from aish.app.tokens import hidden

KEY = "ghp_" + "a1B2c3D4e5F6" * 3
BODY = {"model": "m", "messages": [{"role": "user", "content": f"token {KEY} here"}]}


def test_a_remote_server_counts_no_credentials() -> None:
    sent = hidden("https://api.example.com/tokenize", BODY)
    assert KEY not in str(sent)
    assert sent["model"] == "m"
    assert KEY not in str(hidden("https://127.evil.example/tokenize", {"content": KEY}))


def test_a_server_on_this_machine_counts_what_there_is() -> None:
    for host in ("localhost", "127.0.0.1:8080", "[::1]:8080"):
        assert hidden(f"http://{host}/tokenize", BODY) == BODY
