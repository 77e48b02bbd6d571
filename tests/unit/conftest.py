"""Addresses for tests of servers."""

import socket

import pytest


@pytest.fixture
def unused_tcp_port_url() -> str:
    """A loopback address where nothing listens."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return f"http://127.0.0.1:{listener.getsockname()[1]}"
